import {
  HeldConfirmations,
  type PayloadOf,
  PromotedMail,
  RegistrationConfirmedMail,
  REGISTERED,
} from '@meetmark/contracts';
import { insertJobs, notifyRelay } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { HandlesJob, type JobHandler } from '../queue/job-handler.js';

type Payload = PayloadOf<typeof HeldConfirmations>;

/**
 * Writes the confirmations of upcoming events that were held back while the member's address was not verified: one for each place
 * whose own confirmation was skipped. The id is derived from the place and its time, so that a repeated run adds no second one.
 */
@HandlesJob(HeldConfirmations)
export class HeldConfirmationsJob implements JobHandler<Payload> {
  constructor(private readonly dataSource: DataSource) {}

  async handle({ userId }: Payload): Promise<void> {
    await this.dataSource.query(FOLLOW, [userId]);
  }
}

const FOLLOW = `
  WITH held AS (
    SELECT r.id, to_char(r.registered_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS registered_at
    FROM events.event_registrations r JOIN events.events e ON e.id = r.event_id
    WHERE r.user_id = $1 AND r.status = '${REGISTERED}' AND events.is_to_come(e)
  ), unconfirmed AS (
    SELECT id, registered_at FROM held WHERE NOT EXISTS (
      SELECT FROM events.outbox o
      WHERE o.job IN ('${RegistrationConfirmedMail.name}', '${PromotedMail.name}') AND o.payload ->> 'registrationId' = held.id::text
        AND o.payload ->> 'registeredAt' = held.registered_at AND (o.done_at IS NULL OR NOT o.skipped))
  ), written AS (
    ${insertJobs(
      'events',
      RegistrationConfirmedMail,
      {
        id: "md5('held confirmation ' || id || ' ' || registered_at)::uuid",
        payload: "jsonb_build_object('registrationId', id, 'registeredAt', registered_at)",
      },
      'FROM unconfirmed ON CONFLICT (id) DO NOTHING RETURNING id',
    )}
  )
  SELECT ${notifyRelay('events')} WHERE EXISTS (SELECT FROM written)`;
