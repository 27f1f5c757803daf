import {
  type ErrorCode,
  type EventFaces,
  FACES_SHOWN,
  type EventActivityDay,
  type MemberFigures,
  type Question,
  REGISTERED,
  RegistrationConfirmedMail,
  type RegistrationStatus,
  type PlaceShows,
  UnregisteredMail,
  WaitlistJoinedMail,
  WAITLISTED,
} from '@meetmark/contracts';
import { notifyRelay, requestId } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import { ended, insertMail, insertRollUp, NOT_ENDED, shareEventLock } from './participants.repository.js';
import type { RegistrationEntity } from './registration.entity.js';

const lockMember = (userId: string) => `(SELECT count(*) FROM events.lock_members(ARRAY[${userId}::uuid]))`;

const lockPlace = (eventId: string, userId: string) =>
  `pg_advisory_xact_lock(hashtextextended('place ' || ${eventId}::uuid || ' ' || ${userId}::uuid, 0))`;

/**
 * If `checked` is false, nobody is registered at an event with guests or questions (`asks`). `answers` is
 * JSON.
 */
export type RegisterValues = [
  eventId: string,
  registrationId: string,
  userId: string,
  selectedDate: string | null,
  requestId: string | null,
  showMe: PlaceShows | null,
  checked: boolean,
  answers: string | null,
  networkHash: string | null,
  isNetworkFull: boolean,
];

/**
 * Builds a statement that registers a member and adds the jobs in one round trip. Its parameters are
 * RegisterValues.
 * @param lock SQL that locks the event's row, or empty
 * @param status SQL of the new status, or null if there is no room
 * @param at SQL of the time of registration
 */
const registering = (name: string, lock: string, status: string, at: string) => ({
  name,
  text: `
    WITH gate AS MATERIALIZED (SELECT ${lockMember('$3')}, ${shareEventLock('$1')}, ${lockPlace('$1', '$3')}),
    event AS MATERIALIZED (
      SELECT id, events.registration_refusal(events) AS refused, ${status} AS offered, waiting_count, (has_guests OR has_questions) AND $7::boolean IS NOT TRUE AS asks,
        coalesce($4::timestamptz NOT BETWEEN start_date AND end_date, false) AS outside
      FROM gate, events.events WHERE id = $1::uuid ${lock}),
    placed AS (
      INSERT INTO events.event_registrations AS registration
        (id, event_id, user_id, selected_date, status, registered_at, answers, network, show_me)
      SELECT $2::uuid, id, $3::uuid, $4, offered, ${at}, $8::jsonb, $9::text,
        coalesce($6::text, (SELECT show_me FROM auth.member_consent WHERE id = $3::uuid), 'name') FROM event
      WHERE refused IS NULL AND NOT outside AND offered IS NOT NULL AND NOT asks AND NOT $10::boolean
      ON CONFLICT (event_id, user_id) DO UPDATE
        SET status = excluded.status, registered_at = excluded.registered_at, selected_date = excluded.selected_date,
          answers = excluded.answers, network = excluded.network, show_me = coalesce($6::text, registration.show_me), ${NOT_ENDED},
          entry_revision = registration.entry_revision + (excluded.status = '${REGISTERED}')::integer
        WHERE registration.status = 'cancelled'
      RETURNING *),
    taken AS (SELECT * FROM placed WHERE status = '${REGISTERED}'),
    mail AS (${insertMail(RegistrationConfirmedMail, 'taken', '$5', ", 'own', true")}),
    waits AS (SELECT * FROM placed WHERE status = '${WAITLISTED}'),
    waiting_mail AS (${insertMail(WaitlistJoinedMail, 'waits', '$5')}),
    roll_up AS (${insertRollUp('taken', '$5')})
    SELECT asks, refused, outside, offered, $10::boolean AS "isNetworkFull", waiting_count + 1 AS position,
      (SELECT ${notifyRelay('events')} FROM placed), placed.id, user_id AS "userId",
      selected_date AS "selectedDate", registered_at AS "registeredAt", status, show_me AS "showMe"
    FROM event LEFT JOIN placed ON true`,
});

/**
 * Doesn't lock the event's row at the start: a trigger locks it late, and events_within_capacity_check
 * prevents overbooking.
 */
