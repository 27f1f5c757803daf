import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { JobRegistry } from '../jobs/job-registry.js';
import { JobQueues } from '../queues/job-queues.js';
import { CommitListener } from './commit-listener.js';
import { Outbox, OUTBOXES, type OutboxName } from './outbox.js';
import { Repeating } from './repeating.js';

/** Milliseconds between looks; a notification comes sooner. */
const LOOK_EVERY = 1_000;
const BATCH = 100;

/**
 * Moves committed outbox rows to the job queues. Any number of relays may run: a row is locked while one of them has it,
 * and marked as relayed only once Redis has it. Should the mark be lost, the row goes to the queue a second time under
 * the same job id, which is no second job.
 */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(OutboxRelay.name);
  private readonly looks = new Repeating(
    LOOK_EVERY,
    () => this.relayAll(),
    (error) => this.logger.warn({ msg: 'the outbox could not be relayed', err: error }),
  );

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly queues: JobQueues,
    private readonly registry: JobRegistry,
    private readonly commits: CommitListener,
  ) {}

  onApplicationBootstrap(): void {
    this.looks.start();
    this.commits.start(() => this.looks.wake());
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.commits.stop(), this.looks.stop()]);
  }

  /** Everything that waits at this moment. Does nothing while Redis is away: the rows are safe where they are. */
  async relayAll(): Promise<void> {
    for (const name of OUTBOXES) {
      let relayed = BATCH;
      while (relayed === BATCH && this.queues.connected) relayed = await this.relayBatch(name);
    }
  }

  private relayBatch(name: OutboxName): Promise<number> {
    const jobs = this.registry.jobs.map((job) => job.name);
    return this.dataSource.transaction(async (manager) => {
      const rows = await this.outbox.takeWaiting(manager, name, jobs, BATCH);
      await this.queues.add(name, rows);
      return rows.length;
    });
  }
}
