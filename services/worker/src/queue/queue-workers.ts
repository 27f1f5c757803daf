import { type QueueName, QUEUES, SYSTEM_KEYS } from '@meetmark/contracts';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type ConnectionOptions, type Job, Worker } from 'bullmq';
import { WorkerConfig } from '../worker.config.js';
import { type JobData, JobQueues, MAIL_QUEUES, redisAnswer } from './job-queues.js';
import { JobRunner } from './job-runner.js';
import { lastSchedulerTick } from './metrics.js';
import { WorkerLiveness } from './worker-liveness.js';

/**
 * Number of times that BullMQ restarts the job of a killed worker. Later, only the sweeper queues the job
 * again.
 */
const TAKEN_OVER = 3;
const RETRY_AFTER = 1_000;
/** Number of concurrent jobs per queue that sends no emails. Such queues have few and short jobs. */
const CONCURRENCY = 2;

@Injectable()
export class QueueWorkers implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(QueueWorkers.name);
  private workers: Worker<JobData>[] = [];

  constructor(
    private readonly config: WorkerConfig,
    private readonly queues: JobQueues,
    private readonly runner: JobRunner,
    private readonly liveness: WorkerLiveness,
  ) {}

  onApplicationBootstrap(): void {
    this.workers = QUEUES.map((name) => this.workerFor(name));
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.pause(true)));
    await this.liveness.idle();
    // Forces the close while Redis is down, because a normal close waits for Redis.
    await Promise.all(this.workers.map((worker) => worker.close(!this.queues.connected)));
  }

  private workerFor(name: QueueName): Worker<JobData> {
    const worker = new Worker<JobData>(name, (job) => this.liveness.during(name, this.run(job)), {
      connection: this.queues.redis as ConnectionOptions,
      prefix: this.config.queuePrefix,
      concurrency: MAIL_QUEUES.includes(name) ? this.config.mailConcurrency : CONCURRENCY,
      ...((name === 'messages' || name === 'announcements') && {
        limiter: { max: 1, duration: Math.ceil(1_000 / this.config.messagesPerSecond) },
      }),
      runRetryDelay: RETRY_AFTER,
      // With BullMQ's defaults, the job of a killed worker waits for a minute. These settings limit that to
      // 15 s.
      lockDuration: this.config.jobLock,
      stalledInterval: this.config.takeOverEvery,
      maxStalledCount: TAKEN_OVER,
    });
    worker.on('error', (error) => this.logger.warn(`Queue ${name}: ${error.message}`));
    return worker;
  }

  private async run(job: Job<JobData>): Promise<void> {
    const id = job.id ?? job.name;
    const { outbox } = job.data;
    if (outbox !== undefined) return this.runner.runRow(outbox, id, job.name);
    await this.runner.runScheduled({ id, name: job.name, createdAt: new Date(job.timestamp) });
    lastSchedulerTick.setToCurrentTime();
    const written = this.queues.redis.set(SYSTEM_KEYS.lastSchedulerTick, new Date().toISOString());
    await redisAnswer(written, 'recording a scheduled job');
  }
}
