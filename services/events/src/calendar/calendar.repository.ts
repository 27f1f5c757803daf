import type { ProductLocale } from '@meetmark/contracts';
import { ArrayContains, type EntityManager } from 'typeorm';
import { EventEntity } from '../events/event.entity.js';
import { eventsSeenBy, eventsWithPlaceOf, type EventQuery } from '../events/events.repository.js';
import { ENTRY_COLUMNS, type EntryEvent, type Joining } from './calendar-writer.js';
import { CalendarFeedEntity, DeletedEventEntity } from './calendar.entities.js';

/** Days after its end that an event stays in the public calendar. */
const DAYS_BACK = 30;
/** Entries of one calendar, the latest ones: a subscriber's program reads the whole document each time. */
const MAX_ENTRIES = 1_000;

/** The key by which a calendar entry that was made before is known to hold still. */
export interface Listed {
  id: string;
  startDate: Date;
  /** The version of the event's fields and state. */
  version: string;
}

export interface CalendarRows {
  events: Listed[];
  /** How to join, by the event's id; only in a member's own calendar. */
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

/** What was deleted is not there any more: which topics it had is not kept. */
export async function topicCalendar(manager: EntityManager, topicId: string): Promise<CalendarRows> {
  const events = recentEvents(manager).andWhere(
    'event.id IN (SELECT event_id FROM events.event_topics WHERE topic_id = :topicId)',
    { topicId },
  );
  return { events: await latest(events), deleted: [] };
}

export async function memberCalendar(manager: EntityManager, userId: string): Promise<CalendarRows> {
  const deleted = deletedEvents(manager).where({ registeredUserIds: ArrayContains([userId]) });
  const events = await latest(eventsWithPlaceOf(manager, userId));
  return { events, joining: await joiningOf(manager, events), deleted: await deleted.getMany() };
}

/** The language that a member chose; null: the community's. */
export async function localeOf(manager: EntityManager, userId: string): Promise<ProductLocale | null> {
  const [row] = await manager.query<{ locale: ProductLocale | null }[]>(
    'SELECT locale FROM auth.member_locale WHERE id = $1',
    [userId],
  );
  return row?.locale ?? null;
}

/** The joining links of these events. Only for somebody who has a place at each. */
async function joiningOf(manager: EntityManager, events: Listed[]): Promise<Map<string, Joining>> {
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

/** What entries are made of. Only for ids that a list above has named. */
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

/** Addresses that no new password or newly verified address of their member has ended. */
export const validFeeds = (manager: EntityManager) =>
  manager
    .createQueryBuilder(CalendarFeedEntity, 'feed')
    .where(
      'NOT EXISTS (SELECT FROM auth.feed_end ended WHERE ended.id = feed.userId AND ended.feeds_ended_at >= feed.createdAt)',
    );

/** Replaces the member's address. Returns when it was created. */
export async function replaceFeed(manager: EntityManager, userId: string, tokenHash: Buffer): Promise<Date> {
  const [row] = await manager.query<[{ createdAt: Date }]>(
    `WITH feed AS (
       INSERT INTO events.calendar_feeds (user_id, token_hash) VALUES ($1, $2)
       ON CONFLICT (user_id) DO UPDATE SET token_hash = excluded.token_hash, created_at = excluded.created_at
       RETURNING created_at)
     SELECT created_at AS "createdAt" FROM feed`,
    [userId, tokenHash],
  );
  return row.createdAt;
}
