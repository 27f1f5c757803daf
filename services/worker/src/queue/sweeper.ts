import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { OutboxReader, OUTBOXES, type OutboxName, type RelayableRow } from '@meetmark/platform';
import { WorkerConfig } from '../worker.config.js';
import { JobQueues } from './job-queues.js';
import { JobRegistry } from './job-registry.js';
import { Repeating } from './repeating.js';

/** Milliseconds. */
const RELAYED_BEFORE = 20_000;
/** A mail older than this is not sent any more: its row stays, with the last error, for the administrators. */
const NOT_OLDER_THAN = 24 * 3_600_000;
const BATCH = 500;

/**
 * Puts lost jobs back into the queues: those that Redis forgot (emptied, restored from an old copy) and those whose attempts are used
 * up. PostgreSQL records what is open, so a loss in Redis loses no mail.
 */
@Injectable()
export class OutboxSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(OutboxSweeper.name);
  private readonly sweeps = new Repeating(
    this.config.lookEvery,
    () => this.sweep(),
    (error) => this.logger.warn({ msg: 'the outbox could not be swept', err: error }),
  );

  constructor(
    private readonly config: WorkerConfig,
    private readonly outbox: OutboxReader,
    private readonly queues: JobQueues,
    private readonly registry: JobRegistry,
  ) {}

  onApplicationBootstrap(): void {
    this.sweeps.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.sweeps.stop();
  }

  /** @param relayedBefore milliseconds before a job can count as lost */
  async sweep(relayedBefore = RELAYED_BEFORE): Promise<void> {
    if (!this.queues.connected) return;
    const jobs = this.registry.jobs.map((job) => job.name);
    for (const name of OUTBOXES) {
      let rows: RelayableRow[] = [];
      do {
        const query = { relayedBefore, notOlderThan: NOT_OLDER_THAN, after: rows.at(-1), limit: BATCH };
        rows = await this.outbox.findOverdue(name, jobs, query);
        await this.putBack(name, rows);
      } while (rows.length === BATCH);
    }
  }

  private async putBack(name: OutboxName, rows: RelayableRow[]): Promise<void> {
    const lost = await this.queues.missing(rows);
    if (lost.length === 0) return;
    await this.queues.add(name, lost);
    await this.outbox.markRelayedAgain(
      name,
      lost.map((row) => row.id),
    );
    this.logger.log(`${lost.length} jobs of ${name} put back into their queues`);
  }
}
