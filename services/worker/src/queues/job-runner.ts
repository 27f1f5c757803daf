import { QUEUES, SYSTEM_KEYS, type QueueName } from '@meetmark/contracts';
import { runInCall, StartedCall } from '@meetmark/platform';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Worker, type ConnectionOptions, type Job } from 'bullmq';
import { GivenUp, type JobContext, type MailOutcome } from '../jobs/job-handler.js';
import { JobRegistry } from '../jobs/job-registry.js';
import { jobSeconds, lastSchedulerTick } from '../metrics/worker-metrics.js';
import { Outbox, type OutboxName } from '../outbox/outbox.js';
import { WorkerConfig } from '../worker.config.js';
import { Attention } from './attention.js';
import { insist } from './insist.js';
import { JobQueues, type JobData } from './job-queues.js';
import { redisAnswer } from './redis-answer.js';

/**
 * Milliseconds. BullMQ's own figures leave the job of a killed worker alone for a minute; with these another worker takes it over
 * within 15 s: once the lock is over it may be two intervals until the next look, for the last look of the killed one counts
 * too. Three deaths over one job are allowed before the sweeper has to bring it back.
 */
const TAKE_OVER = { lockDuration: 8_000, stalledInterval: 3_000, maxStalledCount: 3 };
/** Milliseconds until a worker looks at a Redis again that refused it. */
const RETRY_AFTER = 1_000;
/** The jobs of the other queues are short and few. */
const CONCURRENCY = 2;
/** Milliseconds that a job is granted; told to what it calls. Slow mail servers have their own limits. */
const TIME_LEFT = 60_000;

/** Takes jobs from the queues and lets their handlers do them. */
@Injectable()
export class JobRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(JobRunner.name);
  private workers: Worker<JobData>[] = [];

  constructor(
    private readonly config: WorkerConfig,
    private readonly queues: JobQueues,
    private readonly registry: JobRegistry,
    private readonly outbox: Outbox,
    private readonly attention: Attention,
  ) {}

  onApplicationBootstrap(): void {
    this.workers = QUEUES.map((name) => this.workerFor(name));
  }

  /** Takes no new job, finishes those it has. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.pause(true)));
    await this.attention.idle();
    // an orderly close would wait for a Redis that is away
    await Promise.all(this.workers.map((worker) => worker.close(!this.queues.connected)));
  }

  private workerFor(name: QueueName): Worker<JobData> {
    const worker = new Worker<JobData>(name, (job) => this.attention.during(name, this.run(job)), {
      connection: this.queues.redis as ConnectionOptions,
      prefix: this.config.queuePrefix,
      concurrency: name === 'mail' ? this.config.mailConcurrency : CONCURRENCY,
      runRetryDelay: RETRY_AFTER,
      ...TAKE_OVER,
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
    const told = this.queues.redis.set(SYSTEM_KEYS.lastSchedulerTick, new Date().toISOString());
    await redisAnswer(told, 'telling of a scheduled job');
  }

  private async runRow(outbox: OutboxName, id: string, name: string): Promise<void> {
    const row = await this.outbox.findOpen(outbox, id);
    if (row === null) return; // done by an earlier attempt, or taken over by a newer job
    let outcome: void | MailOutcome;
    try {
      outcome = await this.handle(name, row.payload, { id, createdAt: row.createdAt }, row.requestId ?? id);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (error instanceof GivenUp) return this.outbox.markGivenUp(outbox, id, reason);
      await this.outbox.recordFailure(outbox, id, reason);
      throw error;
    }
    // a mail that is out must not go out again because the database was away when it was to be marked
    await insist(() => this.outbox.markDone(outbox, id, outcome === 'skipped'));
  }

  /** Log lines of the handler carry the id of the request that asked for the work. */
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
