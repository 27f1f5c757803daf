import { HeldConfirmations, RegistrationConfirmedMail, type PayloadOf } from '@meetmark/contracts';
import { OUTBOX_CHANNEL } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { HandlesJob, type JobHandler } from './job-handler.js';

type Payload = PayloadOf<typeof HeldConfirmations>;

/**
 * Writes the confirmations of upcoming events that were held back while the member's address was not verified: of each place
 * whose own confirmation went out to nobody. The id is made from the place and its time, so there is one, however often this runs.
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
    WHERE r.user_id = $1 AND r.status = 'registered' AND e.start_date > now()
  ), written AS (
    INSERT INTO events.outbox (id, job, payload)
    SELECT md5('held confirmation ' || id || ' ' || registered_at)::uuid, '${RegistrationConfirmedMail.name}',
      jsonb_build_object('registrationId', id, 'registeredAt', registered_at)
    FROM held WHERE NOT EXISTS (
      SELECT FROM events.outbox o
      WHERE o.job = '${RegistrationConfirmedMail.name}' AND o.payload ->> 'registrationId' = held.id::text
        AND o.payload ->> 'registeredAt' = held.registered_at AND (o.done_at IS NULL OR NOT o.skipped))
    ON CONFLICT (id) DO NOTHING RETURNING id
  )
  SELECT pg_notify('${OUTBOX_CHANNEL}', 'events') WHERE EXISTS (SELECT FROM written)`;
