import { once } from 'node:events';
import { EmailChangedMail } from '@meetmark/contracts';
import { insertUser } from '@meetmark/testing/factories/users';
import { workersForTests } from '../testing/test-worker.js';
import { spawnWorker } from '../testing/worker-process.js';

const BATCH = 60;
/** Milliseconds that the killed worker's job stays locked. Sending an email takes much less time. */
const LOCK = '2000';

describe('a worker killed in the middle of a batch', () => {
  const workers = workersForTests();

  it('loses no email and repeats at most one, with the same Message-ID', async () => {
    const { id: userId } = await insertUser(workers.owner);
    for (let index = 0; index < BATCH; index += 1)
      await workers.ask('auth', EmailChangedMail, { userId, oldEmail: `member${index}@example.org` });
    workers.smtp.slowness = 20;
    const victim = spawnWorker(workers.config, { JOB_LOCK: LOCK });
    victim.stdout?.resume();
    await workers.mails(BATCH / 3);
    victim.kill('SIGKILL');
    await once(victim, 'close');
    expect(workers.smtp.received.length).toBeLessThan(BATCH);

    workers.smtp.slowness = 0;
    await workers.start();
    await workers.allDone();
    const { received } = workers.smtp;
    expect(new Set(received.map(({ recipients }) => recipients.join())).size).toBe(BATCH);
    expect(new Set(received.map(({ mail }) => mail.messageId)).size).toBe(BATCH);
    expect(workers.smtp.received.length).toBeLessThanOrEqual(BATCH + 1);
  });
});
