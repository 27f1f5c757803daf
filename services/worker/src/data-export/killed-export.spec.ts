import { once } from 'node:events';
import { randomBytes, randomUUID } from 'node:crypto';
import { DataExportMail } from '@meetmark/contracts';
import { insertUser } from '@meetmark/testing/factories/users';
import { workersForTests } from '../testing/test-worker.js';
import { spawnWorker } from '../testing/worker-process.js';

/** Milliseconds that the killed worker's job stays locked. */
const LOCK = '2000';
/** Fills a part of the file. */
const PHOTO = randomBytes(300_000);
const HASH = 'a'.repeat(64);

describe('a worker killed in the middle of a data export', () => {
  const workers = workersForTests();

  it('is replaced by one that writes the whole file and sends one email', async () => {
    const { id: userId } = await insertUser(workers.owner);
    await workers.insert('auth.pictures', { hash: HASH, bytes: PHOTO, width: 1, height: 1 });
    await workers.update('auth.users', userId, { profilePictureHash: HASH });
    const exportId = randomUUID();
    await workers.insert('auth.data_exports', { id: exportId, userId, account: 'a'.repeat(22) });
    const fetchParts = () =>
      workers.owner.query<{ attempt: string; length: number }[]>(
        'SELECT attempt, octet_length(bytes) AS length FROM auth.data_export_parts ORDER BY number',
      );
    const runner = workers.owner.createQueryRunner();
    await runner.startTransaction();
    // The worker waits for this lock after it has stored the photo.
    await runner.query('LOCK TABLE events.pictures IN ACCESS EXCLUSIVE MODE');
    await workers.ask('auth', DataExportMail, { userId, exportId });
    const victim = spawnWorker(workers.config, { JOB_LOCK: LOCK });
    victim.stdout?.resume();
    await workers.eventually('the first part', async () => (await fetchParts()).length > 0);
    victim.kill('SIGKILL');
    await once(victim, 'close');
    await runner.rollbackTransaction();
    await runner.release();
    const [left] = await fetchParts();

    await workers.start();
    await workers.allDone();
    const [row] = await workers.owner.query<[{ attempt: string; size: string }]>(
      'SELECT attempt, size FROM auth.data_exports',
    );
    const parts = await fetchParts();
    expect(row.attempt).not.toBe(left!.attempt);
    expect(new Set(parts.map(({ attempt }) => attempt))).toEqual(new Set([row.attempt]));
    expect(parts.reduce((sum, { length }) => sum + length, 0)).toBe(Number(row.size));
    expect(workers.smtp.received).toHaveLength(1);
  });
});
