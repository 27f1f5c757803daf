import {
  DEADLINES,
  type ErrorCode,
  type EventFaces,
  FACES_SHOWN,
  type EventActivityDay,
  type MemberFigures,
  PromotedMail,
  type Question,
  REGISTERED,
  RegistrationConfirmedMail,
  type RegistrationStatus,
  type ShowMe,
  RollUpActivity,
  UnregisteredMail,
  WaitlistDismissedMail,
  WaitlistJoinedMail,
  WAITLISTED,
} from '@meetmark/contracts';
import { insertJobs, notifyRelay, requestId } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import type { RegistrationEntity } from './registration.entity.js';

// The statements about registrations.

/** Distinguishes these advisory locks from others in the database; any fixed number works. */
const LOCK_NAMESPACE = 0x65_76;

/**
 * SQL of the event lock: registering and unregistering share it, the deletion of the event takes it alone. Every transaction takes its
 * locks in one order, so that no deadlock can occur: this one, the user, the event's row, the registrations. A place is taken before the
 * event's row is locked; who else changes that registration would wait for it with the row locked, so a member's calls about one event take
 * turns (`lockPlace`). Ids come in any letter case: cast to uuid and text they are equal.
 */
const shareEventLock = (eventId: string) =>
  `pg_advisory_xact_lock_shared(${LOCK_NAMESPACE}, hashtext(${eventId}::uuid::text))`;
export const takeEventLock = (eventId: string) =>
  `pg_advisory_xact_lock(${LOCK_NAMESPACE}, hashtext(${eventId}::uuid::text))`;

/** The deletion of the account, which locks the rows of all its events, comes before this or after the transaction. */
const lockMember = (userId: string) => `(SELECT count(*) FROM events.lock_members(ARRAY[${userId}::uuid]))`;

const lockPlace = (eventId: string, userId: string) =>
  `pg_advisory_xact_lock(hashtextextended('place ' || ${eventId}::uuid || ' ' || ${userId}::uuid, 0))`;

/** Seconds between a change of the registrations and the roll-up that shows it. */
const ROLL_UP_AFTER = 5;
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

/** SQL of the refusal that the state of an event means, or null. */
const REFUSED = `CASE
  WHEN status = 'draft' THEN 'EVENT_NOT_FOUND'
  WHEN status = 'cancelled' THEN 'EVENT_CANCELLED'
  WHEN start_date <= now() THEN 'REGISTRATION_CLOSED'
  WHEN registration_closes_at <= now() THEN 'REGISTRATION_ENDED'
  WHEN registration_opens_at > now() THEN 'REGISTRATION_NOT_OPEN' END`;

/**
 * A registration is this one statement and transaction: the place and its jobs, in one round trip.
 * $1 event, $2 new registration id, $3 user, $4 selected date or null, $5 request id,
 * $6 what others learn of the member, or null, $7 whether what the event asks first (`asks`) has been looked after,
 * $8 the member's answers as JSON, or null, $9 the hash of the network, or null
 * @param status SQL of what the member gets, or null: nothing; `registeredAt` and `locks` accordingly
 */
