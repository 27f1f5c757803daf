import { jest } from '@jest/globals';
import { EmailChangedMail } from '@meetmark/contracts';
import { insertUser } from '@meetmark/testing/factories/users';
import type { INestApplicationContext } from '@nestjs/common';
import { workersForTests } from '../testing/test-worker.js';
import { JobQueues } from './job-queues.js';
import { JobRunner } from './job-runner.js';
import { WorkerLiveness } from './worker-liveness.js';

/** Milliseconds, and more than the minute after which a worker that takes nothing is deaf. */
const LONG = 61_000;

describe('a worker', () => {
  const workers = workersForTests();
  let worker: INestApplicationContext;
  let userId: string;

  beforeAll(async () => {
    userId = (await insertUser(workers.owner)).id;
  });
  beforeEach(async () => {
    worker = await workers.start();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    workers.smtp.slowness = 0;
    await workers.stopWorkers();
  });

  const ask = () => workers.ask('auth', EmailChangedMail, { userId, oldEmail: 'heard@example.org' });
  const waiting = () =>
    workers.eventually('a mail in the queue', async () => {
      const queue = worker.get(JobQueues).get('mail');
      return (await queue.getJobCountByTypes('wait', 'prioritized')) > 0;
    });
  /** Whether it is deaf at the end of a long time that begins with a look. */
  const isDeafLater = async () => {
    const liveness = worker.get(WorkerLiveness);
    await liveness.check();
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + LONG);
    const before = liveness.stalled;
    await liveness.check();
    return { before, after: liveness.stalled };
  };

  it('is deaf when a job has waited for more than a minute and nothing is being done', async () => {
    await worker.get(JobRunner).onModuleDestroy(); // from here on it takes none
    await ask();
    await waiting();
    expect(await isDeafLater()).toEqual({ before: true, after: true });
  });

  it('is not deaf when nothing waits', async () => {
    await workers.allDone();
    expect((await isDeafLater()).after).toBe(false);
  });

  it('is not deaf while it works, however long that takes', async () => {
    workers.smtp.slowness = 2_000;
    for (let mail = 0; mail < 3; mail += 1) await ask();
    await waiting();
    expect((await isDeafLater()).after).toBe(false);
  });

  it('is not deaf when Redis does not answer: a new start would not help', async () => {
    await worker.get(JobRunner).onModuleDestroy();
    await ask();
    await waiting();
    worker.get(JobQueues).redis.disconnect();
    expect((await isDeafLater()).after).toBe(false);
  });
});
