import { type Community, RollUpActivity, REGISTERED } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { InjectCommunity } from '@meetmark/platform';
import { HandlesJob, type JobHandler } from '../queue/job-handler.js';

/** Identifies the lock that allows one roll-up at a time; any fixed number works. */
const LOCK = 5_120_233_417;

/** Registrations per day of the community's time zone. */
@Injectable()
export class RegistrationActivity {
  constructor(
    private readonly dataSource: DataSource,
    @InjectCommunity() private readonly community: Pick<Community, 'timeZone'>,
  ) {}

  /**
   * Counts the last `days` days and today again, or all days. The table then equals a GROUP BY of the registrations at the moment of
   * the count, however often and in however many workers this runs.
   */
  async rollUp(days?: number): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // an earlier count must not be written later; the lock is a separate statement, so that the count sees everything that was
      // committed when it was granted
      await manager.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
      await manager.query(ROLL_UP, [this.community.timeZone, days ?? null]);
    });
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

/** Days, more than any displayed figure covers. CleanUpJob counts older days every hour. */
const DAYS = 40;

@HandlesJob(RollUpActivity)
export class RollUpActivityJob implements JobHandler {
  constructor(private readonly activity: RegistrationActivity) {}

  handle(): Promise<void> {
    return this.activity.rollUp(DAYS);
  }
}
