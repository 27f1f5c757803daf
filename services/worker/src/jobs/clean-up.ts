import { CleanUp } from '@meetmark/contracts';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RegistrationActivity } from '../activity/registration-activity.js';
import { EXPIRED, expiredAudit, type Expired } from '../housekeeping/expired.js';
import { UnverifiedAccounts } from '../housekeeping/unverified-accounts.js';
import { WorkerConfig } from '../worker.config.js';
import { HandlesJob, type JobHandler } from './job-handler.js';

/** Rows removed by one statement: no lock is held for long. */
const BATCH = 1_000;

/** Removes what has expired and the accounts that nobody verified, and settles the activity of days long past (unregistering and deletions change them too). */
@HandlesJob(CleanUp)
export class CleanUpJob implements JobHandler {
  private readonly logger = new Logger(CleanUpJob.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly activity: RegistrationActivity,
    private readonly config: WorkerConfig,
    private readonly unverified: UnverifiedAccounts,
  ) {}

  /** One part that fails does not keep the others from being done. */
  async handle(): Promise<void> {
    const failures: unknown[] = [];
    const attempt = (work: Promise<void>) => work.catch((error: unknown) => void failures.push(error));
    for (const expired of [...EXPIRED, expiredAudit(this.config.auditRetentionDays)])
      await attempt(this.remove(expired));
    await attempt(this.unverified.settle());
    await attempt(this.activity.rollUp());
    if (failures.length > 0)
      throw new AggregateError(failures, `${failures.length} parts of the clean-up failed`);
  }

  private async remove({ table, key, rows }: Expired): Promise<void> {
    let removed = BATCH;
    let total = 0;
    while (removed === BATCH) {
      const [, count] = await this.dataSource.query<[unknown[], number]>(
        `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${rows} LIMIT ${BATCH})`,
      );
      removed = count;
      total += count;
    }
    if (total > 0) this.logger.log(`${total} rows of ${table} had expired`);
  }
}
