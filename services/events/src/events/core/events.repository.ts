import {
  DomainError,
  ERRORS,
  EventCancelledMail,
  isMoment,
  mailboxSql,
  REGISTERED,
  STATISTICS_DAYS,
  WAITLISTED,
  type VenueFilter,
} from '@meetmark/contracts';
import type {
  CancelledEvent,
  Edit,
  EventPage,
  EventFigures,
  EventFilter,
  PreviewLink,
  RegistrationStatus,
} from '@meetmark/contracts';
import {
  type Call,
  callerId,
  insertJobs,
  notifyRelay,
  requestId,
  type KeysetOrder,
  type KeysetPart,
  parseOrder,
} from '@meetmark/platform';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { requireManager } from './event-managers.js';
import { RegistrationEntity } from '../../registrations/registration.entity.js';
import { type Participant, waitingPositions } from '../../registrations/participants.repository.js';
import { fetchContent, venues } from '../content/event-content.repository.js';
import { presentPage } from '../content/event-content.js';
import { EventEntity } from './event.entity.js';
import type { Viewer } from './viewer.js';

const NAMED_EDITS = 20;
/** The hyphen and 8 random characters that end an unlisted event's slug. */
export const ENDING = 9;

export type EventQuery = SelectQueryBuilder<EventEntity>;

/** Conditions for events that people see without managing them. Apply them with the functions below. */
const SEEN = {
  list: "event.status = 'published' AND event.visibility = 'public'",
  /** The public calendar keeps showing cancelled events. */
  feed: "event.status <> 'draft' AND event.visibility = 'public'",
  place: "event.status <> 'draft'",
  /** For an event's page and the pages below it. Managers see drafts there too. */
  address: "event.status <> 'draft'",
} as const;

export function eventsSeenBy(
  manager: EntityManager,
  viewer: Viewer,
  where: keyof typeof SEEN,
  { withOwn = true } = {},
): EventQuery {
  const query = eventsWithOwn(manager, withOwn && viewer ? viewer.sub : null);
  if (viewer?.isAdmin) return query;
  if (viewer === null || where !== 'address') return query.where(SEEN[where]);
  return query.where(`(${SEEN[where]} OR ${managedBy(viewer)})`, { managerId: viewer.sub });
}

/** Condition for a viewer who isn't an owner. Applies the same rule as events.management_refusal. */
const managedBy = ({ isOrganiser }: NonNullable<Viewer>, managerId = ':managerId') =>
  `(${isOrganiser ? `event.created_by_id = ${managerId} OR` : ''} EXISTS (
    SELECT FROM events.event_people AS person
    WHERE person.event_id = event.id AND person.user_id = ${managerId} AND event.created_by_id <> ${managerId}
      AND person.agreed_at IS NOT NULL AND person.manages_agreed_at IS NOT NULL))`;

export const venuesSeenBy = (manager: EntityManager, viewer: NonNullable<Viewer>, filter: VenueFilter) =>
  venues(
    manager,
    { seen: viewer.isAdmin ? 'true' : `(${SEEN.feed} OR ${managedBy(viewer, '$5')})`, viewerId: viewer.sub },
    filter,
  );

export function eventsManagedBy(
  manager: EntityManager,
  viewer: NonNullable<Viewer>,
  { withOwn = true } = {},
): EventQuery {
  const query = eventsWithOwn(manager, withOwn ? viewer.sub : null);
  return viewer.isAdmin ? query : query.where(managedBy(viewer), { managerId: viewer.sub });
}

export async function eventSeenBy(manager: EntityManager, viewer: Viewer, id: string): Promise<EventEntity> {
  const query = eventsSeenBy(manager, viewer, 'address').andWhere('event.id = :id', { id });
  if (viewer !== null) query.addSelect(['own.answers', 'own.endedAs', 'own.endedAt']);
  const event = await query.getOne();
  if (!event) throw new DomainError('EVENT_NOT_FOUND');
  return event;
}

export async function eventSeenAt(manager: EntityManager, slug: string): Promise<EventEntity> {
  const event = await eventsSeenBy(manager, null, 'address')
    .select(['event.id', 'event.slug'])
    .andWhere('event.id = (SELECT event_id FROM events.slugs WHERE slug = :slug)', { slug })
    .getOne();
  if (!event) throw new DomainError('EVENT_NOT_FOUND');
  return event;
}

