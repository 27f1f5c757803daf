import { type QueueName, QUEUES } from '@meetmark/contracts';
import { ConsumerHealth } from '@meetmark/platform/rpc/heartbeat';
import { Injectable, Logger } from '@nestjs/common';
import { JobQueues, type QueueCounts } from './job-queues.js';

/**
 * Detects a stall: BullMQ no longer fetches jobs although Redis answers. Only a restart helps against a
 * stall.
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

  async during(name: QueueName, work: Promise<void>): Promise<void> {
    this.busy.set(work, name);
    this.health.get(name)?.recordPull();
    try {
      await work;
    } finally {
      this.busy.delete(work);
    }
  }

  async idle(): Promise<void> {
    await Promise.allSettled(this.busy.keys());
  }

  /**
   * Runs every few seconds. If Redis doesn't answer, returns null and reports no stall, because a restart
   * wouldn't help.
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
      this.logger.warn({ msg: 'Could not count the jobs in the queues', err: error });
      return this.reset();
    }
  }

  private reset(): null {
    for (const health of this.health.values()) health.reset();
    return null;
  }
}
