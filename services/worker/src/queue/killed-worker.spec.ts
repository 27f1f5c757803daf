import { once } from 'node:events';
import { EmailChangedMail } from '@meetmark/contracts';
import { insertUser } from '@meetmark/testing/factories/users';
import { workersForTests } from '../testing/test-worker.js';
import { spawnWorker } from '../testing/worker-process.js';

const BATCH = 60;
/** Milliseconds for which the victim's job is nobody else's, and many times what one of its mails takes. */
const LOCK = '2000';

describe('a worker that is killed in the middle of a batch', () => {
  const workers = workersForTests();

  it('loses no mail, and at most one arrives a second time, as the same message', async () => {
    const { id: userId } = await insertUser(workers.owner);
    for (let index = 0; index < BATCH; index += 1)
      await workers.ask('auth', EmailChangedMail, { userId, oldEmail: `member${index}@example.org` });
    // slow enough that the kill hits a mail which the server has and the worker does not know to be sent
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
    expect(workers.mailsByAddress()).toEqual(Array(BATCH).fill(1));
    expect(workers.smtp.received.length).toBeLessThanOrEqual(BATCH + 1);
  });
});
