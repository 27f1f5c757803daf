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
  cutPage,
  decodeCursor,
  insertJobs,
  type KeysetOrder,
  keysetPage,
  notifyRelay,
  type OutboxWriter,
  requestId,
} from '@meetmark/platform';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { EventEntity } from '../events/core/event.entity.js';
import { MemberContactView } from '../registrations/registration.entity.js';
import { addPlace } from '../events/notices/event-notices.js';
import {
  ended,
  insertMail,
  insertRollUp,
  isoString,
  NOT_ENDED,
} from '../registrations/participants.repository.js';
import { GuestEntity, presentGuest, type ShownGuest } from './guest.entity.js';

export const BY_ARRIVAL: KeysetOrder = {
  name: 'guests',
  key: 'guest.registeredAt',
  type: 'timestamptz',
  id: 'guest.id',
  direction: 'ASC',
};

/** Maximum matches to sort. With more, the guest list is scanned in order until a page is full. */
const MANY = 500;

/** Name and email address of a guest whom an organiser added. Must match the index. */
const namedAs = (place: string) =>
  `public.searchable(coalesce(${place}.guest_name, ${place}.added_as) || ' ' || coalesce(${place}.guest_email, ''))`;

/** Passes matching members as an array, because the planner would otherwise scan the whole guest list. */
const MATCHING = `
  SELECT place.id, place.registered_at, place.status, place.checked_in_at, place.user_id, place.added_as FROM events.event_registrations AS place
  WHERE place.event_id = $1 AND place.added_as IS NULL AND (SELECT count(*) FROM members) <= ${MANY}
    AND place.user_id = ANY (ARRAY(SELECT id FROM members))
  UNION ALL
  SELECT place.id, place.registered_at, place.status, place.checked_in_at, place.user_id, place.added_as FROM events.event_registrations AS place
  WHERE place.event_id = $1 AND (place.guest_name IS NOT NULL OR place.added_as IS NOT NULL)
    AND ${namedAs('place')} LIKE public.containing($2)`;

const SHOWN = `place.id, place.registered_at AS "registeredAt", place.status, place.user_id AS "userId",
  place.guest_name AS "guestName", place.guest_email AS "guestEmail", place.added_as AS "addedAs", place.note,
  place.paid_at AS "paidAt", place.checked_in_at AS "checkedInAt", place.checked_in_by AS "checkedInBy", place.answers,
  CASE WHEN contact.id IS NOT NULL THEN json_build_object('firstName', contact.first_name, 'lastName', contact.last_name,
    'email', contact.email, 'profileImageUrl', contact.profile_image_url, 'unconfirmed', contact.unconfirmed) END AS member`;

const withMember = (guests: SelectQueryBuilder<GuestEntity>) =>
  guests.leftJoinAndMapOne('guest.member', MemberContactView, 'member', 'member.id = guest.userId');

/** Never true for guests whom an organiser added, so as not to reveal accounts. */
const isUnconfirmed = (guest: string) =>
  `(${guest}.added_as IS NULL AND EXISTS (
    SELECT FROM auth.member_contact AS contact WHERE contact.id = ${guest}.user_id AND contact.unconfirmed))`;

export function selectGuests(
  manager: EntityManager,
  { eventId, state, checkedIn, unconfirmed }: ListGuestsRequest,
): { found: SelectQueryBuilder<GuestEntity>; counted: SelectQueryBuilder<GuestEntity> } {
  const guests = manager
    .createQueryBuilder(GuestEntity, 'guest')
    .where('guest.eventId = :eventId', { eventId });
  if (state) guests.andWhere('guest.status = :state', { state });
  if (checkedIn) guests.andWhere(`guest.checkedInAt IS ${checkedIn === 'true' ? 'NOT ' : ''}NULL`);
  if (unconfirmed)
    guests.andWhere(`${isUnconfirmed('guest')} = :unconfirmed`, { unconfirmed: unconfirmed === 'true' });
  return { found: withMember(guests.clone()), counted: guests };
}

