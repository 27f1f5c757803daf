import { DEADLINES, type QueueName, QUEUES } from '@meetmark/contracts';
import { answerWithin, redisConnection } from '@meetmark/platform/redis/connection';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type BulkJobOptions, type ConnectionOptions, Queue } from 'bullmq';
import type { RedisOptions } from 'ioredis';
import pTimeout from 'p-timeout';
import type { OutboxName } from '@meetmark/platform';
import { WorkerConfig } from '../worker.config.js';
import { JobRegistry } from './job-registry.js';

export type QueueCounts = Awaited<ReturnType<Queue['getJobCounts']>>;

/** Each queue has its share of the mail server connections, so that bulk email doesn't delay other email. */
export const MAIL_QUEUES: readonly QueueName[] = ['mail', 'messages', 'announcements'];

/** Excludes the payload, so that Redis stores no email addresses. */
export interface JobData {
  /** Missing in scheduled jobs, because they have no outbox row. */
  outbox?: OutboxName;
}

/** BullMQ retries only jobs whose result couldn't be recorded. The outbox retries all other failures. */
const ATTEMPTS = 6;
const JITTER = 0.5;

@Injectable()
export class JobQueues implements OnApplicationShutdown {
  /**
   * With this connection, commands wait for Redis without a time limit, because BullMQ requires that.
   * `redisAnswer` limits the wait of our own commands. BullMQ's workers use copies of this connection.
   */
  readonly redis;
  private readonly queues;

  constructor(
    private readonly config: WorkerConfig,
    private readonly registry: JobRegistry,
  ) {
    const connect = (more?: RedisOptions) => redisConnection(config.redisUrl, { ...WAITING, ...more });
    this.redis = Object.assign(connect(), { duplicate: connect });
    const options = { connection: this.redis as ConnectionOptions, prefix: config.queuePrefix };
    this.queues = new Map(QUEUES.map((name) => [name, new Queue<JobData>(name, options)]));
    for (const queue of this.queues.values()) queue.on('error', () => undefined); // Readiness reports errors.
  }

  get connected(): boolean {
    return this.redis.status === 'ready';
  }

  /** @throws Error if Redis doesn't answer. A new connection then replaces the silent one. */
  async ping(): Promise<void> {
    if (!this.connected) throw new Error('not connected');
    const answer = answerWithin(this.redis, this.redis.ping(), DEADLINES.redisCommand);
    await redisAnswer(answer, 'a ping');
  }

  get(name: QueueName): Queue<JobData> {
    const queue = this.queues.get(name);
    if (queue === undefined) throw new Error(`unknown queue ${name}`);
    return queue;
  }

  /** Adding a row twice has no effect, because the job has the row's id. */
  async add(outbox: OutboxName, rows: { id: string; job: string }[]): Promise<void> {
    for (const name of QUEUES) {
      const ours = rows.filter(({ job }) => this.registry.find(job).job.queue === name);
      if (ours.length === 0) continue;
      const jobs = ours.map(({ id, job }) => ({ name: job, data: { outbox }, opts: this.options(job, id) }));
      await redisAnswer(this.get(name).addBulk(jobs), `adding to the queue ${name}`);
    }
  }

  async counts(): Promise<Map<QueueName, QueueCounts>> {
    const each = [...this.queues].map(async ([name, queue]) => {
      const counts = queue.getJobCounts('wait', 'prioritized', 'active', 'delayed', 'failed');
      return [name, await redisAnswer(counts, `counting the jobs of ${name}`)] as const;
    });
    return new Map(await Promise.all(each));
  }

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
    const backoff = { type: 'exponential', delay: this.config.retryAfter, jitter: JITTER };
    return { jobId, attempts: ATTEMPTS, backoff, priority, ...DROP_FINISHED };
  }
}

const WAITING: RedisOptions = { lazyConnect: false, maxRetriesPerRequest: null };
/** Redis needn't keep finished jobs, because the outbox row records the result. */
const DROP_FINISHED = { removeOnComplete: true, removeOnFail: true } as const;

/**
 * Limits the wait for an answer. Redis may run the command after the limit, so running a command twice must
 * be harmless.
 * @param what the command, for the error message
 */
export const redisAnswer = <T>(answer: Promise<T>, what: string): Promise<T> =>
  pTimeout(answer, {
    milliseconds: DEADLINES.redisCommand,
    message: `${what} took longer than ${DEADLINES.redisCommand} ms`,
  });
