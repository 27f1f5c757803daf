import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { type Community, DomainError, type CalendarDocument, tagFor } from '@meetmark/contracts';
import { Bulkhead, InjectCommunity } from '@meetmark/platform';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { LRUCache } from 'lru-cache';
import { eventsSeenBy } from '../events/events.repository.js';
import { CalendarFeedsService } from './calendar-feeds.service.js';
import {
  type CalendarEntry,
  CalendarWriter,
  cancelledEntryOf,
  entryOf,
  shortened,
} from './calendar-writer.js';
import { DeletedEventEntity } from './calendar.entities.js';
import { renderedTexts } from '../events/rendered-texts.js';
import { topicBy } from '../topics/topics.repository.js';
import {
  entryEvents,
  type Listed,
  localeOf,
  memberCalendar,
  publicCalendar,
  topicCalendar,
  type CalendarRows,
} from './calendar.repository.js';

/** Entries that are kept: twice those of the largest document, some kilobytes each. */
const KEPT = 4_000;
/** Documents that are kept: that of everything, and of each topic. */
const DOCUMENTS = 20;
/** Events that are read at a time for entries that are not kept. */
const READ_AT_ONCE = 50;
/** Milliseconds after which making entries lets others have a turn. */
const SLICE = 10;
/** Milliseconds that somebody waits for a new document where there is one from before. */
const PATIENCE = 1_000;

/**
 * Events as iCalendar documents. An entry is made once for each version of its event, and a document joins what is kept: after a change it
 * costs one entry. One document is made at a time, and in turns, so that other calls are answered meanwhile.
 */
@Injectable()
export class CalendarService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(CalendarService.name);
  private readonly entries = new LRUCache<string, string>({ max: KEPT });
  private readonly documents = new LRUCache<string, CalendarDocument>({ max: DOCUMENTS });
  private readonly waiting = new Map<string, Promise<CalendarDocument>>();
  private queue: Promise<unknown> = Promise.resolve();
  /** One calendar of a member waits in the queue: many of them delay no other document, and one that is late by its turn is not made. */
  private readonly ofMembers = new Bulkhead({ running: 1, waiting: Infinity });

  constructor(
    private readonly dataSource: DataSource,
    private readonly feeds: CalendarFeedsService,
    private readonly writer: CalendarWriter,
    @InjectCommunity() private readonly community: Pick<Community, 'locale' | 'formOfAddress'>,
  ) {}

  /** Makes entries in the background: the first request after a start then waits for few of them. */
  onApplicationBootstrap(): void {
    this.ofEverything().catch((error: unknown) =>
      this.logger.warn({ err: error, msg: 'the calendar is made when it is first asked for' }),
    );
  }

  async onModuleDestroy(): Promise<void> {
    await this.queue;
  }

  /** A deleted event has a cancelled entry. @throws DomainError EVENT_NOT_FOUND */
  async ofEvent(eventId: string): Promise<CalendarDocument> {
    const { manager } = this.dataSource;
    const event = await eventsSeenBy(manager, null, 'address')
      .andWhere('event.id = :eventId', { eventId })
      .getOne();
    if (event) return this.writer.document([this.writer.entry(entryOf(event, tagFor(null, this.community)))]);
    const deleted = await manager.findOneBy(DeletedEventEntity, { id: eventId });
    if (!deleted) throw new DomainError('EVENT_NOT_FOUND');
    return this.writer.document([this.writer.entry(cancelledEntryOf(deleted))]);
  }

  ofEverything(): Promise<CalendarDocument> {
    return this.shared('everything', () => publicCalendar(this.dataSource.manager));
  }

  /** @throws DomainError TOPIC_NOT_FOUND */
  async ofTopic(slug: string): Promise<CalendarDocument> {
    const { manager } = this.dataSource;
    const { id } = await topicBy(manager, 'slug', slug);
    return this.shared(`topic ${id}`, () => topicCalendar(manager, id));
  }

  /** Makes the member's calendar in the member's language. @throws DomainError CALENDAR_NOT_FOUND, DEADLINE_EXCEEDED */
  async ofMember(token: string): Promise<CalendarDocument> {
    const userId = await this.feeds.memberOf(token);
    const { manager } = this.dataSource;
    const locale = tagFor(await localeOf(manager, userId), this.community);
    const made = async () => this.document(await memberCalendar(manager, userId), locale);
    return this.ofMembers.run(() => this.inTurn(made));
  }

  /** A document that is the same for everybody: made once for all who ask meanwhile. While that takes long or fails, the one before it. */
  private async shared(name: string, rows: () => Promise<CalendarRows>): Promise<CalendarDocument> {
    const known = this.documents.get(name);
    const made = this.made(name, rows);
    if (known === undefined) return made;
    try {
      return await Promise.race([made, delay(PATIENCE, known, { ref: false })]);
    } catch (error) {
      this.logger.warn({ err: error, msg: 'a calendar could not be made, the one before it stays' });
      return known;
    }
  }

  /** Callers that ask before the rows are read share them. */
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

  /** After what is being made by now. */
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
    const nameOf = ({ id, version }: Listed) =>
      JSON.stringify([id, version, settings, locale, joining?.get(id)]);
    const nameOfDeleted = ({ id }: DeletedEventEntity) => JSON.stringify([id, settings]);
    const wanted = [
      ...events.map((event) => ({ name: nameOf(event), ...event })),
      ...deleted.map((event) => ({ name: nameOfDeleted(event), ...event })),
    ].toSorted((one, other) => one.startDate.getTime() - other.startDate.getTime());
    const entries = new Map(wanted.map(({ name }) => [name, this.entries.get(name)]));
    const make = this.maker(entries);
    for (const event of deleted) {
      const name = nameOfDeleted(event);
      if (entries.get(name) === undefined) await make(name, cancelledEntryOf(event));
    }
    const missing = events.filter((event) => entries.get(nameOf(event)) === undefined);
    for (let from = 0; from < missing.length; from += READ_AT_ONCE) {
      const listed = new Map(missing.slice(from, from + READ_AT_ONCE).map((event) => [event.id, event]));
      const { manager } = this.dataSource;
      const ids = [...listed.keys()];
      const texts = await renderedTexts(manager, ids);
      for (const event of await entryEvents(manager, ids)) {
        const more = { joining: joining?.get(event.id), text: texts.get(event.id) };
        await make(nameOf(listed.get(event.id)!), entryOf(event, locale, more));
      }
    }
    // an event that was deleted meanwhile has none
    return this.writer.document(wanted.flatMap(({ name }) => entries.get(name) ?? []));
  }

  /** Makes and keeps an entry, and now and then lets others have a turn. */
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
