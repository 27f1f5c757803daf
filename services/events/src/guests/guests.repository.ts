import {
  DomainError,
  type Guest,
  LIMITS,
  type ListGuestsRequest,
  type Page,
  type PageRequest,
  PlaceRemovedMail,
  PromotedMail,
  REGISTERED,
  RegistrationConfirmedMail,
  WAITLISTED,
} from '@meetmark/contracts';
import {
  containing,
  cutPage,
  decodeCursor,
  insertJobs,
  type KeysetOrder,
  keysetPage,
  notifyRelay,
  requestId,
} from '@meetmark/platform';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { EventEntity } from '../events/event.entity.js';
import { MemberContactView } from '../events/registration.entity.js';
import { insertMail, insertRollUp, isoString } from '../events/participants.repository.js';
import { GuestEntity, presentGuest, type ShownGuest } from './guest.entity.js';

// The statements about the guest list. Each runs with the manager of its caller's transaction.

/** Orders guests by their arrival. */
export const BY_ARRIVAL: KeysetOrder = {
  name: 'guests',
  key: 'guest.registeredAt',
  type: 'timestamptz',
  id: 'guest.id',
  direction: 'ASC',
};

/** The most people of one name that are looked up at once. If more people have the name, the guest list is read in its order until a page is full. */
const MANY = 500;

/** The name and address by which somebody without an account is found, as an index has them. */
const namedAs = (place: string) =>
  `lower(coalesce(${place}.guest_name, ${place}.added_as) || ' ' || coalesce(${place}.guest_email, ''))`;

/**
 * Those at the event $1 whose name or address matches the pattern $2 of LIKE. Who was named by an organiser is found by that alone. Members
 * are found first, as an array: the planner takes any other form for a reason to read the whole guest list.
 */
const MATCHING = `
  SELECT place.id, place.registered_at, place.status, place.checked_in_at FROM events.event_registrations AS place
  WHERE place.event_id = $1 AND place.added_as IS NULL AND (SELECT count(*) FROM members) <= ${MANY}
    AND place.user_id = ANY (ARRAY(SELECT id FROM members))
  UNION ALL
  SELECT place.id, place.registered_at, place.status, place.checked_in_at FROM events.event_registrations AS place
  WHERE place.event_id = $1 AND (place.guest_name IS NOT NULL OR place.added_as IS NOT NULL)
    AND ${namedAs('place')} LIKE lower($2)`;

/** What is shown of the registration `place`, whose member, if any, is `contact`. */
const SHOWN = `place.id, place.registered_at AS "registeredAt", place.status, place.user_id AS "userId",
  place.guest_name AS "guestName", place.guest_email AS "guestEmail", place.added_as AS "addedAs", place.note,
  place.paid_at AS "paidAt", place.checked_in_at AS "checkedInAt", place.checked_in_by AS "checkedInBy", place.answers,
  CASE WHEN contact.id IS NOT NULL THEN json_build_object('firstName', contact.first_name, 'lastName', contact.last_name,
    'email', contact.email, 'profileImageUrl', contact.profile_image_url) END AS member`;

const withMember = (guests: SelectQueryBuilder<GuestEntity>) =>
  guests.leftJoinAndMapOne('guest.member', MemberContactView, 'member', 'member.id = guest.userId');

/** The page's query, and one with as many rows that is cheaper to count. */
export function guestsOf(
  manager: EntityManager,
  { eventId, state, checkedIn }: ListGuestsRequest,
): { found: SelectQueryBuilder<GuestEntity>; counted: SelectQueryBuilder<GuestEntity> } {
  const guests = manager
    .createQueryBuilder(GuestEntity, 'guest')
    .where('guest.eventId = :eventId', { eventId });
  if (state) guests.andWhere('guest.status = :state', { state });
  if (checkedIn) guests.andWhere(`guest.checkedInAt IS ${checkedIn === 'true' ? 'NOT ' : ''}NULL`);
  return { found: withMember(guests.clone()), counted: guests };
}

