import { createHash } from 'node:crypto';
import {
  closestLocale,
  DomainError,
  isLocale,
  LEGAL_PAGES,
  type LegalPage,
  type ProductLocale,
  tagFor,
  UUID_PATTERN,
  type Event,
  type EventPage,
  type FoundEvent,
} from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/event-path';
import { isReadIn } from '@meetmark/contracts/handbook';
import { PAGE_PARAMETERS, PAGES, type PagePath } from '@meetmark/contracts/pages';
import { InjectCommunity, type PresentCommunity } from '@meetmark/platform';
import { frameWords } from '@meetmark/platform/mail/words';
import { textOfMarkdown } from '@meetmark/platform/text/markdown';
import { Injectable } from '@nestjs/common';
import { CachedResponse } from '../cache/cached-response.js';
import { ResponseCache } from '../cache/response-cache.js';
import { EventResponses } from '../cache/event-responses.js';
import { GatewayConfig } from '../gateway.config.js';
import { askedLocale } from '../http/session.js';
import { Misses } from '../rate-limits/misses.js';
import { DehydratedQueries, FIRST_CARDS_PATH, NEXT_EVENT_PATH } from './dehydrated-queries.js';
import {
  calendarPaint,
  eventPaint,
  framePaint,
  handbookPaint,
  IndexPage,
  type Language,
  landingPaint,
  legalPaint,
  type Pieces,
} from './index-page.js';
import { eventWords, forgotPasswordWords, listWords, type Reading } from './words-paint.js';
import { eventMeta, metaHtml, NEUTRAL_META, type PageMeta, shortened, siteMeta } from './meta.js';

/** Matches the addresses of a page. */
const expressionOf = (page: PagePath) =>
  new RegExp(
    `^${page.replace(/\/:(\w+)(\??)/g, (_, name: keyof typeof PAGE_PARAMETERS, optional: string) => `(?:/(?:${PAGE_PARAMETERS[name]}))${optional}`)}$`,
  );

const EXPRESSIONS = PAGES.map(expressionOf);

/** The legal page that the address shows, if it shows one. */
const legalPageOf = (path: string) => LEGAL_PAGES.find((page) => path === `/${page}`);

/** The handbook's first page, or that of a part. */
const HANDBOOK = expressionOf('/help/:part?');

/** Where the first owner sets the installation up; the secret of their link is not part of the address. */
export const SETUP = '/setup';

/** Matches the secret address of an event before it is published. */
const PREVIEW = expressionOf('/events/preview/:token');

/** For phones at the door, by secret address: a page of its own, beside the application's. */
const DOOR = /^\/door\/[A-Za-z0-9_-]{43}$/;
const DOOR_FILE = '/door.html';
export const isDoor = (path: string) => DOOR.test(path) || path === DOOR_FILE;

export const isPage = (path: string) => [...EXPRESSIONS, DOOR].some((pattern) => pattern.test(path));

/** The languages that the set-up has. */
const OF_SETUP: ProductLocale[] = ['en-US', 'en-GB', 'de'];

/** What beside the address decides about a page. */
const VARY = 'Accept-Language, Cookie';
const FOUND = 200;
const MOVED = 301;
const MISSING = 404;
/** Events that the page of all events lists for browsers without scripts. */
const LISTED = 100;
/** Milliseconds that a page waits for its dehydrated queries; the screen can send them itself. */
const QUERIES_WITHIN = 500;

/** A page that is only text, before the script has arrived and for search engines. */
interface Written {
  meta: Pick<PageMeta, 'title' | 'description'>;
  paint: (pieces: Pieces) => string;
}

/** What decides, beside the address, which page a browser gets. */
export interface Reader {
  /** Whether the browser sends no session cookie. */
  visitor: boolean;
  /** The language that the browser's cookie or else the address asks for, not yet checked. */
  chosen?: unknown;
  /** Accept-Language: it decides where no language was chosen. */
  spoken?: string;
  /** No community has a language yet. */
  isSettingUp?: boolean;
}

/** `?event=` of an address, which opens an event's details over a screen. */
interface Details {
  eventId: string;
  ip: string;
}

