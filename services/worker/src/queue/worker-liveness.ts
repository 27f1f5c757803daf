import { type QueueName, QUEUES } from '@meetmark/contracts';
import { ConsumerHealth } from '@meetmark/platform/rpc/heartbeat';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { JobQueues, redisAnswer } from './job-queues.js';
import { Repeating } from './repeating.js';

/** Milliseconds. */
const CHECK_INTERVAL = 5_000;

/**
 * Whether this worker still takes jobs. BullMQ waits for the jobs of each queue on a connection of its own. When one of them never
 * returns, jobs wait although Redis answers and nothing runs, and only a restart helps.
 */
@Injectable()
export class WorkerLiveness implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(WorkerLiveness.name);
  private readonly health = new Map(QUEUES.map((name) => [name, new ConsumerHealth()]));
  private readonly busy = new Map<Promise<void>, QueueName>();
  private readonly checks = new Repeating(
    CHECK_INTERVAL,
    () => this.check(),
    (error) => this.logger.warn({ msg: 'the queues could not be checked', err: error }),
  );

  constructor(private readonly queues: JobQueues) {}

  onApplicationBootstrap(): void {
    this.checks.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.checks.stop();
  }

  get stalled(): boolean {
    return [...this.health.values()].some((health) => health.stalled);
  }

  /** A queue with running work is alive, however long the work takes. */
  async during(name: QueueName, work: Promise<void>): Promise<void> {
    this.busy.set(work, name);
    this.health.get(name)?.recordPull();
    try {
      await work;
    } finally {
      this.busy.delete(work);
    }
  }

  /** Resolves when all running work has ended, successfully or not. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.busy.keys());
  }

  async check(): Promise<void> {
    const busy = new Set(this.busy.values());
    const answers = await this.answers(() => this.queues.ping());
    for (const [name, health] of this.health)
      if (!answers || busy.has(name) || !(await this.jobsWait(name))) health.reset();
  }

  private async jobsWait(name: QueueName): Promise<boolean> {
    let waiting = 0;
    await this.answers(async () => {
      const count = this.queues.get(name).getJobCountByTypes('wait', 'prioritized');
      waiting = await redisAnswer(count, 'counting jobs');
    });
    return waiting > 0;
  }

  /** False without an answer of Redis, where a restart would not help. */
  private async answers(ask: () => Promise<void>): Promise<boolean> {
    try {
      await ask();
      return true;
    } catch (error) {
      this.logger.debug({ msg: 'Redis did not answer', err: error });
      return false;
    }
  }
}
