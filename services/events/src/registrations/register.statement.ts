import { RegistrationConfirmedMail, UnregisteredMail } from '@meetmark/contracts';
import { insertRollUp, WAKE_RELAY } from '../outbox/outbox-rows.js';
import { shareGate } from './event-gate.js';
import type { RegistrationEntity } from './registration.entity.js';

/** `toISOString` in SQL: the job names the registration's time exactly as the answer does. */
const isoString = (column: string) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * A registration is this one statement and transaction: the place and the jobs that follow from it, in one round trip. The
 * trigger on the registrations counts the place after everything else; the event's row is locked from then to the commit
 * only, and events_within_capacity_check is what refuses a place too many.
 * $1 event, $2 new registration id, $3 user, $4 selected date or null, $5 and $6 outbox ids, $7 request id
 */
export const REGISTER = {
  name: 'register',
  text: `
    WITH gate AS MATERIALIZED (SELECT ${shareGate('$1')}),
    event AS MATERIALIZED (
      SELECT id, start_date <= now() AS started,
        coalesce($4::timestamptz NOT BETWEEN start_date AND end_date, false) AS outside
      FROM gate, events.events WHERE id = $1::uuid),
    placed AS (
      INSERT INTO events.event_registrations AS registration (id, event_id, user_id, selected_date)
      SELECT $2::uuid, id, $3::uuid, $4 FROM event WHERE NOT started AND NOT outside
      ON CONFLICT (event_id, user_id) DO UPDATE
        SET status = 'registered', registered_at = now(), selected_date = excluded.selected_date,
          entry_revision = registration.entry_revision + 1
        WHERE registration.status = 'cancelled'
      RETURNING *),
    mail AS (
      INSERT INTO events.outbox (id, job, payload, request_id)
      SELECT $5::uuid, '${RegistrationConfirmedMail.name}',
        jsonb_build_object('registrationId', id, 'registeredAt', ${isoString('registered_at')}), $7::text
      FROM placed),
    roll_up AS (${insertRollUp('placed', '$6', '$7')})
    SELECT started, outside, (SELECT ${WAKE_RELAY} FROM placed), placed.id, user_id AS "userId",
      selected_date AS "selectedDate", registered_at AS "registeredAt", status
    FROM event LEFT JOIN placed ON true`,
};

/** No row: there is no such event. `id` null: no place was taken. */
export type RegisterRow = {
  started: boolean;
  outside: boolean;
} & (Omit<RegistrationEntity, 'eventId'> | { id: null });

/** Gives a place up before the event starts. $1 event, $2 user, $3 and $4 outbox ids, $5 request id */
export const UNREGISTER = {
  name: 'unregister',
  text: `
    WITH gate AS MATERIALIZED (SELECT ${shareGate('$1')}),
    event AS MATERIALIZED (
      SELECT id, start_date <= now() AS started FROM gate, events.events WHERE id = $1::uuid),
    given_up AS (
      UPDATE events.event_registrations AS registration
      SET status = 'cancelled', entry_revision = registration.entry_revision + 1 FROM event
      WHERE registration.event_id = event.id AND registration.user_id = $2::uuid
        AND registration.status = 'registered' AND NOT event.started
      RETURNING registration.id, registration.registered_at),
    mail AS (
      INSERT INTO events.outbox (id, job, payload, request_id)
      SELECT $3::uuid, '${UnregisteredMail.name}',
        jsonb_build_object('registrationId', id, 'registeredAt', ${isoString('registered_at')}), $5::text
      FROM given_up),
    roll_up AS (${insertRollUp('given_up', '$4', '$5')})
    SELECT started, (SELECT ${WAKE_RELAY} FROM given_up) FROM event`,
};

export interface UnregisterRow {
  started: boolean;
}