export async function searchedGuests(
  manager: EntityManager,
  request: ListGuestsRequest,
  part: string,
  page: PageRequest,
): Promise<Page<ShownGuest>> {
  const { eventId, state, checkedIn, unconfirmed } = request;
  const { limit = LIMITS.listMax, cursor } = page;
  const after = cursor === undefined ? null : decodeCursor(cursor, BY_ARRIVAL.name, BY_ARRIVAL.type);
  const rows = await manager.query<(ShownGuest & { total: number })[]>(
    `WITH members AS MATERIALIZED (
       SELECT contact.id FROM auth.member_contact AS contact WHERE contact.search_text LIKE public.containing($2) LIMIT ${MANY + 1}),
     matches AS MATERIALIZED (
       SELECT id, registered_at FROM (${MATCHING}) AS guest
       WHERE ($3::text IS NULL OR status = $3) AND ($4::boolean IS NULL OR (checked_in_at IS NOT NULL) = $4)
         AND ($8::boolean IS NULL OR ${isUnconfirmed('guest')} = $8)
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
      ...[eventId, part, state ?? null, checkedIn === undefined ? null : checkedIn === 'true'],
      ...[after?.key ?? null, after?.id ?? null, limit + 1],
      unconfirmed === undefined ? null : unconfirmed === 'true',
    ],
  );
  const [first] = rows;
  if (first === undefined) return searchedInOrder(manager, request, part, page);
  const found = rows.filter(({ id }) => id !== null);
  const getPosition = ({ registeredAt, id }: ShownGuest) => ({ key: registeredAt, id });
  return { ...cutPage(found, limit, BY_ARRIVAL.name, getPosition), total: first.total };
}

/** Scans the guest list in order, because a frequent term fills a page soon. Counts may be 2 seconds old. */
function searchedInOrder(
  manager: EntityManager,
  request: ListGuestsRequest,
  part: string,
  page: PageRequest,
): Promise<Page<GuestEntity>> {
  const { found, counted } = selectGuests(manager, request);
  // CASE makes the planner assume that half of the rows match and that it can stop after a page
  const matching = `CASE WHEN guest.addedAs IS NULL AND member.search_text LIKE public.containing(:part)
    OR ${namedAs('guest')} LIKE public.containing(:part) THEN true ELSE false END`;
  for (const guests of [found, withMember(counted)]) guests.andWhere(matching, { part });
  return keysetPage(found, page, BY_ARRIVAL, counted);
}

export const findGuest = (manager: EntityManager, eventId: string, id: string) =>
  withMember(manager.createQueryBuilder(GuestEntity, 'guest'))
    .where('guest.id = :id AND guest.eventId = :eventId', { id, eventId })
    .getOne();

export const hasNoShows = async (
  manager: EntityManager,
  { id: eventId, endDate }: Pick<EventEntity, 'id' | 'endDate'>,
): Promise<boolean> =>
  endDate.getTime() <= Date.now() &&
  manager
    .createQueryBuilder(GuestEntity, 'guest')
    .where('guest.eventId = :eventId AND guest.checkedInAt IS NOT NULL', { eventId })
    .getExists();

export async function presentedGuest(
  manager: EntityManager,
  event: Pick<EventEntity, 'id' | 'endDate'>,
  id: string,
): Promise<Guest> {
  const guest = await findGuest(manager, event.id, id);
  // the account may have been deleted, together with its registrations
  if (guest === null) throw new DomainError('GUEST_NOT_FOUND');
  return presentGuest(guest, await hasNoShows(manager, event));
}

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

const mailable = (source: string) =>
  `SELECT * FROM ${source} WHERE user_id IS NOT NULL OR guest_email IS NOT NULL`;

/** Adds a guest or renews a cancelled registration. Lock the event's row and make room first. */
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
         SET status = excluded.status, registered_at = now(), entry_revision = registration.entry_revision + 1, ${NOT_ENDED},
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

/** Lock the event's row and make room first. */
export async function placeGuest(manager: EntityManager, { id, status }: GuestEntity): Promise<void> {
  const mail = status === WAITLISTED ? PromotedMail : RegistrationConfirmedMail;
  await manager.query(
    `WITH placed AS (
       UPDATE events.event_registrations
       SET status = '${REGISTERED}', registered_at = now(), entry_revision = entry_revision + 1, ${NOT_ENDED}
       WHERE id = $1 AND status <> '${REGISTERED}' RETURNING *),
     mailed AS (${mailable('placed')}),
     mails AS (${insertMail(mail, 'mailed', '$2')}),
     roll_up AS (${insertRollUp('placed', '$2')})
     SELECT ${notifyRelay('events')} FROM placed`,
    [id, requestId()],
  );
}

/** `found` is how many of the ids are on the guest list. Lock the event's row first. */
export async function removeGuests(
  manager: EntityManager,
  eventId: string,
  ids: string[],
  reason: string | null,
): Promise<{ found: number; removed: number }> {
  const mail = {
    id: 'gen_random_uuid()',
    payload: `jsonb_build_object('registrationId', id, 'registeredAt', ${isoString('registered_at')}, 'reason', $4::text, 'waited', waited)`,
    requestId: '$3::text',
  };
  const [counts] = await manager.query<[{ found: number; removed: number }]>(
    `WITH listed AS (
       SELECT id, status FROM events.event_registrations WHERE event_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE),
     removed AS (
       UPDATE events.event_registrations AS registration
       SET ${ended('removed')},
         entry_revision = registration.entry_revision + (listed.status = '${REGISTERED}')::integer
       FROM listed WHERE registration.id = listed.id AND listed.status <> 'cancelled'
       RETURNING registration.*, listed.status = '${WAITLISTED}' AS waited),
     mailed AS (${mailable('removed')}),
     mails AS (${insertJobs('events', PlaceRemovedMail, mail, 'FROM mailed')}),
     roll_up AS (${insertRollUp('removed', '$3')})
     SELECT (SELECT count(*)::integer FROM listed) AS found, (SELECT count(*)::integer FROM removed) AS removed, ${notifyRelay('events')}`,
    [eventId, ids, requestId(), reason],
  );
  return counts;
}

/**
 * Rejects a full event, or raises its capacity. Lock the event's row first.
 * @param callerId null if the account that made the door link was deleted
 */
export async function makeRoom(
  outbox: OutboxWriter,
  manager: EntityManager,
  callerId: string | null,
  event: EventEntity,
  raiseCapacity = false,
): Promise<void> {
  const { status, capacity, registrationCount, waitingCount } = event;
  if (status === 'draft') throw new DomainError('EVENT_NOT_PUBLISHED');
  if (status === 'cancelled') throw new DomainError('EVENT_CANCELLED');
  if (capacity === null || registrationCount < capacity) return;
  if (!raiseCapacity || capacity >= LIMITS.capacityMax)
    throw new DomainError('EVENT_FULL', { waiting: waitingCount });
  // keeps the database from giving the added place to someone on the waiting list
  await manager.query("SELECT set_config('meetmark.place_kept', $1, true)", [event.id]);
  await addPlace(outbox, manager, callerId, event);
}
