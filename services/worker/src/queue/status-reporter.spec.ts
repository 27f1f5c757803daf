import { jest } from '@jest/globals';
import { EmailChangedMail, type QueueStatus, SYSTEM_KEYS } from '@meetmark/contracts';
import { registry } from '@meetmark/platform';
import { insertUser } from '@meetmark/testing/factories/users';
import type { INestApplicationContext } from '@nestjs/common';
import { workersForTests } from '../testing/test-worker.js';
import { JobQueues } from './job-queues.js';
import { StatusReporter } from './status-reporter.js';
import { WorkerLiveness } from './worker-liveness.js';

describe('the worker status', () => {
  const workers = workersForTests();
  let worker: INestApplicationContext;

  beforeAll(async () => {
    worker = await workers.start();
  });

  const fetchStatus = async (queue: string): Promise<QueueStatus | undefined> => {
    const json = await workers.redis.get(SYSTEM_KEYS.queues);
    return (JSON.parse(json ?? '[]') as QueueStatus[]).find(({ name }) => name === queue);
  };

  it('shows failing emails with their age until they are sent', async () => {
    const { id: userId } = await insertUser(workers.owner);
    await workers.smtp.close();
    const id = await workers.ask('auth', EmailChangedMail, { userId, oldEmail: 'old@example.org' });
    await workers.eventually('a failure', async () => (await workers.row('auth', id)).attempts > 0);
    await workers.owner.query(
      `UPDATE auth.outbox SET failing_since = now() - interval '90 seconds', available_at = now() + interval '10 seconds'`,
    );
    await worker.get(StatusReporter).report();
    const status = await fetchStatus('mail');
    expect(status).toMatchObject({ failed: 1, delayed: 1 });
    expect(status?.oldestWaiting).toBeGreaterThanOrEqual(90);
    const metrics = await registry.metrics();
    expect(metrics).toMatch(/queue_oldest_waiting_seconds\{queue="mail"\} 9\d/);
    expect(metrics).toContain('queue_jobs{queue="mail",state="failed"} 1');
    expect(metrics).toMatch(/mails_total\{template="email-changed",outcome="failed"\} [1-9]/);
    await workers.smtp.open();
    await workers.owner.query('UPDATE auth.outbox SET available_at = now()');
    await workers.allDone();
    await worker.get(StatusReporter).report();
    expect(await fetchStatus('mail')).toMatchObject({ failed: 0, oldestWaiting: null, waiting: 0 });
  });

  it('counts the jobs only once per report, for the status and the liveness check', async () => {
    const reporter = worker.get(StatusReporter);
    const queues = worker.get(JobQueues);
    await workers.eventually('Redis', async () => queues.connected);
    await reporter.onModuleDestroy();
    const counted = jest.spyOn(queues, 'counts');
    const checked = jest.spyOn(worker.get(WorkerLiveness), 'check');
    await reporter.report();
    expect([counted.mock.calls.length, checked.mock.calls.length]).toEqual([1, 1]);
    jest.restoreAllMocks();
  });

  it('counts live replicas but not stopped ones', async () => {
    await worker.get(StatusReporter).report();
    await workers.start();
    const alive = () => workers.redis.zcount(SYSTEM_KEYS.replicas('worker'), Date.now(), '+inf');
    await workers.eventually('two replicas', async () => (await alive()) === 2);
    await workers.stopWorkers();
    expect(await alive()).toBe(0);
  });
});
