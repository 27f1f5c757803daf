import { withClient } from '../with-client.js';
import { DEMO_MEMBERS, emailOf } from './demo-members.js';

export interface DemoAccounts {
  administrator: { email: string; password: string };
  /** All members of the demo community share it. */
  memberPassword: string;
  /** IANA name; the events' local times are in it. */
  timeZone: string;
}

/** A member of the demo community to sign in as. */
export const DEMO_MEMBER_EMAIL = emailOf(DEMO_MEMBERS[0]!);

/**
 * Fills an empty database with the demo community, all or nothing. False for one that has users already: that is left alone, and what would
 * have filled it is not loaded.
 */
export const seedDemo = (databaseUrl: string, accounts: () => Promise<DemoAccounts>): Promise<boolean> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ empty: boolean }>(
      'SELECT NOT EXISTS (SELECT FROM auth.users) AS empty',
    );
    if (!rows[0]?.empty) return false;
    const { fill } = await import('./fill-demo.js');
    await fill(client, await accounts());
    return true;
  });
