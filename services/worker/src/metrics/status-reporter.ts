import {
  QUEUES,
  SYSTEM_KEYS,
  WORKER_STATUS_LIFETIME,
  type QueueName,
  type QueueStatus,
} from '@meetmark/contracts';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { JobRegistry } from '../jobs/job-registry.js';
import { Repeating } from '../outbox/repeating.js';
import { OUTBOXES } from '../outbox/outbox.js';
import { JobQueues } from '../queues/job-queues.js';
import { redisAnswer } from '../queues/redis-answer.js';
import { oldestWaiting, queueJobs } from './worker-metrics.js';

/** Milliseconds. */
const REPORT_EVERY = 5_000;

interface OpenJobs {
  job: string;
  failed: string;
  /** Seconds. */
  oldest: string | null;
}

/** Tells the metrics and the administrators' System page how the queues stand. */
@Injectable()
export class StatusReporter implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly replica = randomUUID();
  private readonly logger = new Logger(StatusReporter.name);
  private readonly reports = new Repeating(
    REPORT_EVERY,
    () => this.report(),
    (error) => this.logger.warn({ msg: 'the status could not be reported', err: error }),
  );

  constructor(
    private readonly dataSource: DataSource,
    private readonly queues: JobQueues,
    private readonly registry: JobRegistry,
  ) {}

  onApplicationBootstrap(): void {
    this.reports.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.reports.stop();
    if (!this.queues.connected) return; // the entry runs out by itself
    const left = this.queues.redis.zrem(SYSTEM_KEYS.replicas('worker'), this.replica);
    // an error here would end the process under the mail that is being sent
    await redisAnswer(left, 'leaving').catch((error: unknown) =>
      this.logger.warn({ msg: 'the status could not be taken back', err: error }),
    );
  }

  async report(): Promise<void> {
    if (!this.queues.connected) return;
    const open = await this.openJobs();
    const statuses = await Promise.all(QUEUES.map((name) => this.statusOf(name, open)));
    statuses.forEach(show);
    const now = Date.now();
    const replicas = SYSTEM_KEYS.replicas('worker');
    const told = this.queues.redis
      .multi()
      .set(SYSTEM_KEYS.queues, JSON.stringify(statuses), 'PX', WORKER_STATUS_LIFETIME)
      .zremrangebyscore(replicas, '-inf', now)
      .zadd(replicas, now + WORKER_STATUS_LIFETIME, this.replica)
      .exec();
    await redisAnswer(told, 'telling the status');
  }

  private async statusOf(name: QueueName, open: OpenJobs[]): Promise<QueueStatus> {
    const counting = this.queues.get(name).getJobCounts('wait', 'prioritized', 'active', 'delayed', 'failed');
    const counts = await redisAnswer(counting, `counting the jobs of ${name}`);
    const ours = open.filter(({ job }) =>
      this.registry.jobs.some((known) => known.name === job && known.queue === name),
    );
    const ages = ours.flatMap(({ oldest }) => (oldest === null ? [] : [Number(oldest)]));
    const failedRows = ours.reduce((sum, { failed }) => sum + Number(failed), 0);
    return {
      name,
      waiting: (counts.wait ?? 0) + (counts.prioritized ?? 0),
      active: counts.active ?? 0,
      delayed: counts.delayed ?? 0,
      failed: (counts.failed ?? 0) + failedRows,
      oldestWaiting: ages.length === 0 ? null : Math.round(Math.max(...ages)),
    };
  }

  private openJobs(): Promise<OpenJobs[]> {
    const each = OUTBOXES.map(
      (outbox) => `SELECT job, last_error, available_at FROM ${outbox}.outbox WHERE done_at IS NULL`,
    );
    return this.dataSource.query(
      `SELECT job, count(*) FILTER (WHERE last_error IS NOT NULL) AS failed,
         extract(epoch FROM now() - min(available_at) FILTER (WHERE available_at <= now())) AS oldest
       FROM (${each.join(' UNION ALL ')}) AS open GROUP BY job`,
    );
  }
}

function show({ name: queue, oldestWaiting: oldest, waiting, active, delayed, failed }: QueueStatus): void {
  for (const [state, count] of Object.entries({ waiting, active, delayed, failed }))
    queueJobs.set({ queue, state }, count);
  oldestWaiting.set({ queue }, oldest ?? 0);
}
