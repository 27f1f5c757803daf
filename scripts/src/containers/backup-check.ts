import { PROCESSES } from '../stack/processes.js';
import { expectEqual, type Checks } from './checks.js';
import type { Compose } from './compose.js';

const COUNTS = `SELECT (SELECT count(*) FROM auth.users), (SELECT count(*) FROM events.events),
                       (SELECT count(*) FROM events.event_registrations)`;

/** The two commands of docs/operations.md, with the processes that use the database stopped for the restore. */
export async function checkBackup(checks: Checks, compose: Compose): Promise<void> {
  await checks.check('a backup comes back as it was', async () => {
    const before = await compose.sql(COUNTS);
    const migrator = ['run', '--rm', '-T', '--no-deps', 'migrate', 'node'];
    const backup = await compose.pipe(undefined, ...migrator, 'scripts/dist/make-backup.js');
    await compose.run('stop', ...PROCESSES);
    await compose.sql('DELETE FROM events.events');
    await compose.pipe(backup, ...migrator, 'scripts/dist/restore-backup.js', '--replace');
    expectEqual(await compose.sql(COUNTS), before, 'accounts, events, registrations');
    await compose.run('start', ...PROCESSES);
    return before;
  });
}