/** For an unlisted event, the database appends random characters to a new slug. */
export async function changeSlug(manager: EntityManager, event: EventEntity, slug: string): Promise<string> {
  const unlisted = event.visibility === 'unlisted';
  const keepsEnding = slug.endsWith(event.slug!.slice(-ENDING));
  if (!unlisted || keepsEnding) {
    await manager.query(
      'INSERT INTO events.slugs (slug, event_id, is_random) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [slug, event.id, unlisted],
    );
    // the insert has waited for concurrent inserts of this slug, so the slug's owner can't change any more
    const [owner] = await manager.query<[{ id: string }]>(
      'SELECT event_id AS id FROM events.slugs WHERE slug = $1',
      [slug],
    );
    if (owner.id !== event.id)
      throw new DomainError('SLUG_TAKEN', { fields: { slug: [ERRORS.SLUG_TAKEN.message] } });
  }
  const [[changed]] = await manager.query<[[{ slug: string }], number]>(
    'UPDATE events.events SET event_slug = $2, updated_at = now() WHERE id = $1 RETURNING event_slug AS slug',
    [event.id, slug],
  );
  return changed.slug;
}

/** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
export async function managedEvent(
  manager: EntityManager,
  call: Call,
  eventId: string,
): Promise<EventEntity> {
  await requireManager(manager, call, eventId);
  return eventSeenBy(manager, { sub: callerId(call), isAdmin: true }, eventId);
}

function eventsWithOwn(manager: EntityManager, viewerId: string | null): EventQuery {
  const query = manager.createQueryBuilder(EventEntity, 'event');
  if (viewerId === null) return query;
  return query.leftJoinAndMapOne(
    'event.ownRegistration',
    RegistrationEntity,
    'own',
    'own.eventId = event.id AND own.userId = :viewerId',
    { viewerId },
  );
}

export const selectMemberEvents = (
  manager: EntityManager,
  memberId: string,
  statuses: RegistrationStatus[] = [REGISTERED],
): EventQuery =>
  eventsSeenBy(manager, { sub: memberId, isAdmin: false }, 'place').andWhere('own.status IN (:...statuses)', {
    statuses,
  });

export async function addPositions(manager: EntityManager, events: EventEntity[]): Promise<void> {
  const waiting = events.filter(({ ownRegistration }) => ownRegistration?.status === WAITLISTED);
  if (waiting.length === 0) return;
  const positions = await waitingPositions(
    manager,
    waiting.map(({ ownRegistration }) => ownRegistration!.id),
  );
  for (const event of waiting) event.ownPosition = positions.get(event.ownRegistration!.id);
}

export const byStart = (sort: 'startDate' | '-startDate'): KeysetOrder => ({
  name: sort,
  key: 'event.startDate',
  type: 'timestamptz',
  id: 'event.id',
  direction: sort === 'startDate' ? 'ASC' : 'DESC',
});

const [FIRST_ID, LAST_ID] = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

/** The cursor contains the time of the first request, so that no event moves between pages. */
export function upcomingFirst(
  filtered: () => EventQuery,
  cursor: string | undefined,
): KeysetPart<EventEntity>[] {
  const [, given = ''] = (cursor === undefined ? undefined : parseOrder(cursor))?.split(' ') ?? [];
  const asOf = isMoment(given) ? given : new Date().toISOString();
  const part = (name: string, sort: 'startDate' | '-startDate', query: EventQuery, beyond?: string) => ({
    query: query.setParameters({ asOf }),
    order: { ...byStart(sort), name: `${name} ${asOf}` },
    begin: beyond === undefined ? undefined : { key: asOf, id: beyond },
  });
  return [
    part('running', 'startDate', filtered().andWhere(isRunning(':asOf::timestamptz'))),
    part('upcoming', 'startDate', filtered(), LAST_ID),
    part('over', '-startDate', filtered().andWhere('event.endDate <= :asOf'), FIRST_ID),
  ];
}

/** Must match the expression of the index events_running_idx. */
const isRunning = (at: string) => `tstzrange(event.startDate, event.endDate) @> ${at}`;

export function applyFilters(query: EventQuery, filter: EventFilter): EventQuery {
  const { q, price, format, topic, series, status, time, from, until, createdSince } = filter;
  if (q) {
    query.andWhere(
      `(public.searchable(event.title) LIKE public.containing(:q)
        OR public.searchable(event.description) LIKE public.containing(:q))`,
      { q },
    );
  }
  if (price) query.andWhere(`event.price IS ${price === 'free' ? '' : 'NOT '}NULL`);
  if (format) query.andWhere('event.format = :format', { format });
  if (topic)
    query.andWhere(
      `event.id IN (SELECT about.event_id FROM events.event_topics AS about
         JOIN events.topics AS topic ON topic.id = about.topic_id WHERE topic.slug = :topic)`,
      { topic },
    );
  if (series) query.andWhere('event.seriesId = :series', { series });
  if (status) query.andWhere('event.status = :status', { status });
  if (time === 'upcoming') query.andWhere('event.startDate >= now()');
  if (time === 'past') query.andWhere('event.startDate < now()');
  if (time === 'notEnded') query.andWhere(`(event.startDate >= now() OR ${isRunning('now()')})`);
  // the redundant condition on the start keeps the index scan away from upcoming events
  if (time === 'ended') query.andWhere('event.startDate < now() AND event.endDate <= now()');
  if (from) query.andWhere('event.endDate > :from', { from });
  if (until) query.andWhere('event.startDate < :until', { until });
  if (createdSince) query.andWhere('event.createdAt >= :createdSince', { createdSince });
  return query;
}

