import { Injectable } from '@nestjs/common';
import { OutboxReader, OUTBOXES, type OutboxName, type OverdueRow } from '@meetmark/platform';
import { WorkerConfig } from '../worker.config.js';
import { JobQueues } from './job-queues.js';
import { JobRegistry } from './job-registry.js';
import { Repeating } from './repeating.js';

/** Milliseconds after which a relayed job can count as lost. */
const RELAYED_BEFORE = 20_000;
const BATCH = 500;

/** Queues a job again if Redis lost it or if its failure couldn't be recorded. Gives up a job after a day. */
@Injectable()
export class OutboxSweeper extends Repeating {
  constructor(
    config: WorkerConfig,
    private readonly outbox: OutboxReader,
    private readonly queues: JobQueues,
    private readonly registry: JobRegistry,
  ) {
    super(config.lookEvery, 'the outbox could not be swept');
  }

  protected work(): Promise<void> {
    return this.sweep();
  }

  async sweep(relayedBefore = RELAYED_BEFORE): Promise<void> {
    if (!this.queues.connected) return;
    const jobs = this.registry.jobs.map((job) => job.name);
    for (const name of OUTBOXES) {
      let rows: OverdueRow[] = [];
      do {
        const query = { relayedBefore, after: rows.at(-1), limit: BATCH };
        rows = await this.outbox.findOverdue(name, jobs, query);
        await this.putBack(name, rows);
      } while (rows.length === BATCH);
    }
  }

  private async putBack(name: OutboxName, rows: OverdueRow[]): Promise<void> {
    const missing = await this.queues.missing(rows);
    const lost = missing.filter((row) => !row.expired);
    const expired = missing.filter((row) => row.expired);
    if (lost.length > 0) {
      await this.queues.add(name, lost);
      await this.outbox.markRelayedAgain(name, getIds(lost));
      this.logger.log(`Requeued ${lost.length} lost jobs of ${name}`);
    }
    if (expired.length > 0) {
      await this.outbox.markExpired(name, getIds(expired));
      this.logger.warn(`Gave up ${expired.length} jobs of ${name} that were not done within 24 hours`);
    }
  }
}

const getIds = (rows: OverdueRow[]) => rows.map(({ id }) => id);
