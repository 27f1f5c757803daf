import { type Community, RollUpActivity, REGISTERED } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { InjectCommunity } from '@meetmark/platform';
import { HandlesJob } from '../queue/job-handler.js';

const LOCK = 5_120_233_417;

/** Days that a regular roll-up recounts. No statistic covers more days. CleanUpJob recounts all days. */
const DAYS = 40;

@Injectable()
export class RegistrationActivity {
  constructor(
    private readonly dataSource: DataSource,
    @InjectCommunity() private readonly community: Pick<Community, 'timeZone'>,
  ) {}

  /**
   * Recounts the registrations of the last `days` days, or of all days if omitted. The counts are correct
   * even if several workers run this at the same time.
   */
  async rollUp(days?: number): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // An earlier count must not overwrite a later one. The lock is a separate statement, so that the count
      // sees everything committed before the lock was granted.
      await manager.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
      await manager.query(ROLL_UP, [this.community.timeZone, days ?? null]);
    });
  }

  @HandlesJob(RollUpActivity)
  rollUpRecent(): Promise<void> {
    return this.rollUp(DAYS);
  }
}

const ROLL_UP = `
  WITH period AS (
    SELECT coalesce((now() AT TIME ZONE $1)::date - $2::int, '-infinity'::date) AS first_day
  ), counted AS (
    SELECT (registered_at AT TIME ZONE $1)::date AS day, count(*)::int AS registrations
    FROM events.event_registrations
    WHERE status = '${REGISTERED}'
      AND registered_at >= (SELECT first_day::timestamp AT TIME ZONE $1 FROM period)
    GROUP BY 1
  ), written AS (
    INSERT INTO admin.registration_activity AS stored (day, registrations)
    SELECT day, registrations FROM counted
    ON CONFLICT (day) DO UPDATE SET registrations = excluded.registrations, updated_at = now()
    WHERE stored.registrations <> excluded.registrations
  )
  DELETE FROM admin.registration_activity
  WHERE day >= (SELECT first_day FROM period) AND day NOT IN (SELECT day FROM counted)`;