export async function countEvents(manager: EntityManager): Promise<Omit<EventFigures, 'nextEvents'>> {
  const [figures] = await manager.query<[Omit<EventFigures, 'nextEvents'>]>(
    `SELECT count(*)::integer AS total,
            count(*) FILTER (WHERE created_at > now() - make_interval(days => $1))::integer AS "createdLast30Days",
            count(*) FILTER (WHERE end_date > now())::integer AS upcoming
     FROM events.events WHERE status = 'published'`,
    [STATISTICS_DAYS],
  );
  return figures;
}

/** Use `for_no_key_update` for edits, `pessimistic_write` for deletions. Registrations wait for either. */
export async function lockEvent(
  manager: EntityManager,
  id: string,
  mode: 'for_no_key_update' | 'pessimistic_write',
): Promise<EventEntity> {
  const event = await manager.findOne(EventEntity, { where: { id }, lock: { mode } });
  if (!event) throw new DomainError('EVENT_NOT_FOUND');
  return event;
}

/** Locks events in id order, like the trigger on registrations, to prevent deadlocks. */
export async function lockForEdit(
  manager: EntityManager,
  id: string,
  withLater: boolean,
): Promise<{ event: EventEntity; later: EventEntity[] }> {
  const seriesId = withLater ? (await manager.findOneBy(EventEntity, { id }))?.seriesId : null;
  if (!seriesId) return { event: await lockEvent(manager, id, 'for_no_key_update'), later: [] };
  const series = await manager.find(EventEntity, {
    where: { seriesId },
    order: { id: 'ASC' },
    lock: { mode: 'for_no_key_update' },
  });
  const event = series.find((each) => each.id === id.toLowerCase());
  if (!event) throw new DomainError('EVENT_NOT_FOUND');
  const later = series.filter(
    ({ startDate, status }) => startDate > event.startDate && status !== 'cancelled',
  );
  return { event, later };
}

/** Call it only if `sub` may manage the event. */
export async function presentTo(manager: EntityManager, sub: string, id: string): Promise<EventPage> {
  const viewer = { sub, isAdmin: true };
  return presentPage(await eventSeenBy(manager, viewer, id), await fetchContent(manager, id), viewer);
}

export async function requireVersion(
  manager: EntityManager,
  event: EventEntity,
  version: number | undefined,
  callerId: string,
): Promise<void> {
  if (version === undefined || version === event.version) return;
  throw new DomainError('EDIT_CONFLICT', {
    present: await presentTo(manager, callerId, event.id),
    edits: await editsSince(manager, event.id, version, callerId),
  });
}

async function editsSince(
  manager: EntityManager,
  eventId: string,
  version: number,
  readerId: string,
): Promise<Edit[]> {
  const rows = await manager.query<
    { editorId: string | null; name: string | null; at: Date; changed: string[] }[]
  >(
    `SELECT edits.editor_id AS "editorId", edits.edited_at AS at, edits.changed,
       editor.first_name || ' ' || editor.last_name AS name
     FROM events.event_edits AS edits LEFT JOIN auth.member_card AS editor ON editor.id = edits.editor_id
     WHERE edits.event_id = $1 AND edits.version > $2 ORDER BY edits.version DESC LIMIT ${NAMED_EDITS}`,
    [eventId, version],
  );
  return rows.map(({ editorId, name, at, changed }) => ({
    by: name,
    own: editorId === readerId,
    at: at.toISOString(),
    changed,
  }));
}

export async function databaseTime(manager: EntityManager): Promise<Date> {
  const [row] = await manager.query<[{ now: Date }]>('SELECT now()');
  return row.now;
}

