import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DATABASE_PROCESSES, roleOf, SCHEMAS } from '../migrations.js';
import { withClient } from '../with-client.js';

/** The demo community of 1.0.0, used for a minute: docs/upgrading.md says how the file was made. */
const DUMP = path.join(import.meta.dirname, 'community-of-1.0.0.sql.gz');

/** What is known of the people in it. */
export const OWNER = {
  email: 'admin@meetmark.example',
  password: 'the owner of 1.0.0',
};
export const MEMBERS_PASSWORD = 'a member of 1.0.0';
export const AMELIA = 'amelia.hartley@members.example';
/** Where Amelia's calendar reads her events. */
export const AMELIAS_FEED = '/api/calendar/a-feed-address-of-the-release-1-0-0-in-2026.ics';
/** Signed up, and has not confirmed the address. */
export const INA = { email: 'ina@xn--bcher-kva.example', password: 'before the upgrade' };
/** Is still to come whenever this runs: three places, one of them Amelia's, one of a guest without an account. */
export const LATE = 'A summer evening in 2099';

/** Puts the database of 1.0.0 in place of what is there; `url` is the owner's. It is still to be migrated. */
export async function restoreCommunity(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`DROP SCHEMA IF EXISTS ${SCHEMAS.join(', ')} CASCADE`);
    // roles belong to the server: a dump names them and holds none
    for (const role of DATABASE_PROCESSES.map(roleOf)) {
      const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
      if (rowCount === 0) await client.query(`CREATE ROLE ${role}`);
    }
    // last: a dump empties the search path of its connection
    await client.query(gunzipSync(readFileSync(DUMP)).toString());
  });
}
