import { type QueueName, QUEUES, SYSTEM_KEYS } from '@meetmark/contracts';
import { type OutboxName, OutboxReader, runInCall, StartedCall } from '@meetmark/platform';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type ConnectionOptions, type Job, Worker } from 'bullmq';
import { WorkerConfig } from '../worker.config.js';
import { GivenUp, type JobContext, type MailOutcome } from './job-handler.js';
import { type JobData, JobQueues, MAIL_QUEUES, redisAnswer } from './job-queues.js';
import { JobRegistry } from './job-registry.js';
import { jobSeconds, lastSchedulerTick } from './metrics.js';
import { WorkerLiveness } from './worker-liveness.js';
import { retry } from './retry.js';

/** A job may be taken over so often before the sweeper has to put it back. */
const TAKEN_OVER = 3;
/** Milliseconds until a worker asks a Redis again that refused it. */
const RETRY_AFTER = 1_000;
/** The jobs of the other queues are short and few. */
const CONCURRENCY = 2;
/** Deadline of a job's own calls, in milliseconds. Slow mail servers have their own limits. */
const TIME_LEFT = 60_000;

/** Takes jobs from the queues and runs their handlers. */
@Injectable()
export class JobRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(JobRunner.name);
  private workers: Worker<JobData>[] = [];

  constructor(
    private readonly config: WorkerConfig,
    private readonly queues: JobQueues,
    private readonly registry: JobRegistry,
    private readonly outbox: OutboxReader,
    private readonly liveness: WorkerLiveness,
  ) {}

  onApplicationBootstrap(): void {
    this.workers = QUEUES.map((name) => this.workerFor(name));
  }

  /** Takes no new job, finishes the running ones. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.pause(true)));
    await this.liveness.idle();
    // an orderly close waits for Redis, which may be away
    await Promise.all(this.workers.map((worker) => worker.close(!this.queues.connected)));
  }

  private workerFor(name: QueueName): Worker<JobData> {
    const worker = new Worker<JobData>(name, (job) => this.liveness.during(name, this.run(job)), {
      connection: this.queues.redis as ConnectionOptions,
      prefix: this.config.queuePrefix,
      concurrency: MAIL_QUEUES.includes(name) ? this.config.mailConcurrency : CONCURRENCY,
      // what goes to many
      ...((name === 'messages' || name === 'announcements') && {
        limiter: { max: 1, duration: Math.ceil(1_000 / this.config.messagesPerSecond) },
      }),
      runRetryDelay: RETRY_AFTER,
      // with BullMQ's defaults the job of a killed worker waits for a minute, with ours for 15 s at most
      lockDuration: this.config.jobLock,
      stalledInterval: this.config.takeOverEvery,
      maxStalledCount: TAKEN_OVER,
    });
    worker.on('error', (error) => this.logger.warn(`queue ${name}: ${error.message}`));
    return worker;
  }

  private async run(job: Job<JobData>): Promise<void> {
    const id = job.id ?? job.name;
    const { outbox } = job.data;
    if (outbox !== undefined) return this.runRow(outbox, id, job.name);
    await this.handle(job.name, {}, { id, createdAt: new Date(job.timestamp) }, id);
    lastSchedulerTick.setToCurrentTime();
    const written = this.queues.redis.set(SYSTEM_KEYS.lastSchedulerTick, new Date().toISOString());
    await redisAnswer(written, 'recording a scheduled job');
  }

  private async runRow(outbox: OutboxName, id: string, name: string): Promise<void> {
    const row = await this.outbox.findOpen(outbox, id);
    if (row === null) return; // done by an earlier attempt, or superseded by a newer job
    let outcome: void | MailOutcome;
    try {
      outcome = await this.handle(name, row.payload, { id, createdAt: row.createdAt }, row.requestId ?? id);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (error instanceof GivenUp) return this.outbox.markGivenUp(outbox, id, reason);
      await this.outbox.recordFailure(outbox, id, reason);
      throw error;
    }
    // a sent mail must not be sent again because the database was away when it had to be marked
    await retry(() => this.outbox.markDone(outbox, id, outcome === 'skipped'));
  }

  /** Log lines of the handler carry the id of the request that caused the work. */
  private async handle(
    name: string,
    payload: object,
    context: JobContext,
    requestId: string,
  ): Promise<void | MailOutcome> {
    const ended = jobSeconds.startTimer({ job: name });
    return runInCall(new StartedCall({ requestId, timeLeft: TIME_LEFT }), async () => {
      try {
        const outcome = await this.registry.find(name).handler.handle(payload, context);
        ended({ outcome: 'done' });
        return outcome;
      } catch (error) {
        ended({ outcome: error instanceof GivenUp ? 'given-up' : 'failed' });
        this.logger.warn({ msg: 'a job failed', err: error, job: name, jobId: context.id });
        throw error;
      }
    });
  }
}
