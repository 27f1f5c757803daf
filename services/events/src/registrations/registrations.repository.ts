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
import { insertMail, insertRollUp, shareEventLock } from '../events/participants.repository.js';
import type { RegistrationEntity } from '../events/registration.entity.js';

// The statements about the registrations of one member.

/** The deletion of the account, which locks the rows of all its events, comes before this or after the transaction. */
const lockMember = (userId: string) => `(SELECT count(*) FROM events.lock_members(ARRAY[${userId}::uuid]))`;

const lockPlace = (eventId: string, userId: string) =>
  `pg_advisory_xact_lock(hashtextextended('place ' || ${eventId}::uuid || ' ' || ${userId}::uuid, 0))`;

/** `lookedAfter`: what the event asks first (`asks`) has been answered, as JSON in `answers`. */
export type RegisterValues = [
  eventId: string,
  registrationId: string,
  userId: string,
  selectedDate: string | null,
  requestId: string | null,
  showMe: PlaceShows | null,
  lookedAfter: boolean,
  answers: string | null,
  networkHash: string | null,
];

/**
 * A registration is this one statement and transaction: the place and its jobs, in one round trip. Its parameters are RegisterValues.
 * @param status SQL of what the member gets, or null: nothing; `registeredAt` and `locks` accordingly
 */
const registering = (name: string, locks: { member: string; event: string }, status: string, at: string) => ({
  name,
  text: `
    WITH gate AS MATERIALIZED (SELECT ${shareEventLock('$1')}, ${lockMember('$3')}, ${lockPlace('$1', '$3')}${locks.member}),
    event AS MATERIALIZED (
      SELECT id, events.registration_refusal(events) AS refused, ${status} AS offered, waiting_count, (has_guests OR has_questions) AND $7::boolean IS NOT TRUE AS asks,
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
  /** The position on the waiting list of a member who has joined it. */
  position: number;
} & (Omit<RegistrationEntity, 'eventId'> | { id: null });

/** What comes before the place of a member at an event that has guests, or asks something. */
export interface BeforePlace {
  hasGuests: boolean;
  questions: Question[];
  refused: ErrorCode | null;
  /** The status of the member's present registration. */
  status: RegistrationStatus | null;
}

/** Takes the locks of REGISTER, and that of the member, whose deletion locks the event's row as answers do. Null: the event does not exist. */
export async function beforePlace(
  manager: EntityManager,
  eventId: string,
  userId: string,
): Promise<BeforePlace | null> {
  await lockOwnPlace(manager, eventId, userId);
  await manager.query('SELECT events.lock_members(ARRAY[$1::uuid])', [userId]);
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

/** REGISTER or JOIN as the last statement of a transaction that has looked after what the event asks. */
export const takePlace = async (manager: EntityManager, { text }: typeof REGISTER, values: RegisterValues) =>
  (await manager.query<RegisterRow[]>(text, values))[0];

/** Replaces the answers of a place that was taken before. */
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

/** Takes the locks of REGISTER, for a transaction with more than one statement about a member's place. */
export async function lockOwnPlace(manager: EntityManager, eventId: string, userId: string): Promise<void> {
  await manager.query(`SELECT ${shareEventLock('$1')}, ${lockPlace('$1', '$2')}`, [eventId, userId]);
}

/** Makes the place that an organiser added for the member's address the member's. False when there is none. */
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

/** Changes what others learn of the member. Null when the member has no place and does not wait. */
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
       show_me AS "showMe", lapses_at AS "lapsesAt"`,
    [eventId, userId, showMe],
  );
  return row ?? null;
}

/** Lists by event the first who come and want to be shown; events without any are left out. */
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

/** Days, today included, that the activity of one event covers. */
const ACTIVITY_DAYS = 14;

/** Counts the places that are taken now, by the day in `timeZone` on which they were taken. */
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

/** Counts who came and did not come as the guest list does, at events that are over. */
export async function figuresOf(manager: EntityManager, userId: string): Promise<MemberFigures> {
  const [row] = await manager.query<[MemberFigures]>(
    `SELECT count(*)::integer AS registered,
       count(*) FILTER (WHERE event.end_date <= now() AND events.came(place))::integer AS attended,
       count(*) FILTER (WHERE event.end_date <= now() AND events.did_not_come(place))::integer AS "noShows"
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
