import { randomUUID } from 'node:crypto';
import {
  type QueueName,
  QUEUES,
  type QueueStatus,
  SYSTEM_KEYS,
  WORKER_STATUS_LIFETIME,
} from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { type OpenJobs, OutboxReader } from '@meetmark/platform';
import { JobQueues, type QueueCounts, redisAnswer } from './job-queues.js';
import { JobRegistry } from './job-registry.js';
import { oldestWaiting, queueJobs } from './metrics.js';
import { Repeating } from './repeating.js';
import { WorkerLiveness } from './worker-liveness.js';

/** Milliseconds between reports. */
const REPORT_EVERY = 5_000;

@Injectable()
export class StatusReporter extends Repeating {
  private readonly replica = randomUUID();

  constructor(
    private readonly outbox: OutboxReader,
    private readonly queues: JobQueues,
    private readonly registry: JobRegistry,
    private readonly liveness: WorkerLiveness,
  ) {
    super(REPORT_EVERY, 'Could not report the status of this replica');
    // Reports immediately, so that this replica counts as live.
    queues.redis.on('ready', this.wake);
  }

  protected work(): Promise<void> {
    return this.report();
  }

  override async onModuleDestroy(): Promise<void> {
    await super.onModuleDestroy();
    if (!this.queues.connected) return; // This replica's entry expires by itself.
    const left = this.queues.redis.zrem(SYSTEM_KEYS.replicas('worker'), this.replica);
    // An error here would end the process while it still sends an email.
    await redisAnswer(left, 'leaving').catch((error: unknown) =>
      this.logger.warn({
        msg: 'Could not remove the status of this replica; it expires by itself',
        err: error,
      }),
    );
  }

  async report(): Promise<void> {
    const counts = await this.liveness.check();
    if (counts === null) return;
    const open = await this.outbox.openJobs();
    const statuses = QUEUES.map((name) => this.toStatus(name, counts.get(name) ?? {}, open));
    statuses.forEach(show);
    const now = Date.now();
    const replicas = SYSTEM_KEYS.replicas('worker');
    const written = this.queues.redis
      .multi()
      .set(SYSTEM_KEYS.queues, JSON.stringify(statuses), 'PX', WORKER_STATUS_LIFETIME)
      .zremrangebyscore(replicas, '-inf', now)
      .zadd(replicas, now + WORKER_STATUS_LIFETIME, this.replica)
      .exec();
    await redisAnswer(written, 'reporting the status');
  }

  private toStatus(name: QueueName, counts: QueueCounts, open: OpenJobs[]): QueueStatus {
    const ours = open.filter(({ job }) =>
      this.registry.jobs.some((known) => known.name === job && known.queue === name),
    );
    const ages = ours.flatMap(({ oldest }) => (oldest === null ? [] : [Number(oldest)]));
    const sum = (key: 'failed' | 'delayed') => ours.reduce((total, jobs) => total + Number(jobs[key]), 0);
    return {
      name,
      waiting: (counts.wait ?? 0) + (counts.prioritized ?? 0),
      active: counts.active ?? 0,
      delayed: (counts.delayed ?? 0) + sum('delayed'),
      failed: (counts.failed ?? 0) + sum('failed'),
      oldestWaiting: ages.length === 0 ? null : Math.round(Math.max(...ages)),
    };
  }
}

function show({ name: queue, oldestWaiting: oldest, waiting, active, delayed, failed }: QueueStatus): void {
  for (const [state, count] of Object.entries({ waiting, active, delayed, failed }))
    queueJobs.set({ queue, state }, count);
  oldestWaiting.set({ queue }, oldest ?? 0);
}
