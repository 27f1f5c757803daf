import { PlanReminders, ReminderMail } from '@meetmark/contracts';
import { OUTBOX_CHANNEL } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { HandlesJob, type JobHandler } from './job-handler.js';

/**
 * Writes the reminders of events that begin within a day. Whoever registers later than that has just had a
 * confirmation. The row's id is made from registration and start, so there is one reminder for each, and a new one when
 * the event is moved.
 */
@HandlesJob(PlanReminders)
export class PlanRemindersJob implements JobHandler {
  constructor(private readonly dataSource: DataSource) {}

  async handle(): Promise<void> {
    await this.dataSource.query(PLAN);
  }
}

const PLAN = `
  WITH due AS (
    SELECT r.id, to_char(e.start_date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS start_date
    FROM events.events e JOIN events.event_registrations r ON r.event_id = e.id
    WHERE e.start_date > now() AND e.start_date <= now() + interval '24 hours'
      AND r.status = 'registered' AND r.registered_at < e.start_date - interval '24 hours'
  ), planned AS (
    INSERT INTO events.outbox (id, job, payload)
    SELECT md5('reminder ' || id || ' ' || start_date)::uuid, '${ReminderMail.name}',
      jsonb_build_object('registrationId', id, 'startDate', start_date)
    FROM due ON CONFLICT (id) DO NOTHING RETURNING id
  )
  SELECT pg_notify('${OUTBOX_CHANNEL}', 'events') WHERE EXISTS (SELECT FROM planned)`;
