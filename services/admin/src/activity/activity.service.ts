import { Injectable } from '@nestjs/common';
import { ACTIVITY_DAYS, type ActivityDay } from '@meetmark/contracts';
import { loadCommunity } from '@meetmark/platform/community/community';
import { DataSource } from 'typeorm';
import { AdminConfig } from '../admin.config.js';

@Injectable()
export class ActivityService {
  private readonly timeZone: string;

  constructor(
    private readonly dataSource: DataSource,
    config: AdminConfig,
  ) {
    this.timeZone = loadCommunity(config.communityConfig).timeZone;
  }

  /** The last days of the community's calendar, today last; days without a registration count zero. */
  lastDays(now = new Date()): Promise<ActivityDay[]> {
    return this.dataSource.query<ActivityDay[]>(
      `SELECT to_char(days.day, 'Dy') AS "name", coalesce(activity.registrations, 0) AS "registrations"
       FROM (SELECT ($1::timestamptz AT TIME ZONE $2)::date - back AS day FROM generate_series(0, $3 - 1) AS back) AS days
       LEFT JOIN admin.registration_activity activity USING (day)
       ORDER BY days.day`,
      [now, this.timeZone, ACTIVITY_DAYS],
    );
  }
}
