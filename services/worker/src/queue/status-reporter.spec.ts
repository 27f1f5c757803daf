import { jest } from '@jest/globals';
import { EmailChangedMail, type QueueStatus, SYSTEM_KEYS } from '@meetmark/contracts';
import { registry } from '@meetmark/platform';
import { insertUser } from '@meetmark/testing/factories/users';
import { workersForTests } from '../testing/test-worker.js';
import { JobQueues } from './job-queues.js';
import { StatusReporter } from './status-reporter.js';
import { WorkerLiveness } from './worker-liveness.js';

describe('the status of the worker', () => {
  const workers = workersForTests();
  let userId: string;

  beforeAll(async () => {
    userId = (await insertUser(workers.owner)).id;
  });

  const statusOf = async (queue: string): Promise<QueueStatus | undefined> => {
    const json = await workers.redis.get(SYSTEM_KEYS.queues);
    return (JSON.parse(json ?? '[]') as QueueStatus[]).find(({ name }) => name === queue);
  };

  it('shows mails that wait, since when, and that their last attempt failed', async () => {
    await workers.smtp.close();
    const worker = await workers.start();
    const id = await workers.ask('auth', EmailChangedMail, { userId, oldEmail: 'old@example.org' });
    await workers.eventually('a failure', async () => (await workers.row('auth', id)).attempts > 0);
    await workers.owner.query(`UPDATE auth.outbox SET available_at = now() - interval '90 seconds'`);
    await worker.get(StatusReporter).report();
    expect(await statusOf('mail')).toMatchObject({ failed: 1, oldestWaiting: expect.any(Number) });
    expect((await statusOf('mail'))?.oldestWaiting).toBeGreaterThanOrEqual(90);
    const metrics = await registry.metrics();
    expect(metrics).toMatch(/queue_oldest_waiting_seconds\{queue="mail"\} 9\d/);
    expect(metrics).toContain('queue_jobs{queue="mail",state="failed"} 1');
    expect(metrics).toMatch(/mails_total\{template="email-changed",outcome="failed"\} [1-9]/);
    await workers.smtp.open();
    await workers.allDone();
    await worker.get(StatusReporter).report();
    expect(await statusOf('mail')).toMatchObject({ failed: 0, oldestWaiting: null, waiting: 0 });
  });

  it('is counted once, for what is shown and for whether the worker hears its queues', async () => {
    const worker = await workers.start();
    const reporter = worker.get(StatusReporter);
    const queues = worker.get(JobQueues);
    await workers.eventually('Redis', async () => queues.connected);
    await reporter.onModuleDestroy(); // from here on it reports when it is asked to
    const counted = jest.spyOn(queues, 'counts');
    const checked = jest.spyOn(worker.get(WorkerLiveness), 'check');
    await reporter.report();
    expect([counted.mock.calls.length, checked.mock.calls.length]).toEqual([1, 1]);
  });

  it('counts the replicas that live, and no longer those that have gone', async () => {
    await workers.start();
    const alive = () => workers.redis.zcount(SYSTEM_KEYS.replicas('worker'), Date.now(), '+inf');
    await workers.eventually('two replicas', async () => (await alive()) === 2);
    await workers.stopWorkers();
    expect(await alive()).toBe(0);
  });
});
