import {
  DEADLINES,
  PromotedMail,
  PUBLIC_ATTENDEES_SHOWN,
  type PublicAttendee,
  REGISTERED,
  type RegistrationConfirmedMail,
  ROLL_UP_AFTER,
  RollUpActivity,
  WaitlistDismissedMail,
  WAITLISTED,
} from '@meetmark/contracts';
import { insertJobs, notifyRelay, requestId } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import type { RegistrationEntity } from './registration.entity.js';

// The statements about all who take part in an event, which changes of the event need. How one member takes a place and gives it up is in
// registrations.repository.ts.

/** Distinguishes these advisory locks from others in the database; any fixed number works. */
const LOCK_NAMESPACE = 0x65_76;

/**
 * SQL of the event lock: registering and unregistering share it, the deletion of the event takes it alone. Every transaction takes its
 * locks in one order, so that no deadlock can occur: this one, the user, the event's row, the registrations. A place is taken before the
 * event's row is locked; who else changes that registration would wait for it with the row locked, so a member's calls about one event take
 * turns (`lockPlace` of the registrations). Ids come in any letter case: cast to uuid and text they are equal.
 */
export const shareEventLock = (eventId: string) =>
  `pg_advisory_xact_lock_shared(${LOCK_NAMESPACE}, hashtext(${eventId}::uuid::text))`;
export const takeEventLock = (eventId: string) =>
  `pg_advisory_xact_lock(${LOCK_NAMESPACE}, hashtext(${eventId}::uuid::text))`;

/** Seconds: no statement lasts longer, so a roll-up that far away sees the rows of a running one. */
const LONGEST_STATEMENT = Math.ceil(DEADLINES.statement / 1000);

/**
 * SQL that requests a roll-up of the activity if `source` (a CTE) has rows, unless a later one is due: a thousand registrations in a
 * second need one job. `request` is a placeholder such as `$1`.
 */
export const insertRollUp = (source: string, request: string) =>
  insertJobs(
    'events',
    RollUpActivity,
    {
      id: 'gen_random_uuid()',
      payload: "'{}'",
      requestId: `${request}::text`,
      availableAt: `now() + interval '${ROLL_UP_AFTER} s'`,
    },
    `WHERE EXISTS (SELECT FROM ${source}) AND NOT EXISTS (
      SELECT FROM events.outbox
      WHERE job = '${RollUpActivity.name}' AND done_at IS NULL AND relayed_at IS NULL
        AND available_at > now() + interval '${LONGEST_STATEMENT} s')`,
  );

/** SQL that adds a mail about each registration of `source` (a CTE). */
export const insertMail = (job: typeof RegistrationConfirmedMail, source: string, request: string) =>
  insertJobs(
    'events',
    job,
    {
      id: 'gen_random_uuid()',
      payload: `jsonb_build_object('registrationId', id, 'registeredAt', ${isoString('registered_at')})`,
      requestId: `${request}::text`,
    },
    `FROM ${source}`,
  );

/** `toISOString` in SQL: the job contains the registration's time exactly as the answer does. */
export const isoString = (column: string) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The positions, from 1, of those registrations that wait. */
export async function waitingPositions(manager: EntityManager, ids: string[]): Promise<Map<string, number>> {
  const rows = await manager.query<{ id: string; position: number }[]>(
    `SELECT own.id, (
       SELECT count(*)::integer FROM events.event_registrations AS other
       WHERE other.event_id = own.event_id AND other.status = '${WAITLISTED}'
         AND (other.registered_at, other.id) <= (own.registered_at, own.id)) AS position
     FROM events.event_registrations AS own WHERE own.id = ANY ($1) AND own.status = '${WAITLISTED}'`,
    [ids],
  );
  return new Map(rows.map(({ id, position }) => [id, position]));
}

/** Somebody with a place or on the waiting list. */
export interface Participant {
  /** Null for a guest without an account. */
  userId: string | null;
  /** The name of a guest without an account. */
  name: string | null;
  email: string | null;
  waiting: boolean;
  /** What the member's calendar entry adds to the event's sequence. */
  entryRevision: number;
}