export const REGISTER = registering('register', '', `'${REGISTERED}'`, 'now()');

/** Locks the event's row first, so that the outcome and the order of waiting members are exact. */
export const JOIN = registering(
  'join',
  'FOR NO KEY UPDATE',
  `CASE
    WHEN capacity IS NULL OR registration_count < capacity THEN '${REGISTERED}'
    WHEN waitlist_enabled THEN '${WAITLISTED}' END`,
  `CASE offered WHEN '${WAITLISTED}' THEN events.moment_to_join(id) ELSE now() END`,
);

/** The statement returns no row if the event doesn't exist. `id` is null if it registered nobody. */
export type RegisterRow = {
  asks: boolean;
  refused: ErrorCode | null;
  outside: boolean;
  isNetworkFull: boolean;
  offered: RegistrationStatus | null;
  position: number;
} & (Omit<RegistrationEntity, 'eventId'> | { id: null });

export interface BeforePlace {
  hasGuests: boolean;
  questions: Question[];
  refused: ErrorCode | null;
  status: RegistrationStatus | null;
}

/** Takes the same locks as REGISTER. Returns null if the event doesn't exist. */
export async function beforePlace(
  manager: EntityManager,
  eventId: string,
  userId: string,
): Promise<BeforePlace | null> {
  await manager.query('SELECT events.lock_members(ARRAY[$1::uuid])', [userId]);
  await lockOwnPlace(manager, eventId, userId);
  const [row] = await manager.query<BeforePlace[]>(
    `SELECT event.has_guests AS "hasGuests", coalesce(content.questions, '[]') AS questions,
       events.registration_refusal(event) AS refused, own.status
     FROM events.events AS event
     LEFT JOIN events.event_contents AS content ON content.event_id = event.id
     LEFT JOIN events.event_registrations AS own ON own.event_id = event.id AND own.user_id = $2
     WHERE event.id = $1`,
    [eventId, userId],
  );
  return row ?? null;
}

/**
 * Predicts whether a registration will succeed. For unverified members, always predicts a refusal.
 * $1 event, $2 user, $3 accepts waiting, $4 selected date
 */
export const REGISTERING_IS_LIKELY = {
  name: 'may_register',
  text: `
    SELECT FROM events.events AS event
    WHERE id = $1::uuid AND events.registration_refusal(event) IS NULL AND NOT (has_guests OR has_questions)
      AND (capacity IS NULL OR registration_count < capacity OR ($3::boolean AND waitlist_enabled))
      AND coalesce($4::timestamptz BETWEEN start_date AND end_date, true)
      AND events.is_verified($2::uuid)
      AND NOT EXISTS (
        SELECT FROM events.event_registrations
        WHERE event_id = $1::uuid AND user_id = $2::uuid AND status <> 'cancelled')`,
};

/**
 * Returns whether the member is unverified and the network has reached its limit of unverified registrations.
 * The limit prevents someone from filling an event with other people's email addresses. Locks the event's row
 * before counting, to see what other transactions committed.
 * @param network a keyed hash
 */
export async function isNetworkFull(
  manager: EntityManager,
  { eventId, userId, network, limit }: { eventId: string; userId: string; network: string; limit: number },
): Promise<boolean> {
  await manager.sql`SELECT FROM events.events WHERE id = ${eventId} FOR NO KEY UPDATE`;
  const [{ isFull }] = await manager.sql<[{ isFull: boolean }]>`
    SELECT count(*) >= ${limit} AND NOT events.is_verified(${userId}) AS "isFull"
    FROM events.event_registrations AS registration JOIN auth.member_contact AS member ON member.id = registration.user_id
    WHERE registration.event_id = ${eventId} AND registration.network = ${network} AND member.unconfirmed`;
  return isFull;
}

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

export async function lockOwnPlace(manager: EntityManager, eventId: string, userId: string): Promise<void> {
  await manager.query(`SELECT ${shareEventLock('$1')}, ${lockPlace('$1', '$2')}`, [eventId, userId]);
}