const registering = (name: string, locks: { member: string; event: string }, status: string, at: string) => ({
  name,
  text: `
    WITH gate AS MATERIALIZED (SELECT ${shareEventLock('$1')}, ${lockMember('$3')}, ${lockPlace('$1', '$3')}${locks.member}),
    event AS MATERIALIZED (
      SELECT id, ${REFUSED} AS refused, ${status} AS offered, waiting_count, (has_guests OR has_questions) AND $7::boolean IS NOT TRUE AS asks,
        coalesce($4::timestamptz NOT BETWEEN start_date AND end_date, false) AS outside
      FROM gate, events.events WHERE id = $1::uuid ${locks.event}),
    placed AS (
      INSERT INTO events.event_registrations AS registration
        (id, event_id, user_id, selected_date, status, registered_at, answers, taken_from, show_me)
      SELECT $2::uuid, id, $3::uuid, $4, offered, ${at}, $8::jsonb, $9::text,
        coalesce($6::text, (SELECT show_me FROM auth.member_consent WHERE id = $3::uuid), 'name') FROM event
      WHERE refused IS NULL AND NOT outside AND offered IS NOT NULL AND NOT asks
      ON CONFLICT (event_id, user_id) DO UPDATE
        SET status = excluded.status, registered_at = excluded.registered_at, selected_date = excluded.selected_date,
          answers = excluded.answers, taken_from = excluded.taken_from, show_me = coalesce($6::text, registration.show_me),
          entry_revision = registration.entry_revision + (excluded.status = '${REGISTERED}')::integer
        WHERE registration.status = 'cancelled'
      RETURNING *),
    taken AS (SELECT * FROM placed WHERE status = '${REGISTERED}'),
    mail AS (${insertMail(RegistrationConfirmedMail, 'taken', '$5')}),
    waits AS (SELECT * FROM placed WHERE status = '${WAITLISTED}'),
    waiting_mail AS (${insertMail(WaitlistJoinedMail, 'waits', '$5')}),
    roll_up AS (${insertRollUp('taken', '$5')})
    SELECT asks, refused, outside, offered, waiting_count + 1 AS position, (SELECT ${notifyRelay('events')} FROM placed), placed.id,
      user_id AS "userId", selected_date AS "selectedDate", registered_at AS "registeredAt", status, show_me AS "showMe",
      lapses_at AS "lapsesAt"
    FROM event LEFT JOIN placed ON true`,
});

/**
 * The trigger on the registrations counts the place last; the event's row is locked only from then to the commit, and
 * events_within_capacity_check refuses a place too many.
 */
export const REGISTER = registering('register', { member: '', event: '' }, `'${REGISTERED}'`, 'now()');

/**
 * A place if one is free, else the end of the waiting list: the event's row is locked first, so that which of the two it is, and the
 * order of those who wait, are exact.
 */
export const JOIN = registering(
  'join',
  { member: ', events.lock_member($3::uuid)', event: 'FOR NO KEY UPDATE' },
  `CASE
    WHEN capacity IS NULL OR registration_count < capacity THEN '${REGISTERED}'
    WHEN waitlist_enabled THEN '${WAITLISTED}' END`,
  `CASE offered WHEN '${WAITLISTED}' THEN events.moment_to_join(id) ELSE now() END`,
);

/** No row: the event does not exist. `id` null: nothing was taken, for there was no room (`offered` null) or something already. */
export type RegisterRow = {
  /** There may be something to look after first: see RegistrationsService. */
  asks: boolean;
  refused: ErrorCode | null;
  outside: boolean;
  offered: RegistrationStatus | null;
  /** On the waiting list, of a member who has joined it. */
  position: number;
} & (Omit<RegistrationEntity, 'eventId'> | { id: null });

/** What comes before the place of a member at an event that has guests, or asks something. */
export interface BeforePlace {
  hasGuests: boolean;
  questions: Question[];
  refused: ErrorCode | null;
  /** Of the member, as it is. */
  status: RegistrationStatus | null;
}

/** As REGISTER locks, and the member, whose deletion locks the event's row as answers do. Null: the event does not exist. */
export async function beforePlace(
  manager: EntityManager,
  eventId: string,
  userId: string,
): Promise<BeforePlace | null> {
  await lockOwnPlace(manager, eventId, userId);
  await manager.query('SELECT events.lock_members(ARRAY[$1::uuid])', [userId]);
  const [row] = await manager.query<BeforePlace[]>(
    `SELECT event.has_guests AS "hasGuests", coalesce(content.questions, '[]') AS questions, event.refused, own.status
     FROM (SELECT *, ${REFUSED} AS refused FROM events.events) AS event
     LEFT JOIN events.event_contents AS content ON content.event_id = event.id
     LEFT JOIN events.event_registrations AS own ON own.event_id = event.id AND own.user_id = $2
     WHERE event.id = $1`,
    [eventId, userId],
  );
  return row ?? null;
}

