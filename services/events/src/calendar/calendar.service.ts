import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import {
  type Community,
  DomainError,
  type CalendarDocument,
  GetEventCalendar,
  type EventIdRequest,
  GetPublicCalendar,
  GetTopicCalendar,
  type TopicSlugRequest,
  GetManagedCalendar,
  GetMemberCalendar,
  type CalendarTokenRequest,
  type Nothing,
} from '@meetmark/contracts';
import { tagFor } from '@meetmark/i18n/locales';
import { Bulkhead, type Call, InjectCommunity, Handles, requireIdentity } from '@meetmark/platform';
import { Controller, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { LRUCache } from 'lru-cache';
import { eventsSeenBy } from '../events/core/events.repository.js';
import { hashToken } from '../secret-address.js';
import {
  type CalendarEntry,
  CalendarWriter,
  toCancelledEntry,
  toEntry,
  shortened,
} from './calendar-writer.js';
import { DeletedEventEntity } from './calendar.entities.js';
import { renderedTexts } from '../events/content/rendered-texts.js';
import { topicBy } from '../topics/topics.repository.js';
import {
  entryEvents,
  findFeed,
  type Listed,
  fetchLocale,
  managedCalendar,
  memberCalendar,
  publicCalendar,
  topicCalendar,
  type CalendarRows,
} from './calendar.repository.js';

/** Maximum cached entries, of a few kilobytes each. Enough for two documents of maximum size. */
const KEPT = 4_000;
/** Maximum cached documents, enough for the public calendar and one per topic. */
const DOCUMENTS = 20;
const READ_AT_ONCE = 50;
/** Milliseconds of building entries before yielding to the event loop. */
const SLICE = 10;
/** Milliseconds to wait for a new document before serving the previous one. */
const PATIENCE = 1_000;

/** Entries are cached per event version, so a change rebuilds one entry. */
@Controller()
export class CalendarService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(CalendarService.name);
  private readonly entries = new LRUCache<string, string>({ max: KEPT });
  private readonly documents = new LRUCache<string, CalendarDocument>({ max: DOCUMENTS });
  private readonly waiting = new Map<string, Promise<CalendarDocument>>();
  private queue: Promise<unknown> = Promise.resolve();
  /** Queues one member's calendar at a time, so that shared calendars don't wait. Drops late builds. */
  private readonly ofMembers = new Bulkhead({ running: 1, waiting: Infinity });

  constructor(
    private readonly dataSource: DataSource,
    private readonly writer: CalendarWriter,
    @InjectCommunity() private readonly community: Pick<Community, 'locale' | 'formOfAddress'>,
  ) {}

  onApplicationBootstrap(): void {
    this.ofEverything().catch((error: unknown) =>
      this.logger.warn({ err: error, msg: 'Could not prepare the public calendar; the first request will' }),
    );
  }

  async onModuleDestroy(): Promise<void> {
    await this.queue;
  }

  /** @throws DomainError EVENT_NOT_FOUND */
  @Handles(GetEventCalendar)
  async ofEvent({ eventId }: EventIdRequest): Promise<CalendarDocument> {
    const { manager } = this.dataSource;
    const event = await eventsSeenBy(manager, null, 'address')
      .andWhere('event.id = :eventId', { eventId })
      .getOne();
    if (event) return this.writer.document([this.writer.entry(toEntry(event, tagFor(null, this.community)))]);
    const deleted = await manager.findOneBy(DeletedEventEntity, { id: eventId });
    if (!deleted) throw new DomainError('EVENT_NOT_FOUND');
    return this.writer.document([this.writer.entry(toCancelledEntry(deleted))]);
  }

  @Handles(GetPublicCalendar)
  ofEverything(): Promise<CalendarDocument> {
    return this.shared('everything', () => publicCalendar(this.dataSource.manager));
  }

  /** @throws DomainError TOPIC_NOT_FOUND */
  @Handles(GetTopicCalendar)
  async ofTopic({ slug }: TopicSlugRequest): Promise<CalendarDocument> {
    const { manager } = this.dataSource;
    const { id } = await topicBy(manager, 'slug', slug);
    return this.shared(`topic ${id}`, () => topicCalendar(manager, id));
  }

  /** @throws DomainError CALENDAR_NOT_FOUND, DEADLINE_EXCEEDED */
  @Handles(GetMemberCalendar)
  async ofMember({ token }: CalendarTokenRequest): Promise<CalendarDocument> {
    const { manager } = this.dataSource;
    const feed = await findFeed(manager, { tokenHash: hashToken(token) });
    if (feed === null) throw new DomainError('CALENDAR_NOT_FOUND');
    const { userId } = feed;
    const locale = tagFor(await fetchLocale(manager, userId), this.community);
    const made = async () => this.document(await memberCalendar(manager, userId), locale);
    return this.ofMembers.run(() => this.inTurn(made));
  }

  @Handles(GetManagedCalendar)
  async ofManager(_: Nothing, call: Call): Promise<CalendarDocument> {
    const { manager } = this.dataSource;
    const viewer = requireIdentity(call);
    const locale = tagFor(await fetchLocale(manager, viewer.sub), this.community);
    const made = async () => this.document(await managedCalendar(manager, viewer), locale);
    return this.ofMembers.run(() => this.inTurn(made));
  }

  private async shared(name: string, rows: () => Promise<CalendarRows>): Promise<CalendarDocument> {
    const known = this.documents.get(name);
    const made = this.made(name, rows);
    if (known === undefined) return made;
    try {
      return await Promise.race([made, delay(PATIENCE, known, { ref: false })]);
    } catch (error) {
      this.logger.warn({ err: error, msg: 'Could not update a calendar; serving the previous one' });
      return known;
    }
  }

  /** Joins a waiting build of the same calendar, if that build hasn't read its rows yet. */
  private made(name: string, rows: () => Promise<CalendarRows>): Promise<CalendarDocument> {
    const waiting = this.waiting.get(name);
    if (waiting !== undefined) return waiting;
    const made = this.inTurn(async () => {
      this.waiting.delete(name);
      const document = await this.document(await rows(), tagFor(null, this.community));
      this.documents.set(name, document);
      return document;
    });
    this.waiting.set(name, made);
    return made;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.queue.then(work);
    this.queue = turn.catch(() => undefined);
    return turn;
  }

  private async document(
    { events, joining, deleted }: CalendarRows,
    locale: string,
  ): Promise<CalendarDocument> {
    const { settings } = this.writer;
    const buildName = ({ id, version }: Listed) =>
      JSON.stringify([id, version, settings, locale, joining?.get(id)]);
    const nameOfDeleted = ({ id }: DeletedEventEntity) => JSON.stringify([id, settings]);
    const wanted = [
      ...events.map((event) => ({ name: buildName(event), ...event })),
      ...deleted.map((event) => ({ name: nameOfDeleted(event), ...event })),
    ].toSorted((one, other) => one.startDate.getTime() - other.startDate.getTime());
    const entries = new Map(wanted.map(({ name }) => [name, this.entries.get(name)]));
    const make = this.maker(entries);
    for (const event of deleted) {
      const name = nameOfDeleted(event);
      if (entries.get(name) === undefined) await make(name, toCancelledEntry(event));
    }
    const missing = events.filter((event) => entries.get(buildName(event)) === undefined);
    for (let from = 0; from < missing.length; from += READ_AT_ONCE) {
      const listed = new Map(missing.slice(from, from + READ_AT_ONCE).map((event) => [event.id, event]));
      const { manager } = this.dataSource;
      const ids = [...listed.keys()];
      const texts = await renderedTexts(manager, ids);
      for (const event of await entryEvents(manager, ids)) {
        const more = { joining: joining?.get(event.id), text: texts.get(event.id) };
        await make(buildName(listed.get(event.id)!), toEntry(event, locale, more));
      }
    }
    // an event that was deleted in the meantime has no entry
    return this.writer.document(wanted.flatMap(({ name }) => entries.get(name) ?? []));
  }

  private maker(entries: Map<string, string | undefined>) {
    let since = performance.now();
    return async (name: string, entry: CalendarEntry) => {
      const made = this.writer.entry(shortened(entry));
      entries.set(name, made);
      this.entries.set(name, made);
      if (performance.now() - since < SLICE) return;
      await nextTurn();
      since = performance.now();
    };
  }
}
