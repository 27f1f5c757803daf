import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  DatabaseListener,
  OUTBOX_CHANNEL,
  type OutboxName,
  OutboxReader,
  OUTBOXES,
} from '@meetmark/platform';
import { WorkerConfig } from '../worker.config.js';
import { JobQueues } from './job-queues.js';
import { JobRegistry } from './job-registry.js';
import { Repeating } from './repeating.js';

/** Milliseconds until the next poll at the latest where something is due. Otherwise a commit is heard of, and one that was missed while the listener was away when it is back. */
const SOON = 1_000;
const BATCH = 100;

/**
 * Moves committed outbox rows to the job queues. Any number of relays may run: one locks a row, and marks it as relayed once Redis has
 * it. If the mark is lost, the row enters the queue again under the same job id, which adds no second job.
 */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(OutboxRelay.name);
  /** Milliseconds until the next poll. */
  private pause = SOON;
  private readonly polls = new Repeating(
    () => this.pause,
    () => this.relayAll(),
    (error) => this.logger.warn({ msg: 'the outbox could not be relayed', err: error }),
  );

  constructor(
    private readonly config: WorkerConfig,
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxReader,
    private readonly queues: JobQueues,
    private readonly registry: JobRegistry,
    listener: DatabaseListener,
  ) {
    listener.listen(OUTBOX_CHANNEL, () => this.polls.wake());
  }

  onApplicationBootstrap(): void {
    this.polls.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.polls.stop();
  }

  /** Relays everything that is due. Does nothing while Redis is away: the rows stay in PostgreSQL. */
  private async relayAll(): Promise<void> {
    this.pause = SOON;
    const jobs = this.registry.jobs.map((job) => job.name);
    let due = await this.outbox.untilDue(jobs);
    if (OUTBOXES.some((name) => due[name] <= 0)) {
      for (const name of OUTBOXES) {
        let relayed = due[name] <= 0 ? BATCH : 0;
        while (relayed === BATCH && this.queues.connected) relayed = await this.relayBatch(name, jobs);
      }
      due = await this.outbox.untilDue(jobs);
    }
    const next = Math.min(...Object.values(due));
    // what is still due could not be relayed, or another relay has it
    if (next > 0) this.pause = Math.min(next, this.config.lookEvery);
  }

  private relayBatch(name: OutboxName, jobs: string[]): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const rows = await this.outbox.takeWaiting(manager, name, jobs, BATCH);
      await this.queues.add(name, rows);
      return rows.length;
    });
  }
}