/** Of a place that there was before. */
export async function keepAnswers(
  manager: EntityManager,
  registrationId: string,
  answers: string,
): Promise<void> {
  await manager.query('UPDATE events.event_registrations SET answers = $2 WHERE id = $1', [
    registrationId,
    answers,
  ]);
}

/** As REGISTER locks, for a transaction that does more than one statement about a member's place. */
export async function lockOwnPlace(manager: EntityManager, eventId: string, userId: string): Promise<void> {
  await manager.query(`SELECT ${shareEventLock('$1')}, ${lockPlace('$1', '$2')}`, [eventId, userId]);
}

/** The place that an organiser added for the member's address, from now on the member's. False when there is none. */
export async function takeOverGuest(
  manager: EntityManager,
  eventId: string,
  userId: string,
  showMe: ShowMe | null,
): Promise<boolean> {
  const [row] = await manager.query<[{ id: string | null }]>(
    'SELECT events.take_over_guest($1, $2, $3) AS id',
    [eventId, userId, showMe],
  );
  return row.id !== null;
}

/** Null when the member has no place and does not wait. */
export async function changeShown(
  manager: EntityManager,
  eventId: string,
  userId: string,
  showMe: ShowMe,
): Promise<Omit<RegistrationEntity, 'eventId'> | null> {
  const [[row]] = await manager.query<[Omit<RegistrationEntity, 'eventId'>[], number]>(
    `UPDATE events.event_registrations SET show_me = $3
     WHERE event_id = $1 AND user_id = $2 AND status IN ('${REGISTERED}', '${WAITLISTED}')
     RETURNING id, user_id AS "userId", selected_date AS "selectedDate", registered_at AS "registeredAt", status,
       show_me AS "showMe", lapses_at AS "lapsesAt"`,
    [eventId, userId, showMe],
  );
  return row ?? null;
}

/** The first who come and want to be shown, by event; events without any are left out. */
export const facesAt = (manager: EntityManager, eventIds: string[]): Promise<EventFaces[]> =>
  manager.query<EventFaces[]>(
    `SELECT event_id AS "eventId",
       json_agg(json_build_object('id', face.id, 'firstName', face.first_name, 'lastName', face.last_name,
         'profileImageUrl', face.profile_image_url) ORDER BY face.registered_at, face.place_id) AS faces
     FROM unnest($1::uuid[]) AS asked (event_id)
     CROSS JOIN LATERAL (
       SELECT member.*, place.registered_at, place.id AS place_id
       FROM events.event_registrations AS place JOIN auth.listed_member AS member ON member.id = place.user_id
       WHERE place.event_id = asked.event_id AND place.status = '${REGISTERED}' AND place.show_me <> 'no'
       ORDER BY place.registered_at, place.id LIMIT ${FACES_SHOWN}
     ) AS face
     GROUP BY event_id`,
    [eventIds],
  );

/** From 1, by the id of the registration, of those that wait. */
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

/**
 * Gives a place up, or leaves the waiting list, before the event starts. The event's row is locked first: a promotion locks it before the
 * rows of those who wait. $1 event, $2 user, $3 request id
 */
export const UNREGISTER = {
  name: 'unregister',
  text: `
    WITH gate AS MATERIALIZED (SELECT ${shareEventLock('$1')}, ${lockPlace('$1', '$2')}),
    event AS MATERIALIZED (
      SELECT id, start_date <= now() AS started FROM gate, events.events WHERE id = $1::uuid FOR NO KEY UPDATE),
    mine AS MATERIALIZED (
      SELECT registration.id, registration.status = '${REGISTERED}' AS placed
      FROM event JOIN events.event_registrations AS registration ON registration.event_id = event.id
      WHERE registration.user_id = $2::uuid AND NOT event.started FOR UPDATE OF registration),
    ended AS (
      UPDATE events.event_registrations AS registration
      SET status = 'cancelled', entry_revision = registration.entry_revision + mine.placed::integer FROM mine
      WHERE registration.id = mine.id AND registration.status <> 'cancelled'
      RETURNING registration.id, registration.registered_at, mine.placed),
    given_up AS (SELECT id, registered_at FROM ended WHERE placed),
    mail AS (${insertMail(UnregisteredMail, 'given_up', '$3')}),
    roll_up AS (${insertRollUp('given_up', '$3')})
    SELECT started, (SELECT ${notifyRelay('events')} FROM given_up) FROM event`,
};

