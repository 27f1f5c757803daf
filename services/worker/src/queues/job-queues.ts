import { DEADLINES, QUEUES, type QueueName } from '@meetmark/contracts';
import { answerWithin, redisConnection } from '@meetmark/platform/redis/connection';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Queue, type BulkJobOptions, type ConnectionOptions } from 'bullmq';
import type { RedisOptions } from 'ioredis';
import { JobRegistry } from '../jobs/job-registry.js';
import type { OutboxName } from '../outbox/outbox.js';
import { WorkerConfig } from '../worker.config.js';
import { redisAnswer } from './redis-answer.js';

/** What Redis holds of a job: where its row is. The payload stays in PostgreSQL, so no address ever reaches Redis. */
export interface JobData {
  /** Absent in scheduled jobs, which have no row. */
  outbox?: OutboxName;
}

/** Milliseconds: 1, 2, 4, 8 and 16 s between attempts, each shortened by up to half; then the sweeper begins anew. */
const BACKOFF = { type: 'exponential', delay: 1_000, jitter: 0.5 } as const;
const ATTEMPTS = 6;

/** The BullMQ queues as producers see them. */
@Injectable()
export class JobQueues implements OnApplicationShutdown {
  /**
   * Comes back for ever. BullMQ demands that its commands wait for Redis (PATIENT); `redisAnswer` is what bounds ours. Its workers
   * wait for jobs on duplicates of it, which must not hang on a silent Redis either.
   */
  readonly redis;
  private readonly queues;

  constructor(
    config: WorkerConfig,
    private readonly registry: JobRegistry,
  ) {
    const connect = (more?: RedisOptions) => redisConnection(config.redisUrl, { ...PATIENT, ...more });
    this.redis = Object.assign(connect(), { duplicate: connect });
    const options = { connection: this.redis as ConnectionOptions, prefix: config.queuePrefix };
    this.queues = new Map(QUEUES.map((name) => [name, new Queue<JobData>(name, options)]));
    for (const queue of this.queues.values()) queue.on('error', () => undefined); // readiness tells
  }

  get connected(): boolean {
    return this.redis.status === 'ready';
  }

  /** Throws when Redis does not answer, and ends the silent connection: there will be a new one. */
  async ping(): Promise<void> {
    if (!this.connected) throw new Error('not connected');
    const answer = answerWithin(this.redis, this.redis.ping(), DEADLINES.redisCommand);
    await redisAnswer(answer, 'asking Redis');
  }

  get(name: QueueName): Queue<JobData> {
    const queue = this.queues.get(name);
    if (queue === undefined) throw new Error(`unknown queue ${name}`);
    return queue;
  }

  /** Adds the rows' jobs, each under its row's id: adding what is there already changes nothing. */
  async add(outbox: OutboxName, rows: { id: string; job: string }[]): Promise<void> {
    for (const name of QUEUES) {
      const ours = rows.filter(({ job }) => this.registry.find(job).job.queue === name);
      if (ours.length === 0) continue;
      const jobs = ours.map(({ id, job }) => ({ name: job, data: { outbox }, opts: this.options(job, id) }));
      await redisAnswer(this.get(name).addBulk(jobs), `adding to the queue ${name}`);
    }
  }

  /** The rows of which no queue knows anything. */
  async missing<Row extends { id: string; job: string }>(rows: Row[]): Promise<Row[]> {
    if (rows.length === 0) return [];
    const keys = rows.map(({ id, job }) => this.get(this.registry.find(job).job.queue).toKey(id));
    const lookups = this.redis.pipeline(keys.map((key) => ['exists', key]));
    const answers = await redisAnswer(lookups.exec(), 'looking for jobs');
    return rows.filter((_, index) => answers?.[index]?.[1] === 0);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
    this.redis.disconnect();
  }

  private options(job: string, jobId: string): BulkJobOptions {
    const { priority = 0 } = this.registry.find(job).options;
    return { jobId, attempts: ATTEMPTS, backoff: BACKOFF, priority, ...LEAVE_NO_TRACE };
  }
}

const PATIENT: RedisOptions = { lazyConnect: false, maxRetriesPerRequest: null };
/** What is done or has failed for good goes from Redis at once: the outbox row says what became of it. */
const LEAVE_NO_TRACE = { removeOnComplete: true, removeOnFail: true } as const;
