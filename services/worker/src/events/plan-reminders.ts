import { PlanReminders, ReminderMail, REGISTERED } from '@meetmark/contracts';
import { insertJobs, notifyRelay } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { HandlesJob } from '../queue/job-handler.js';

/**
 * Skips people who registered less than a day before the start, because the confirmation already reminds
 * them. Job ids are derived from registration and start, so only a new start causes another reminder.
 */
@Injectable()
export class PlanRemindersJob {
  constructor(private readonly dataSource: DataSource) {}

  @HandlesJob(PlanReminders)
  async handle(): Promise<void> {
    await this.dataSource.query(PLAN);
  }
}

const PLAN = `
  WITH due AS (
    SELECT r.id, to_char(e.start_date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS start_date
    FROM events.events e JOIN events.event_registrations r ON r.event_id = e.id
    WHERE events.is_to_come(e) AND e.start_date <= now() + interval '24 hours'
      AND r.status = '${REGISTERED}' AND r.registered_at < e.start_date - interval '24 hours'
  ), planned AS (
    ${insertJobs(
      'events',
      ReminderMail,
      {
        id: "md5('reminder ' || id || ' ' || start_date)::uuid",
        payload: "jsonb_build_object('registrationId', id, 'startDate', start_date)",
      },
      'FROM due ON CONFLICT (id) DO NOTHING RETURNING id',
    )}
  )
  SELECT ${notifyRelay('events')} WHERE EXISTS (SELECT FROM planned)`;