interface Page {
  reader: Reader;
  /** The present one unless given. */
  community?: PresentCommunity;
  /** None: the page is no community's. */
  meta?: PageMeta;
  answers: Awaited<ReturnType<DehydratedQueries['of']>>;
  main?: (pieces: Pieces, reading: Reading) => string;
  status?: number;
}

/** By which address somebody asks for the page of an event: its id, or a short one. */
type EventAt = { id: string; slug?: undefined } | { id?: undefined; slug: string };

/** The events that a screen shows before the script has come. Those that cannot be read now are left out. */
interface Shown {
  /** Those that come next. */
  coming?: Event[];
  /** The one whose details open over the screen. */
  event?: EventPage;
}

/** The one page of the web application, with the meta data, the first paint and the dehydrated queries of each address. */
@Injectable()
export class Pages {
  private readonly index?: IndexPage;
  private legalTexts = { version: 0, texts: new Map<LegalPage, string>() };

  constructor(
    private readonly config: GatewayConfig,
    @InjectCommunity() private readonly community: PresentCommunity,
    private readonly events: EventResponses,
    private readonly queries: DehydratedQueries,
    private readonly responses: ResponseCache,
    private readonly misses: Misses,
  ) {
    if (config.webRoot !== undefined) this.index = new IndexPage(config.webRoot);
  }

  async of(path: string, reader: Reader, details?: Details): Promise<CachedResponse> {
    if (PREVIEW.test(path)) return this.hidden(reader);
    const legal = legalPageOf(path);
    const written = legal === undefined || this.community[legal] !== null;
    if (!isPage(path) || !written) return this.missing(reader);
    // what previews a link and what reads pages for a search have no session
    const about = reader.visitor && details !== undefined && (await this.isSeen(details));
    return this.known(path, reader, about ? { eventId: details.eventId } : {});
  }

  /** Whether visitors see the event. A screen without its details is better than none: what cannot be known is no. */
  private async isSeen({ eventId, ip }: Details): Promise<boolean> {
    if (!UUID_PATTERN.test(eventId)) return false;
    const search = { name: `event ${eventId}`, ip, missing: 'EVENT_NOT_FOUND' } as const;
    try {
      await within(
        QUERIES_WITHIN,
        this.misses.count(search, () => this.events.one(eventId)),
      );
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }

  /** The page of every event that is not published: one page for all of them, with neither their words nor their secrets. */
  hidden(reader: Reader): Promise<CachedResponse> {
    return this.known('/events/preview', reader);
  }

  /** The only page of an installation without an owner; it names no community. */
  setup(reader: Reader): Promise<CachedResponse> {
    return this.page({ reader, answers: this.queries.always(reader.visitor) });
  }

  /**
   * An event that is missing, or cannot be read now, has a page too: it says so. At another address than the present one the answer is
   * where it is, as 301.
   * @param draft answers a browser that is signed in, where visitors see no such event
   */
  async ofEvent(
    address: EventAt,
    { ip, cookie, ...reader }: Reader & { ip: string; cookie: string },
    draft?: () => Promise<CachedResponse>,
  ): Promise<CachedResponse> {
    if (address.id !== undefined && !UUID_PATTERN.test(address.id)) return this.missing(reader);
    const event = address.id === undefined ? `event at ${address.slug}` : `event ${address.id}`;
    const name = await this.nameOf(event, reader);
    const find = () => this.responses.get(name, () => this.eventPage(address, reader));
    const findAny = () =>
      find().catch((error: unknown) => {
        if (draft && !reader.visitor && isMissing(error)) return draft();
        throw error;
      });
    try {
      if (this.responses.has(name)) return await findAny();
      // what is missing for one who is signed in may be there for another
      const whose = reader.visitor ? '' : createHash('sha256').update(cookie).digest('base64url');
      const search = { name: `${event} ${whose}`, ip, missing: 'EVENT_NOT_FOUND' } as const;
      return await this.misses.count(search, findAny);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'RATE_LIMITED') throw error;
      if (isMissing(error)) return this.missing(reader);
      if (error instanceof DomainError) return this.known('/events', reader);
      throw error;
    }
  }