/** A page of those whose name or address has a part. */
export async function searchedGuests(
  manager: EntityManager,
  request: ListGuestsRequest,
  part: string,
  page: PageRequest,
): Promise<Page<ShownGuest>> {
  const { eventId, state, checkedIn } = request;
  const { limit = LIMITS.listMax, cursor } = page;
  const after = cursor === undefined ? null : decodeCursor(cursor, BY_ARRIVAL.name, BY_ARRIVAL.type);
  const rows = await manager.query<(ShownGuest & { total: number })[]>(
    `WITH members AS MATERIALIZED (
       SELECT contact.id FROM auth.member_contact AS contact WHERE contact.search_text LIKE lower($2) LIMIT ${MANY + 1}),
     matches AS MATERIALIZED (
       SELECT id, registered_at FROM (${MATCHING}) AS guest
       WHERE ($3::text IS NULL OR status = $3) AND ($4::boolean IS NULL OR (checked_in_at IS NOT NULL) = $4)
       LIMIT ${MANY + 1}),
     counted AS (
       SELECT count(*)::integer AS total FROM matches
       HAVING count(*) <= ${MANY} AND (SELECT count(*) FROM members) <= ${MANY}),
     page AS (
       SELECT * FROM matches WHERE $5::timestamptz IS NULL OR (registered_at, id) > ($5, $6::uuid)
       ORDER BY registered_at, id LIMIT $7)
     SELECT counted.total, shown.* FROM counted LEFT JOIN (
       SELECT ${SHOWN} FROM page JOIN events.event_registrations AS place ON place.id = page.id
       LEFT JOIN auth.member_contact AS contact ON contact.id = place.user_id) AS shown ON true
     ORDER BY shown."registeredAt", shown.id`,
    [
      ...[eventId, containing(part), state ?? null, checkedIn === undefined ? null : checkedIn === 'true'],
      ...[after?.key ?? null, after?.id ?? null, limit + 1],
    ],
  );
  const [first] = rows;
  if (first === undefined) return searchedInOrder(manager, request, part, page);
  const found = rows.filter(({ id }) => id !== null);
  const endOf = ({ registeredAt, id }: ShownGuest) => ({ key: registeredAt, id });
  return { ...cutPage(found, limit, BY_ARRIVAL.name, endOf), total: first.total };
}

/** The same for a part that many have: a page is full soon, and their number is one of at most two seconds ago. */
function searchedInOrder(
  manager: EntityManager,
  request: ListGuestsRequest,
  part: string,
  page: PageRequest,
): Promise<Page<GuestEntity>> {
  const { found, counted } = guestsOf(manager, request);
  // CASE: the planner takes every second row for one, and therefore reads no further than to the end of the page
  const matching = `CASE WHEN guest.addedAs IS NULL AND member.search_text LIKE lower(:part)
    OR ${namedAs('guest')} LIKE lower(:part) THEN true ELSE false END`;
  for (const guests of [found, withMember(counted)]) guests.andWhere(matching, { part: containing(part) });
  return keysetPage(found, page, BY_ARRIVAL, counted);
}

/** Null when there is none at this event. */
export const findGuest = (manager: EntityManager, eventId: string, id: string) =>
  withMember(manager.createQueryBuilder(GuestEntity, 'guest'))
    .where('guest.id = :id AND guest.eventId = :eventId', { id, eventId })
    .getOne();

/** Whether the event is over and somebody was checked in: without any check-in it is not known who came. */
export const hasNoShows = async (
  manager: EntityManager,
  { id: eventId, endDate }: Pick<EventEntity, 'id' | 'endDate'>,
): Promise<boolean> =>
  endDate.getTime() <= Date.now() &&
  manager
    .createQueryBuilder(GuestEntity, 'guest')
    .where('guest.eventId = :eventId AND guest.checkedInAt IS NOT NULL', { eventId })
    .getExists();

/** @throws DomainError GUEST_NOT_FOUND */
export async function presentedGuest(
  manager: EntityManager,
  event: Pick<EventEntity, 'id' | 'endDate'>,
  id: string,
): Promise<Guest> {
  const guest = await findGuest(manager, event.id, id);
  // an account that is deleted takes its registrations along
  if (guest === null) throw new DomainError('GUEST_NOT_FOUND');
  return presentGuest(guest, await hasNoShows(manager, event));
}

/** Who is on the guest list with this address, given up or not; of several the one with a place. */
export async function guestWithAddress(
  manager: EntityManager,
  eventId: string,
  email: string,
): Promise<Pick<GuestEntity, 'id' | 'userId' | 'status' | 'addedAs' | 'guestEmail'> | null> {
  const [row] = await manager.query<GuestEntity[]>(
    `SELECT id, user_id AS "userId", status, added_as AS "addedAs", guest_email AS "guestEmail"
     FROM events.event_registrations
     WHERE event_id = $1 AND (lower(guest_email) = lower($2) OR (added_as IS NULL
       AND user_id = (SELECT id FROM auth.member_contact WHERE lower(email) = lower($2))))
     ORDER BY status <> '${REGISTERED}', status <> '${WAITLISTED}', guest_email IS NULL LIMIT 1`,
    [eventId, email],
  );
  return row ?? null;
}