export async function keepForCalendars(
  manager: EntityManager,
  eventId: string,
  registered: string[],
): Promise<void> {
  await manager.query(
    `INSERT INTO events.deleted_events
       (id, title, location, start_date, end_date, is_all_day, time_zone, sequence, created_at, listed, registered_user_ids)
     SELECT id, title, location, start_date, end_date, is_all_day, time_zone, sequence + 1, created_at, visibility = 'public', $2::uuid[]
     FROM events.events WHERE id = $1 AND status <> 'draft'`,
    [eventId, registered],
  );
}

export async function notifyCancelled(
  manager: EntityManager,
  event: EventEntity,
  people: Participant[],
  more: Pick<CancelledEvent, 'page' | 'reason'> = {},
): Promise<void> {
  const cancelled: CancelledEvent = {
    id: event.id,
    slug: event.slug,
    title: event.title,
    location: event.location,
    format: event.format,
    startDate: event.startDate.toISOString(),
    endDate: event.endDate.toISOString(),
    isAllDay: event.isAllDay,
    timeZone: event.timeZone,
    sequence: event.sequence + 1,
    ...more,
  };
  const mail = {
    id: 'gen_random_uuid()',
    payload: `jsonb_build_object('event', jsonb_set($1::jsonb, '{sequence}', to_jsonb($5::integer + entry_revision)))
      || CASE WHEN user_id IS NULL THEN jsonb_build_object('guest', jsonb_build_object('name', name, 'email', email))
        ELSE jsonb_build_object('userId', user_id) END
      || CASE WHEN waiting THEN '{"waiting": true}'::jsonb ELSE '{}'::jsonb END`,
    requestId: '$2::text',
  };
  // sends one email to several guests without an account who share a mailbox
  const source = `FROM (
      SELECT DISTINCT ON (user_id, ${mailboxSql('email')}) *
      FROM unnest($3::uuid[], $6::integer[], $7::boolean[], $8::text[], $9::text[])
        AS listed (user_id, entry_revision, waiting, name, email)
      WHERE user_id IS NOT NULL OR email IS NOT NULL ORDER BY user_id, ${mailboxSql('email')}) AS person
    WHERE $4::timestamptz > now() RETURNING id`;
  await manager.query(
    `WITH mails AS (${insertJobs('events', EventCancelledMail, mail, source)})
     SELECT ${notifyRelay('events')} FROM mails LIMIT 1`,
    [
      JSON.stringify(cancelled),
      requestId(),
      people.map(({ userId }) => userId),
      event.endDate,
      cancelled.sequence,
      people.map(({ entryRevision }) => entryRevision),
      people.map(({ waiting }) => waiting),
      people.map(({ name }) => name),
      people.map(({ email }) => email),
    ],
  );
}

export async function replacePreview(
  manager: EntityManager,
  eventId: string,
  makerId: string,
  tokenHash: Buffer,
): Promise<Date> {
  const [row] = await manager.query<[{ createdAt: Date }]>(
    `INSERT INTO events.event_previews (event_id, token_hash, created_by_id) VALUES ($1, $2, $3)
     ON CONFLICT (event_id) DO UPDATE
       SET token_hash = excluded.token_hash, created_by_id = excluded.created_by_id, created_at = excluded.created_at
     RETURNING created_at AS "createdAt"`,
    [eventId, tokenHash, makerId],
  );
  return row.createdAt;
}

export async function removePreview(manager: EntityManager, eventId: string): Promise<boolean> {
  const [, removed] = await manager.query<[unknown[], number]>(
    'DELETE FROM events.event_previews WHERE event_id = $1',
    [eventId],
  );
  return removed === 1;
}

export async function findPreview(manager: EntityManager, eventId: string): Promise<PreviewLink | null> {
  const [row] = await manager.sql<(Omit<PreviewLink, 'createdAt'> & { createdAt: Date })[]>`
    SELECT preview.created_at AS "createdAt", maker.first_name || ' ' || maker.last_name AS "madeBy",
      events.management_refusal(preview.created_by_id, preview.event_id, true) IS NULL AS works
    FROM events.event_previews AS preview JOIN auth.member_card AS maker ON maker.id = preview.created_by_id
    WHERE preview.event_id = ${eventId}`;
  return row === undefined ? null : { ...row, createdAt: row.createdAt.toISOString() };
}

export async function previewedEvent(manager: EntityManager, tokenHash: Buffer): Promise<EventEntity> {
  const event = await eventsWithOwn(manager, null)
    .where(
      `event.id = (SELECT event_id FROM events.event_previews
         WHERE token_hash = :tokenHash AND events.management_refusal(created_by_id, event_id, true) IS NULL)`,
      {
        tokenHash,
      },
    )
    .getOne();
  if (!event) throw new DomainError('EVENT_NOT_FOUND');
  return event;
}
