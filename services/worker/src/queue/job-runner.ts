import { type OutboxName, OutboxReader, runInCall, StartedCall } from '@meetmark/platform';
import { Injectable, Logger } from '@nestjs/common';
import { WorkerConfig } from '../worker.config.js';
import { GivenUp, type JobContext, type MailOutcome } from './job-handler.js';
import { JobRegistry } from './job-registry.js';
import { jobSeconds } from './metrics.js';
import { retry } from './retry.js';

/** Deadline in milliseconds for the calls that a job makes. The mail transport has its own timeouts. */
const TIME_LEFT = 60_000;

@Injectable()
export class JobRunner {
  private readonly logger = new Logger(JobRunner.name);

  constructor(
    private readonly config: WorkerConfig,
    private readonly registry: JobRegistry,
    private readonly outbox: OutboxReader,
  ) {}

  async runRow(outbox: OutboxName, id: string, name: string): Promise<void> {
    const row = await this.outbox.findOpen(outbox, id);
    if (row === null) return;
    let outcome: void | MailOutcome;
    try {
      outcome = await this.handle(row.payload, { id, name, createdAt: row.createdAt }, row.requestId ?? id);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (error instanceof GivenUp) return this.outbox.markGivenUp(outbox, id, reason);
      const ended = await this.outbox.recordFailure(outbox, id, reason, this.config.retryAfter);
      if (ended) this.logger.error({ msg: 'Gave up a job that failed for 24 hours', job: name, jobId: id });
      return;
    }
    if (outcome instanceof Date) return this.outbox.defer(outbox, id, outcome);
    // If this write failed, the email would be sent again. So the write is retried.
    await retry(() => this.outbox.markDone(outbox, id, outcome === 'skipped'));
  }

  async runScheduled(context: JobContext): Promise<void> {
    await this.handle({}, context, context.id);
  }

  private async handle(payload: object, context: JobContext, requestId: string): Promise<void | MailOutcome> {
    const { name } = context;
    const ended = jobSeconds.startTimer({ job: name });
    return runInCall(new StartedCall({ requestId, timeLeft: TIME_LEFT }), async () => {
      try {
        const outcome = await this.registry.find(name).handler.handle(payload, context);
        ended({ outcome: 'done' });
        return outcome;
      } catch (error) {
        ended({ outcome: error instanceof GivenUp ? 'given-up' : 'failed' });
        this.logger.warn({ msg: 'Job failed', err: error, job: name, jobId: context.id });
        throw error;
      }
    });
  }
}
