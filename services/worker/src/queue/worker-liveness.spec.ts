import { jest } from '@jest/globals';
import { EmailChangedMail } from '@meetmark/contracts';
import { insertUser } from '@meetmark/testing/factories/users';
import type { INestApplicationContext } from '@nestjs/common';
import { workersForTests } from '../testing/test-worker.js';
import { JobQueues } from './job-queues.js';
import { QueueWorkers } from './queue-workers.js';
import { Schedules } from './schedules.js';
import { WorkerLiveness } from './worker-liveness.js';

/** Milliseconds. Longer than the minute after which an idle worker counts as stalled. */
const LONG = 61_000;

describe('the liveness check of a worker', () => {
  const workers = workersForTests();
  let worker: INestApplicationContext;
  let userId: string;

  beforeAll(async () => {
    userId = (await insertUser(workers.owner)).id;
    worker = await workers.start();
  });
  beforeEach(() => worker.get(WorkerLiveness).check()); // Forgets the clock of the previous test.
  afterEach(() => jest.restoreAllMocks());

  const ask = () => workers.ask('auth', EmailChangedMail, { userId, oldEmail: 'heard@example.org' });
  const waiting = () =>
    workers.eventually('a mail in the queue', async () => {
      const queue = worker.get(JobQueues).get('mail');
      return (await queue.getJobCountByTypes('wait', 'prioritized')) > 0;
    });
  const isDeafLater = async () => {
    const liveness = worker.get(WorkerLiveness);
    await liveness.check();
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + LONG);
    const before = liveness.stalled;
    await liveness.check();
    return { before, after: liveness.stalled };
  };

  it('reports no stall when nothing is queued', async () => {
    // The first scheduled jobs run after the start.
    const queues = worker.get(JobQueues);
    await workers.eventually('the connection', async () => queues.connected);
    await worker.get(Schedules).assert();
    await workers.eventually('empty queues', async () => {
      const counts = [...(await queues.counts()).values()];
      return counts.every(({ wait = 0, prioritized = 0, active = 0 }) => wait + prioritized + active === 0);
    });
    expect((await isDeafLater()).after).toBe(false);
  });

  it('reports no stall while slow jobs are running', async () => {
    workers.smtp.slowness = 500;
    for (let mail = 0; mail < 3; mail += 1) await ask();
    await waiting();
    expect((await isDeafLater()).after).toBe(false);
    jest.restoreAllMocks();
    workers.smtp.slowness = 0;
    await workers.allDone();
  });

  it('reports a stall when a job waits for over a minute and no job is running', async () => {
    await worker.get(QueueWorkers).onModuleDestroy();
    await ask();
    await waiting();
    expect(await isDeafLater()).toEqual({ before: true, after: true });
  });

  it('reports no stall while Redis is unreachable', async () => {
    worker.get(JobQueues).redis.disconnect();
    expect((await isDeafLater()).after).toBe(false);
  });
});