/** SQL that selects the people of `source` (a CTE) who have an address. */
const mailable = (source: string) =>
  `SELECT * FROM ${source} WHERE user_id IS NOT NULL OR guest_email IS NOT NULL`;

/**
 * Gives a place to somebody without an account. A place that was given up under this address is taken again. The caller has locked the event's
 * row and made room. Returns the registration's id.
 */
export async function insertGuest(
  manager: EntityManager,
  eventId: string,
  { name, email }: { name: string; email: string | null },
): Promise<string> {
  if (email !== null)
    await manager.query('UPDATE events.events SET has_guests = true WHERE id = $1 AND NOT has_guests', [
      eventId,
    ]);
  const [row] = await manager.query<[{ id: string }]>(
    `WITH placed AS (
       INSERT INTO events.event_registrations AS registration (id, event_id, guest_name, guest_email, status, show_me)
       VALUES ($1, $2, $3, $4, '${REGISTERED}', 'no')
       ON CONFLICT (event_id, lower(guest_email)) WHERE guest_email IS NOT NULL DO UPDATE
         SET status = excluded.status, registered_at = now(), entry_revision = registration.entry_revision + 1,
           guest_name = CASE WHEN registration.user_id IS NULL THEN excluded.guest_name END,
           added_as = CASE WHEN registration.user_id IS NOT NULL THEN excluded.guest_name END
         WHERE registration.status = 'cancelled'
       RETURNING *),
     mailed AS (${mailable('placed')}),
     mails AS (${insertMail(RegistrationConfirmedMail, 'mailed', '$5')}),
     roll_up AS (${insertRollUp('placed', '$5')})
     SELECT id, ${notifyRelay('events')} FROM placed`,
    [uuid(), eventId, name, email, requestId()],
  );
  return row.id;
}

/** A place for somebody who waits, was removed or lost theirs: the organiser's word is enough. The caller has locked the event's row and made room. */
export async function placeGuest(manager: EntityManager, { id, status }: GuestEntity): Promise<void> {
  const mail = status === WAITLISTED ? PromotedMail : RegistrationConfirmedMail;
  await manager.query(
    `WITH placed AS (
       UPDATE events.event_registrations
       SET status = '${REGISTERED}', registered_at = now(), entry_revision = entry_revision + 1, ended_as = NULL
       WHERE id = $1 AND status <> '${REGISTERED}' RETURNING *),
     mailed AS (${mailable('placed')}),
     mails AS (${insertMail(mail, 'mailed', '$2')}),
     roll_up AS (${insertRollUp('placed', '$2')})
     SELECT ${notifyRelay('events')} FROM placed`,
    [id, requestId()],
  );
}

/** Takes the place, or the waiting for one, away and tells the person. The caller has locked the event's row. */
export async function removeGuest(manager: EntityManager, id: string, reason: string | null): Promise<void> {
  const mail = {
    id: 'gen_random_uuid()',
    payload: `jsonb_build_object('registrationId', id, 'registeredAt', ${isoString('registered_at')}, 'reason', $3::text, 'waited', waited)`,
    requestId: '$2::text',
  };
  await manager.query(
    `WITH mine AS (
       SELECT id, status FROM events.event_registrations WHERE id = $1 AND status <> 'cancelled' FOR UPDATE),
     removed AS (
       UPDATE events.event_registrations AS registration
       SET status = 'cancelled', ended_as = 'removed',
         entry_revision = registration.entry_revision + (mine.status = '${REGISTERED}')::integer
       FROM mine WHERE registration.id = mine.id
       RETURNING registration.*, mine.status = '${WAITLISTED}' AS waited),
     mailed AS (${mailable('removed')}),
     mails AS (${insertJobs('events', PlaceRemovedMail, mail, 'FROM mailed')}),
     roll_up AS (${insertRollUp('removed', '$2')})
     SELECT ${notifyRelay('events')} FROM removed`,
    [id, requestId(), reason],
  );
}

/** While one can register, the database gives a new place to the first who waits: this one is for somebody else. */
export async function keepPlace(manager: EntityManager, eventId: string): Promise<void> {
  await manager.query("SELECT set_config('meetmark.place_kept', $1, true)", [eventId]);
}
