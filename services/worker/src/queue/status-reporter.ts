import { randomUUID } from 'node:crypto';
import {
  type QueueName,
  QUEUES,
  type QueueStatus,
  SYSTEM_KEYS,
  WORKER_STATUS_LIFETIME,
} from '@meetmark/contracts';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type OpenJobs, OutboxReader } from '@meetmark/platform';
import { JobQueues, type QueueCounts, redisAnswer } from './job-queues.js';
import { JobRegistry } from './job-registry.js';
import { oldestWaiting, queueJobs } from './metrics.js';
import { Repeating } from './repeating.js';
import { WorkerLiveness } from './worker-liveness.js';

/** Milliseconds. */
const REPORT_EVERY = 5_000;

/** Reports the state of the queues to the metrics and the administrators' System page. */
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
    private readonly outbox: OutboxReader,
    private readonly queues: JobQueues,
    private readonly registry: JobRegistry,
    private readonly liveness: WorkerLiveness,
  ) {}

  onApplicationBootstrap(): void {
    this.reports.start();
    this.queues.redis.on('ready', this.wake);
  }

  async onModuleDestroy(): Promise<void> {
    this.queues.redis.off('ready', this.wake);
    await this.reports.stop();
    if (!this.queues.connected) return; // the entry expires by itself
    const left = this.queues.redis.zrem(SYSTEM_KEYS.replicas('worker'), this.replica);
    // an error here would end the process while it sends a mail
    await redisAnswer(left, 'leaving').catch((error: unknown) =>
      this.logger.warn({ msg: 'the status could not be taken back', err: error }),
    );
  }

  async report(): Promise<void> {
    const counts = await this.liveness.check();
    if (counts === null) return;
    const open = await this.outbox.openJobs();
    const statuses = QUEUES.map((name) => this.statusOf(name, counts.get(name) ?? {}, open));
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

  private statusOf(name: QueueName, counts: QueueCounts, open: OpenJobs[]): QueueStatus {
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

  // a replica that has just found Redis counts at once
  private readonly wake = () => this.reports.wake();
}

function show({ name: queue, oldestWaiting: oldest, waiting, active, delayed, failed }: QueueStatus): void {
  for (const [state, count] of Object.entries({ waiting, active, delayed, failed }))
    queueJobs.set({ queue, state }, count);
  oldestWaiting.set({ queue }, oldest ?? 0);
}