  private async eventPage({ id, slug }: EventAt, reader: Reader): Promise<CachedResponse> {
    // what has this address now is asked by it: another answer about the event may be a moment older, and two would lead to each other
    const at = slug === undefined ? undefined : await this.eventAt(slug);
    const event = await this.eventOf(at?.id ?? id!);
    const present = at?.slug ?? event.slug;
    if (present && present !== slug)
      return new CachedResponse(
        '',
        'text/plain',
        { location: eventPath({ ...event, slug: present }) },
        MOVED,
      );
    return this.page({
      reader,
      meta: this.aboutEvent(event, reader),
      answers: await this.queries.of({ visitor: reader.visitor, eventId: event.id, slug }),
      main: (pieces, reading) =>
        eventPaint(pieces, reading.community, event, eventWords(pieces, event, reading)),
    });
  }

  private aboutEvent(event: EventPage, reader: Reader): PageMeta {
    return eventMeta(event, this.community, this.config.publicUrl, this.languageOf(reader).tag);
  }

  /** @throws DomainError EVENT_NOT_FOUND */
  private async eventAt(slug: string): Promise<FoundEvent> {
    const { body } = await this.events.at(slug);
    return JSON.parse(body.toString()) as FoundEvent;
  }

  /** As a visitor sees it. @throws DomainError EVENT_NOT_FOUND */
  private async eventOf(eventId: string): Promise<EventPage> {
    const { body } = await this.events.one(eventId);
    return JSON.parse(body.toString()) as EventPage;
  }

  private missing(reader: Reader): Promise<CachedResponse> {
    return this.known('/404', reader, { status: MISSING });
  }

  /** @param eventId of an event whose details the address opens over the screen: the page is about it */
  private async known(
    path: string,
    reader: Reader,
    { status = FOUND, eventId }: { status?: number; eventId?: string } = {},
  ): Promise<CachedResponse> {
    const { visitor } = reader;
    const hidden = path === '/events/preview';
    const written = await this.writtenPage(path, this.languageOf(reader).tag);
    const meta = { ...siteMeta(this.community, this.config.publicUrl, path), hidden, ...written?.meta };
    const mainOf = (shown: Shown) => (pieces: Pieces, reading: Reading) =>
      written ? written.paint(pieces) : this.screenPaint(pieces, { path, visitor, reading, ...shown });
    const full = async () => {
      const isCalendar = path === '/events';
      const cards = isCalendar || path === '/';
      const answers = await this.queries.of({ visitor, cards, month: isCalendar, eventId });
      const first = answers[FIRST_CARDS_PATH]?.body as Event[] | undefined;
      const coming = isCalendar ? await this.coming() : first;
      if (eventId === undefined)
        return this.page({ reader, meta, main: mainOf({ coming }), status, answers });
      const event = await this.eventOf(eventId);
      const about = this.aboutEvent(event, reader);
      return this.page({ reader, meta: about, main: mainOf({ coming, event }), status, answers });
    };
    try {
      const name = await this.nameOf(eventId === undefined ? path : `${path} over ${eventId}`, reader);
      return await within(QUERIES_WITHIN, this.responses.get(name, full));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return this.page({ reader, meta, main: mainOf({}), status, answers: this.queries.always(visitor) });
    }
  }

  /** Those that start next, as many as a page lists. */
  private async coming(): Promise<Event[]> {
    const { body } = await this.events.list({ time: 'upcoming', limit: String(LISTED) });
    return JSON.parse(body.toString()) as Event[];
  }

  /** What stands in the frame until the script has come. */
  private screenPaint(
    pieces: Pieces,
    { path, visitor, reading, coming, event }: Shown & { path: string; visitor: boolean; reading: Reading },
  ): string {
    const about =
      event === undefined ? '' : listWords(pieces, [event], reading) + eventWords(pieces, event, reading);
    const events = listWords(pieces, coming, reading);
    if (path === '/' && visitor)
      return about + landingPaint(pieces, reading.community, { first: coming?.[0], events });
    if (path === '/events') return about + calendarPaint(pieces, events);
    const words = path === '/forgot-password' ? forgotPasswordWords(pieces, reading) : '';
    return about + words + (pieces.waiting ?? '');
  }