export interface UnregisterRow {
  started: boolean;
}

/** Somebody with a place or on the waiting list. */
export interface Participant {
  /** Null of a guest without an account. */
  userId: string | null;
  /** Of a guest. */
  name: string | null;
  email: string | null;
  waiting: boolean;
  /** What the member's calendar entry adds to the event's sequence. */
  entryRevision: number;
}

const PARTICIPANT = `user_id AS "userId", guest_name AS name, CASE WHEN user_id IS NULL THEN guest_email END AS email,
  status = '${WAITLISTED}' AS waiting, entry_revision AS "entryRevision"`;

/** Everybody with a place or on the waiting list, under the event lock: nobody is about to join. */
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

/** Puts a member at the front of the waiting list. The caller has locked the event's row. */
export async function putFirst(manager: EntityManager, eventId: string, userId: string): Promise<void> {
  await manager.query(
    `UPDATE events.event_registrations SET registered_at = (
       SELECT min(registered_at) - interval '1 ms' FROM events.event_registrations
       WHERE event_id = $1 AND status = '${WAITLISTED}')
     WHERE event_id = $1 AND user_id = $2 AND status = '${WAITLISTED}'`,
    [eventId, userId],
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

/** Days, today included, for which the activity of one event is told. */
const ACTIVITY_DAYS = 14;

/** Places that are taken, by the day on which they were, in `timeZone`. */
export const registrationsByDay = (
  manager: EntityManager,
  eventId: string,
  timeZone: string,
): Promise<EventActivityDay[]> =>
  manager.query(
    `SELECT day::date::text AS day, count(r.id)::integer AS registrations
     FROM generate_series((now() AT TIME ZONE $2)::date - ${ACTIVITY_DAYS - 1}, (now() AT TIME ZONE $2)::date, '1 day') AS day
     LEFT JOIN events.event_registrations r
       ON r.event_id = $1 AND r.status = '${REGISTERED}' AND (r.registered_at AT TIME ZONE $2)::date = day::date
     GROUP BY day ORDER BY day`,
    [eventId, timeZone],
  );

/** Requests a roll-up after a change that no statement here has made. */
export async function requestRollUp(manager: EntityManager): Promise<void> {
  await manager.query(`WITH gone AS (SELECT) ${insertRollUp('gone', '$1')}`, [requestId()]);
}

/** SQL: whether anybody was checked in at the event of that id. Without it, it is not known who came. */
export const anyCheckedInAt = (eventId: string) => `EXISTS (
  SELECT FROM events.event_registrations AS other WHERE other.event_id = ${eventId} AND other.checked_in_at IS NOT NULL)`;

/** A no-show is derived as on the guest list: a place where nobody was checked in, at an event that is over and where somebody was. */
export async function figuresOf(manager: EntityManager, userId: string): Promise<MemberFigures> {
  const [row] = await manager.query<[MemberFigures]>(
    `SELECT count(*)::integer AS registered,
       count(*) FILTER (WHERE event.end_date <= now() AND place.checked_in_at IS NOT NULL)::integer AS attended,
       count(*) FILTER (WHERE event.end_date <= now() AND place.checked_in_at IS NULL AND ${anyCheckedInAt('event.id')})::integer AS "noShows"
     FROM events.event_registrations AS place JOIN events.events AS event ON event.id = place.event_id
     WHERE place.user_id = $1 AND place.status = 'registered' AND event.status = 'published'`,
    [userId],
  );
  return row;
}

/** Whether the address of a member is verified. */
export async function isVerified(manager: EntityManager, userId: string): Promise<boolean> {
  const [row] = await manager.query<[{ verified: boolean }]>('SELECT events.is_verified($1) AS verified', [
    userId,
  ]);
  return row.verified;
}
