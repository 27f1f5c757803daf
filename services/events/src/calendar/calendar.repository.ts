import type { ProductLocale } from '@meetmark/i18n/locales';
import { ArrayContains, type EntityManager } from 'typeorm';
import { EventEntity } from '../events/core/event.entity.js';
import {
  eventsManagedBy,
  eventsSeenBy,
  selectMemberEvents,
  type EventQuery,
} from '../events/core/events.repository.js';
import type { Viewer } from '../events/core/viewer.js';
import { ENTRY_COLUMNS, type EntryEvent, type Joining } from './calendar-writer.js';
import { CalendarFeedEntity, DeletedEventEntity } from './calendar.entities.js';

const DAYS_BACK = 30;
/** Only the latest entries, because clients download the whole document each time. */
const MAX_ENTRIES = 1_000;

/** `version` changes whenever the calendar entry does. */
export interface Listed {
  id: string;
  startDate: Date;
  version: string;
}

export interface CalendarRows {
  events: Listed[];
  /** Joining links by event id, only in a member's own calendar. */
  joining?: Map<string, Joining>;
  deleted: DeletedEventEntity[];
}

const RECENT = `endDate > now() - interval '${DAYS_BACK} days'`;

const recentEvents = (manager: EntityManager) =>
  eventsSeenBy(manager, null, 'feed').andWhere(`event.${RECENT}`);

export async function publicCalendar(manager: EntityManager): Promise<CalendarRows> {
  const deleted = deletedEvents(manager).where(`deleted.listed AND deleted.${RECENT}`);
  return { events: await latest(recentEvents(manager)), deleted: await deleted.getMany() };
}

/** Contains no deleted events, because their topics aren't kept. */
export async function topicCalendar(manager: EntityManager, topicId: string): Promise<CalendarRows> {
  const events = recentEvents(manager).andWhere(
    'event.id IN (SELECT event_id FROM events.event_topics WHERE topic_id = :topicId)',
    { topicId },
  );
  return { events: await latest(events), deleted: [] };
}

/** Contains no drafts, which have no page yet. */
export async function managedCalendar(
  manager: EntityManager,
  viewer: NonNullable<Viewer>,
): Promise<CalendarRows> {
  const events = eventsManagedBy(manager, viewer, { withOwn: false });
  return { events: await latest(events.andWhere("event.status <> 'draft'")), deleted: [] };
}

export async function memberCalendar(manager: EntityManager, userId: string): Promise<CalendarRows> {
  const deleted = deletedEvents(manager).where({ registeredUserIds: ArrayContains([userId]) });
  const events = await latest(selectMemberEvents(manager, userId));
  return { events, joining: await fetchJoiningLinks(manager, events), deleted: await deleted.getMany() };
}

export async function fetchLocale(manager: EntityManager, userId: string): Promise<ProductLocale | null> {
  const [row] = await manager.query<{ locale: ProductLocale | null }[]>(
    'SELECT locale FROM auth.member_locale WHERE id = $1',
    [userId],
  );
  return row?.locale ?? null;
}

/** Call it only for events that the reader is registered for. */
async function fetchJoiningLinks(manager: EntityManager, events: Listed[]): Promise<Map<string, Joining>> {
  const rows = await manager.query<(Joining & { id: string })[]>(
    `SELECT event_id AS id, online_url AS "onlineUrl", online_note AS "onlineNote" FROM events.event_contents
     WHERE event_id = ANY ($1) AND online_url IS NOT NULL`,
    [events.map(({ id }) => id)],
  );
  return new Map(rows.map(({ id, ...joining }) => [id, joining]));
}

const latest = (events: EventQuery) =>
  events
    .select('event.id', 'id')
    .addSelect('event.start_date', 'startDate')
    .addSelect("concat_ws(' ', event.version, event.status, event.sequence, event.updated_at)", 'version')
    .orderBy('event.start_date', 'DESC')
    .limit(MAX_ENTRIES)
    .getRawMany<Listed>();

/** The ids come from one of the queries above, so access is already checked. */
export const entryEvents = (manager: EntityManager, ids: string[]): Promise<EntryEvent[]> =>
  manager
    .createQueryBuilder(EventEntity, 'event')
    .select(ENTRY_COLUMNS.map((column) => `event.${column}`))
    .where('event.id = ANY (:ids)', { ids })
    .getMany();

const deletedEvents = (manager: EntityManager) =>
  manager
    .createQueryBuilder(DeletedEventEntity, 'deleted')
    .orderBy('deleted.startDate', 'DESC')
    .limit(MAX_ENTRIES);

/** Finds a feed, unless it ended: a new password, for example, ends feeds that were created before. */
export const findFeed = (manager: EntityManager, key: { userId: string } | { tokenHash: Buffer }) =>
  manager
    .createQueryBuilder(CalendarFeedEntity, 'feed')
    .where(key)
    .andWhere(
      'NOT EXISTS (SELECT FROM auth.feed_end ended WHERE ended.id = feed.userId AND ended.feeds_ended_at >= feed.createdAt)',
    )
    .getOne();

export async function replaceFeed(manager: EntityManager, userId: string, tokenHash: Buffer): Promise<Date> {
  const [row] = await manager.query<[{ createdAt: Date }]>(
    `INSERT INTO events.calendar_feeds (user_id, token_hash) VALUES ($1, $2)
     ON CONFLICT (user_id) DO UPDATE SET token_hash = excluded.token_hash, created_at = excluded.created_at
     RETURNING created_at AS "createdAt"`,
    [userId, tokenHash],
  );
  return row.createdAt;
}