  private async writtenPage(path: string, locale: string): Promise<Written | undefined> {
    const legal = legalPageOf(path);
    if (legal !== undefined) return this.legalPage(legal, locale);
    const handbook = HANDBOOK.test(path) ? await this.index?.handbook(locale) : null;
    if (!handbook) return undefined;
    const page = handbook.pages.find(({ part }) => path === `/help/${part}`);
    const { title, summary } = page ?? handbook;
    return {
      meta: { title: `${title} · ${this.community.name}`, description: summary },
      paint: (pieces) =>
        handbookPaint(pieces, handbook, { page, isOther: !isReadIn(handbook.language, locale) }),
    };
  }

  /** Its text is made once for each version of the settings. */
  private legalPage(page: LegalPage, locale: string): Written {
    const { settingsVersion, name } = this.community;
    if (this.legalTexts.version !== settingsVersion)
      this.legalTexts = { version: settingsVersion, texts: new Map() };
    const { texts } = this.legalTexts;
    const text = texts.get(page) ?? textOfMarkdown(this.community[page] ?? '');
    texts.set(page, text);
    const title = frameWords(locale).legal[page];
    return {
      meta: { title: `${title} · ${name}`, description: shortened(text.replaceAll(/\s+/g, ' ')) },
      paint: (pieces) => legalPaint(pieces, { title, text }),
    };
  }

  /** A build that replaces the file makes new pages. */
  private async nameOf(page: string, reader: Reader): Promise<string> {
    const { tag, from } = this.languageOf(reader);
    const whose = reader.visitor ? 'visitor' : 'member';
    return `page ${page} ${whose} ${tag} ${from} ${await this.index?.version()} ${this.community.settingsVersion}`;
  }

  private languageOf({ chosen, spoken, isSettingUp }: Reader, community = this.community): Language {
    const from = (locale: string | undefined, who: Language['from']) => ({
      tag: tagFor(locale, community),
      from: who,
    });
    if (isLocale(chosen)) return from(chosen, 'reader');
    const asked = askedLocale(spoken, isSettingUp ? { languages: OF_SETUP } : community);
    return asked === undefined ? from(undefined, 'community') : from(asked, 'browser');
  }

  /** In the community's language: phones at the door are not signed in. */
  door(): Promise<string> {
    if (this.index === undefined) throw new DomainError('NOT_FOUND');
    return this.index.door(tagFor(null, this.community), this.community);
  }

  /** The first page as it would be with other settings; throws for settings of which none can be made. */
  async tryOut(community: PresentCommunity): Promise<void> {
    if (this.index === undefined) return;
    const meta = siteMeta(community, this.config.publicUrl, '/');
    const main = (pieces: Pieces) => landingPaint(pieces, community);
    await this.page({ reader: { visitor: true }, community, meta, answers: {}, main });
  }

  private async page({ reader, community = this.community, ...page }: Page): Promise<CachedResponse> {
    const { meta, answers, main, status = FOUND } = page;
    if (this.index === undefined) throw new DomainError('NOT_FOUND');
    const language = this.languageOf(reader, community);
    const html = await this.index.with({
      language,
      meta: meta === undefined ? NEUTRAL_META : metaHtml(meta, community, closestLocale(language.tag)),
      firstPaint: (pieces) => {
        const { waiting = '' } = pieces;
        if (meta === undefined) return { paint: waiting, whole: false };
        const shown = main?.(pieces, { community, locale: language.tag }) ?? '';
        const paint = framePaint(pieces, community, isAnnounced(answers), shown);
        return { paint, whole: shown !== '' && !(waiting !== '' && shown.includes(waiting)) };
      },
      queries: answers,
      community,
    });
    return new CachedResponse(html, 'text/html; charset=utf-8', { vary: VARY }, status);
  }
}

const isMissing = (error: unknown) => error instanceof DomainError && error.code === 'EVENT_NOT_FOUND';

/** @throws DomainError SERVICE_UNAVAILABLE after so many milliseconds */
async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const refuse = () => reject(new DomainError('SERVICE_UNAVAILABLE', { outcome: 'not-started' }));
    timer = setTimeout(refuse, milliseconds);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the strip at the top announces an event. */
const isAnnounced = (answers: Page['answers']) => {
  const next = answers[NEXT_EVENT_PATH]?.body;
  return Array.isArray(next) && next.length > 0;
};