/** Takes the locks in the order of user ids, to prevent deadlocks. */
export async function lockRegistrations(
  manager: EntityManager,
  eventId: string,
  ids: string[],
): Promise<void> {
  await manager.query(`SELECT ${shareEventLock('$1')}`, [eventId]);
  await manager.query(
    `SELECT ${lockPlace('$1', 'user_id')} FROM (
       SELECT user_id FROM events.event_registrations
       WHERE event_id = $1 AND id = ANY ($2::uuid[]) AND user_id IS NOT NULL ORDER BY user_id) AS members`,
    [eventId, ids],
  );
}

export async function takeOverGuest(
  manager: EntityManager,
  eventId: string,
  userId: string,
  showMe: PlaceShows | null,
): Promise<boolean> {
  const [row] = await manager.query<[{ id: string | null }]>(
    'SELECT events.take_over_guest($1, $2, $3) AS id',
    [eventId, userId, showMe],
  );
  return row.id !== null;
}

export async function changeShown(
  manager: EntityManager,
  eventId: string,
  userId: string,
  showMe: PlaceShows,
): Promise<Omit<RegistrationEntity, 'eventId'> | null> {
  const [[row]] = await manager.query<[Omit<RegistrationEntity, 'eventId'>[], number]>(
    `UPDATE events.event_registrations SET show_me = $3
     WHERE event_id = $1 AND user_id = $2 AND status IN ('${REGISTERED}', '${WAITLISTED}')
     RETURNING id, user_id AS "userId", selected_date AS "selectedDate", registered_at AS "registeredAt", status,
       show_me AS "showMe"`,
    [eventId, userId, showMe],
  );
  return row ?? null;
}

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

/** Predicts whether UNREGISTER will change anything. $1 event, $2 user */
export const UNREGISTERING_IS_LIKELY = {
  name: 'may_unregister',
  text: `
    SELECT FROM events.event_registrations AS own JOIN events.events AS event ON event.id = own.event_id
    WHERE event.id = $1::uuid AND own.user_id = $2::uuid AND own.status <> 'cancelled' AND event.start_date > now()`,
};

/** Locks the event's row before registrations, as a promotion does. $1 event, $2 user, $3 request id */
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
      SET ${ended('cancelled')}, entry_revision = registration.entry_revision + mine.placed::integer FROM mine
      WHERE registration.id = mine.id AND registration.status <> 'cancelled'
      RETURNING registration.id, registration.registered_at, mine.placed),
    given_up AS (SELECT id, registered_at FROM ended WHERE placed),
    mail AS (${insertMail(UnregisteredMail, 'given_up', '$3')}),
    roll_up AS (${insertRollUp('given_up', '$3')})
    SELECT started, EXISTS (SELECT FROM ended) AS ended, (SELECT ${notifyRelay('events')} FROM given_up) FROM event`,
};

export interface UnregisterRow {
  started: boolean;
  ended: boolean;
}

/** Moves a member to the front of the waiting list. Lock the event's row first. */
export async function putFirst(manager: EntityManager, eventId: string, userId: string): Promise<void> {
  await manager.query(
    `UPDATE events.event_registrations SET registered_at = (
       SELECT min(registered_at) - interval '1 ms' FROM events.event_registrations
       WHERE event_id = $1 AND status = '${WAITLISTED}')
     WHERE event_id = $1 AND user_id = $2 AND status = '${WAITLISTED}'`,
    [eventId, userId],
  );
}

const ACTIVITY_DAYS = 14;

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

export async function requestRollUp(manager: EntityManager): Promise<void> {
  await manager.query(`WITH gone AS (SELECT) ${insertRollUp('gone', '$1')}`, [requestId()]);
}

export async function fetchFigures(manager: EntityManager, userId: string): Promise<MemberFigures> {
  const [row] = await manager.query<[MemberFigures]>(
    `SELECT count(*)::integer AS registered,
       count(*) FILTER (WHERE event.end_date <= now() AND events.came(place))::integer AS attended,
       count(*) FILTER (WHERE event.end_date <= now() AND events.did_not_come(place, events.knows_who_came(event.id)))::integer AS "noShows"
     FROM events.event_registrations AS place JOIN events.events AS event ON event.id = place.event_id
     WHERE place.user_id = $1 AND place.status = 'registered' AND event.status = 'published'`,
    [userId],
  );
  return row;
}
