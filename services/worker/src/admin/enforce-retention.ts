import {
  type CommunitySettings,
  EnforceRetention,
  RETENTION_SETTINGS,
  type RetentionRun,
  type RetentionSetting,
} from '@meetmark/contracts';
import { InjectCommunity } from '@meetmark/platform';
import { Injectable, Logger } from '@nestjs/common';
import { DateTime } from 'luxon';
import { DataSource } from 'typeorm';
import { FollowDeletedAccountJob } from '../events/follow-deleted-account.js';
import { HandlesJob } from '../queue/job-handler.js';

/** Local hours. If a run fails, the next hour's job tries again. */
const NIGHT = { from: 2, until: 6 };

export function isNight(now: Date, timeZone: string): boolean {
  const { hour } = DateTime.fromJSDate(now, { zone: timeZone });
  return hour >= NIGHT.from && hour < NIGHT.until;
}

/** Each function removes one batch and returns the number of rows, or 0 if nothing is left. */
const FUNCTIONS: Record<RetentionSetting, string> = {
  auditNamesDays: 'admin.forget_audit_names',
  answersDays: 'events.forget_answers',
  checkInsDays: 'events.forget_check_ins',
  unconfirmedAccountsDays: 'auth.delete_unconfirmed_account',
};

@Injectable()
export class EnforceRetentionJob {
  private readonly logger = new Logger(EnforceRetentionJob.name);

  constructor(
    private readonly dataSource: DataSource,
    @InjectCommunity() private readonly community: Pick<CommunitySettings, 'timeZone' | RetentionSetting>,
    private readonly followDeletedAccount: FollowDeletedAccountJob,
  ) {}

  @HandlesJob(EnforceRetention)
  async handle(): Promise<void> {
    if (isNight(new Date(), this.community.timeZone) && !(await this.ranThisNight())) await this.run();
  }

  /** Records the run only if every kind succeeded. */
  async run(): Promise<void> {
    const removed: RetentionRun['removed'] = {};
    const failures: unknown[] = [];
    for (const setting of RETENTION_SETTINGS) {
      const days = this.community[setting];
      if (days === null) continue;
      try {
        removed[setting] = await this.remove(FUNCTIONS[setting], days);
      } catch (error) {
        failures.push(error);
      }
    }
    if (removed.unconfirmedAccountsDays) await this.followDeletedAccount.handle();
    if (failures.length > 0)
      throw new AggregateError(failures, `${failures.length} parts of the retention failed`);
    if (Object.keys(removed).length > 0) await this.record(removed);
  }

  private async remove(name: string, days: number): Promise<number> {
    let total = 0;
    let count: number;
    do {
      const [batch] = await this.dataSource.query<[{ count: number }]>(`SELECT ${name}($1) AS count`, [days]);
      count = batch.count;
      total += count;
    } while (count > 0);
    return total;
  }

  private async ranThisNight(): Promise<boolean> {
    const runs = await this.dataSource.query<unknown[]>(
      "SELECT FROM admin.retention_run WHERE ran_at > now() - interval '12 hours'",
    );
    return runs.length > 0;
  }

  private async record(removed: RetentionRun['removed']): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO admin.retention_run (removed) VALUES ($1)
       ON CONFLICT (is_last) DO UPDATE SET removed = excluded.removed, ran_at = now()`,
      [removed],
    );
    this.logger.log({ msg: 'Deleted old data', ...removed });
  }
}
