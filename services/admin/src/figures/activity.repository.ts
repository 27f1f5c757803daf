import { Controller } from '@nestjs/common';
import {
  ACTIVITY_DAYS,
  type ActivityDay,
  type Community,
  GetRegistrationActivity,
} from '@meetmark/contracts';
import { Handles, InjectCommunity } from '@meetmark/platform';
import { DataSource } from 'typeorm';

@Controller()
export class ActivityRepository {
  constructor(
    private readonly dataSource: DataSource,
    @InjectCommunity() private readonly community: Pick<Community, 'timeZone'>,
  ) {}

  @Handles(GetRegistrationActivity)
  lastDays(): Promise<ActivityDay[]> {
    return this.daysUntil(new Date());
  }

  /** Returns the last `ACTIVITY_DAYS` days up to `now`, in the community's time zone. */
  daysUntil(now: Date): Promise<ActivityDay[]> {
    return this.dataSource.query<ActivityDay[]>(
      `SELECT to_char(days.day, 'Dy') AS "name", coalesce(activity.registrations, 0) AS "registrations"
       FROM (SELECT ($1::timestamptz AT TIME ZONE $2)::date - back AS day FROM generate_series(0, $3 - 1) AS back) AS days
       LEFT JOIN admin.registration_activity activity USING (day)
       ORDER BY days.day`,
      [now, this.community.timeZone, ACTIVITY_DAYS],
    );
  }
}