const PARTICIPANT = `user_id AS "userId", guest_name AS name, CASE WHEN user_id IS NULL THEN guest_email END AS email,
  status = '${WAITLISTED}' AS waiting, entry_revision AS "entryRevision"`;

/** Everybody with a place or on the waiting list. The caller holds the event lock, so no registration is under way. */
export async function participants(manager: EntityManager, eventId: string): Promise<Participant[]> {
  return manager.query(
    `SELECT ${PARTICIPANT} FROM events.event_registrations WHERE event_id = $1 AND status IN ('${REGISTERED}', '${WAITLISTED}')`,
    [eventId],
  );
}

/**
 * Removes the registrations of an event that is about to be deleted, under the event lock and before the event's row is locked. Returns
 * those that had a place or waited for one.
 */
export async function removeRegistrations(manager: EntityManager, eventId: string): Promise<Participant[]> {
  await manager.query(`SELECT ${takeEventLock('$1')}`, [eventId]);
  // before its registrations, as everybody does who changes a waiting row
  await manager.query('SELECT FROM events.events WHERE id = $1 FOR UPDATE', [eventId]);
  return manager.query(
    `WITH removed AS (
       DELETE FROM events.event_registrations WHERE event_id = $1 RETURNING *),
     roll_up AS (${insertRollUp('removed', '$2')})
     SELECT ${PARTICIPANT} FROM removed WHERE status IN ('${REGISTERED}', '${WAITLISTED}')`,
    [eventId, requestId()],
  );
}

/**
 * Gives a place to those who wait: to one member, or to everybody (null). The caller has locked the event's row and made room. Returns the
 * registrations.
 */
export async function placeWaiting(
  manager: EntityManager,
  eventId: string,
  userId: string | null,
): Promise<Omit<RegistrationEntity, 'eventId'>[]> {
  return manager.query(
    `WITH placed AS (
       UPDATE events.event_registrations
       SET status = '${REGISTERED}', registered_at = now(), entry_revision = entry_revision + 1
       WHERE event_id = $1 AND status = '${WAITLISTED}' AND user_id = coalesce($2, user_id) RETURNING *),
     mails AS (${insertMail(PromotedMail, 'placed', '$3')}),
     roll_up AS (${insertRollUp('placed', '$3')})
     SELECT id, user_id AS "userId", selected_date AS "selectedDate", registered_at AS "registeredAt", status, show_me AS "showMe",
       lapses_at AS "lapsesAt", ${notifyRelay('events')} FROM placed`,
    [eventId, userId, requestId()],
  );
}

/** Ends the waiting of one member, or of everybody (null), and tells them. The caller has locked the event's row. Returns how many. */
export async function dismissWaiting(
  manager: EntityManager,
  eventId: string,
  userId: string | null,
): Promise<number> {
  const mail = {
    id: 'gen_random_uuid()',
    payload: "jsonb_build_object('eventId', event_id, 'userId', user_id)",
    requestId: '$3::text',
  };
  const dismissed = await manager.query<unknown[]>(
    `WITH dismissed AS (
       UPDATE events.event_registrations SET status = 'cancelled', ended_as = 'removed'
       WHERE event_id = $1 AND status = '${WAITLISTED}' AND user_id = coalesce($2, user_id) RETURNING event_id, user_id),
     mails AS (${insertJobs('events', WaitlistDismissedMail, mail, 'FROM dismissed')})
     SELECT ${notifyRelay('events')} FROM dismissed`,
    [eventId, userId, requestId()],
  );
  return dismissed.length;
}

/** The first who come and let visitors see it; none whose address may be another person's. */
export const publicAttendeesAt = (manager: EntityManager, eventId: string): Promise<PublicAttendee[]> =>
  manager.query<PublicAttendee[]>(
    `SELECT member.first_name AS "firstName", member.last_name AS "lastName", member.profile_image_url AS "profileImageUrl"
     FROM events.event_registrations AS place JOIN auth.listed_member AS member ON member.id = place.user_id
     WHERE place.event_id = $1 AND place.status = '${REGISTERED}' AND place.show_me = 'public'
     ORDER BY place.registered_at, place.id LIMIT ${PUBLIC_ATTENDEES_SHOWN}`,
    [eventId],
  );
