import { QUEUES, type QueueName } from '@meetmark/contracts';
import { ConsumerHealth } from '@meetmark/platform/rpc/heartbeat';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Repeating } from '../outbox/repeating.js';
import { JobQueues } from './job-queues.js';
import { redisAnswer } from './redis-answer.js';

/** Milliseconds. */
const LOOK_EVERY = 5_000;

/**
 * Whether this worker still takes jobs: BullMQ waits for those of each queue on a connection of its own. Where one of them
 * never comes back, jobs wait although Redis answers and nothing is being done, and only a new start helps.
 */
@Injectable()
export class Attention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Attention.name);
  private readonly health = new Map(QUEUES.map((name) => [name, new ConsumerHealth()]));
  private readonly busy = new Map<Promise<void>, QueueName>();
  private readonly looks = new Repeating(
    LOOK_EVERY,
    () => this.look(),
    (error) => this.logger.warn({ msg: 'the queues could not be looked at', err: error }),
  );

  constructor(private readonly queues: JobQueues) {}

  onApplicationBootstrap(): void {
    this.looks.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.looks.stop();
  }

  get deaf(): boolean {
    return [...this.health.values()].some((health) => health.stalled);
  }

  /** Whoever works has heard, however long it takes. */
  async during(name: QueueName, work: Promise<void>): Promise<void> {
    this.busy.set(work, name);
    this.health.get(name)?.recordPull();
    try {
      await work;
    } finally {
      this.busy.delete(work);
    }
  }

  /** Resolves when what is being done has ended, well or not. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.busy.keys());
  }

  async look(): Promise<void> {
    const busy = new Set(this.busy.values());
    for (const [name, health] of this.health)
      if (busy.has(name) || !(await this.jobsWait(name))) health.reset();
  }

  /** Nor do they where Redis does not answer: a new start would not help. */
  private async jobsWait(name: QueueName): Promise<boolean> {
    try {
      await this.queues.ping();
      const count = this.queues.get(name).getJobCountByTypes('wait', 'prioritized');
      return (await redisAnswer(count, 'counting jobs')) > 0;
    } catch (error) {
      this.logger.debug({ msg: 'Redis did not answer', err: error });
      return false;
    }
  }
}
