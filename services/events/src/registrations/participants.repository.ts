import {
  DEADLINES,
  type PastRegistration,
  PromotedMail,
  PUBLIC_ATTENDEES_SHOWN,
  type PublicAttendee,
  REGISTERED,
  type Job,
  ROLL_UP_AFTER,
  RollUpActivity,
  WaitlistDismissedMail,
  WAITLISTED,
} from '@meetmark/contracts';
import { insertJobs, notifyRelay, requestId } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import type { RegistrationEntity } from './registration.entity.js';

/** First key of the advisory locks below. Any fixed number works. */
const LOCK_NAMESPACE = 0x65_76;

/**
 * Registering and unregistering share this lock. Deleting the event takes it exclusively. The usual lock
 * order is the event's row, then registrations, but REGISTER locks a registration first. `lockPlace` prevents
 * deadlocks: it runs a member's calls about an event one after another.
 */
export const shareEventLock = (eventId: string) =>
  `pg_advisory_xact_lock_shared(${LOCK_NAMESPACE}, hashtext(${eventId}::uuid::text))`;
export const takeEventLock = (eventId: string) =>
  `pg_advisory_xact_lock(${LOCK_NAMESPACE}, hashtext(${eventId}::uuid::text))`;

/**
 * SQL that ends a registration and clears `network`, so that it no longer counts towards a network's limit.
 */
export const ended = (as: PastRegistration['status']) =>
  `status = 'cancelled', ended_as = '${as}', ended_at = now(), network = NULL`;
/** SQL that clears how and when a registration ended, because its member registers again. */
export const NOT_ENDED = 'ended_as = NULL, ended_at = NULL';

/** Runs check-ins at an event and its deletion one after another. Both lock several registrations. */
export async function lockDoor(manager: EntityManager, eventId: string): Promise<void> {
  await manager.query("SELECT pg_advisory_xact_lock(hashtextextended('door ' || $1::uuid, 0))", [eventId]);
}

/** Seconds until all statements that are running now have ended. A later roll-up sees their rows. */
const LONGEST_STATEMENT = Math.ceil(DEADLINES.statement / 1000);

/**
 * SQL that adds a roll-up job if the CTE `source` has rows and no scheduled roll-up will see them.
 * @param request placeholder of the request id, such as `$1`
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

export const insertMail = (job: Job, source: string, request: string, more = '') =>
  insertJobs(
    'events',
    job,
    {
      id: 'gen_random_uuid()',
      payload: `jsonb_build_object('registrationId', id, 'registeredAt', ${isoString('registered_at')}${more})`,
      requestId: `${request}::text`,
    },
    `FROM ${source}`,
  );

/** SQL that formats a timestamp like `toISOString`, so that the job and the answer contain the same text. */
export const isoString = (column: string) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

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

export interface Participant {
  userId: string | null;
  name: string | null;
  email: string | null;
  waiting: boolean;
  /** The member's calendar entry has the event's sequence number plus this revision. */
  entryRevision: number;
}

const PARTICIPANT = `user_id AS "userId", guest_name AS name, CASE WHEN user_id IS NULL THEN guest_email END AS email,
  status = '${WAITLISTED}' AS waiting, entry_revision AS "entryRevision"`;

/** Lock the event's row first, so that nobody registers meanwhile. */
export async function participants(manager: EntityManager, eventId: string): Promise<Participant[]> {
  return manager.query(
    `SELECT ${PARTICIPANT} FROM events.event_registrations WHERE event_id = $1 AND status IN ('${REGISTERED}', '${WAITLISTED}')`,
    [eventId],
  );
}

export async function removeRegistrations(manager: EntityManager, eventId: string): Promise<Participant[]> {
  await manager.query(`SELECT ${takeEventLock('$1')}`, [eventId]);
  await lockDoor(manager, eventId);
  // the lock order requires the event's row before waiting registrations
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
 * Promotes a member from the waiting list, or everyone if `userId` is null. Lock the event's row and make
 * room first.
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
       ${notifyRelay('events')} FROM placed`,
    [eventId, userId, requestId()],
  );
}

/** Removes a member from the waiting list, or everyone if `userId` is null. Lock the event's row first. */
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
       UPDATE events.event_registrations SET ${ended('removed')}
       WHERE event_id = $1 AND status = '${WAITLISTED}' AND user_id = coalesce($2, user_id) RETURNING event_id, user_id),
     mails AS (${insertJobs('events', WaitlistDismissedMail, mail, 'FROM dismissed')})
     SELECT ${notifyRelay('events')} FROM dismissed`,
    [eventId, userId, requestId()],
  );
  return dismissed.length;
}

export const publicAttendeesAt = (manager: EntityManager, eventId: string): Promise<PublicAttendee[]> =>
  manager.query<PublicAttendee[]>(
    `SELECT member.first_name AS "firstName", member.last_name AS "lastName", member.profile_image_url AS "profileImageUrl"
     FROM events.event_registrations AS place JOIN auth.listed_member AS member ON member.id = place.user_id
     WHERE place.event_id = $1 AND place.status = '${REGISTERED}' AND place.show_me = 'public'
     ORDER BY place.registered_at, place.id LIMIT ${PUBLIC_ATTENDEES_SHOWN}`,
    [eventId],
  );
