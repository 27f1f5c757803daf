import { type QueueName, QUEUES } from '@meetmark/contracts';
import { ConsumerHealth } from '@meetmark/platform/rpc/heartbeat';
import { Injectable, Logger } from '@nestjs/common';
import { JobQueues, type QueueCounts } from './job-queues.js';

/**
 * Whether this worker still takes jobs. BullMQ waits for the jobs of each queue on a connection of its own. When one of them never
 * returns, jobs wait although Redis answers and nothing runs, and only a restart helps.
 */
@Injectable()
export class WorkerLiveness {
  private readonly logger = new Logger(WorkerLiveness.name);
  private readonly health = new Map(QUEUES.map((name) => [name, new ConsumerHealth()]));
  private readonly busy = new Map<Promise<void>, QueueName>();

  constructor(private readonly queues: JobQueues) {}

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

  /**
   * To be called every few seconds. Returns what it has counted, for who shows it; null without an answer of Redis, where a restart would
   * not help.
   */
  async check(): Promise<Map<QueueName, QueueCounts> | null> {
    if (!this.queues.connected) return this.reset();
    const busy = new Set(this.busy.values());
    try {
      const [counts] = await Promise.all([this.queues.counts(), this.queues.ping()]);
      for (const [name, health] of this.health) {
        const { wait = 0, prioritized = 0 } = counts.get(name) ?? {};
        if (busy.has(name) || wait + prioritized === 0) health.reset();
      }
      return counts;
    } catch (error) {
      this.logger.warn({ msg: 'the queues could not be counted', err: error });
      return this.reset();
    }
  }

  private reset(): null {
    for (const health of this.health.values()) health.reset();
    return null;
  }
}
