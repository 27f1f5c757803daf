import { Injectable } from '@nestjs/common';
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

/** Milliseconds between polls while rows are due. Without due rows, the relay polls less often. */
const SOON = 1_000;
const BATCH = 100;

/**
 * Adds due outbox rows to the job queues. Several relays may run, because each locks its rows. Adding a row
 * twice has no effect, because the job id is the same.
 */
@Injectable()
export class OutboxRelay extends Repeating {
  constructor(
    private readonly config: WorkerConfig,
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxReader,
    private readonly queues: JobQueues,
    private readonly registry: JobRegistry,
    listener: DatabaseListener,
  ) {
    super(SOON, 'the outbox could not be relayed');
    listener.listen(OUTBOX_CHANNEL, this.wake);
  }

  protected async work(): Promise<void> {
    this.every = SOON;
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
    // A row that is still due failed or is handled by another relay. In this case, the relay polls again
    // soon.
    if (next > 0) this.every = Math.min(next, this.config.lookEvery);
  }

  private relayBatch(name: OutboxName, jobs: string[]): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const rows = await this.outbox.takeWaiting(manager, name, jobs, BATCH);
      await this.queues.add(name, rows);
      return rows.length;
    });
  }
}
