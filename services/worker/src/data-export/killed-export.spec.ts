import { randomBytes, randomUUID } from 'node:crypto';
import { DataExportMail } from '@meetmark/contracts';
import { insertUser } from '@meetmark/testing/factories/users';
import { workersForTests } from '../testing/test-worker.js';
import { killHalfway } from '../testing/worker-process.js';

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
    await workers.ask('auth', DataExportMail, { userId, exportId });
    // The worker waits for this lock after it has stored the photo.
    const lock = 'LOCK TABLE events.pictures IN ACCESS EXCLUSIVE MODE';
    await killHalfway(workers, lock, async () => (await fetchParts()).length > 0);
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
