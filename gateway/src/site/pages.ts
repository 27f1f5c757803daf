import { createHash } from 'node:crypto';
import {
  DomainError,
  LEGAL_PAGES,
  type LegalPage,
  UUID_PATTERN,
  type Event,
  type EventPage,
  type FoundEvent,
} from '@meetmark/contracts';
import { closestLocale, isLocale, type ProductLocale, tagFor } from '@meetmark/i18n/locales';
import { eventPath } from '@meetmark/contracts/events/event-path';
import { isReadIn } from '@meetmark/contracts/handbook';
import { PAGE_PARAMETERS, PAGES, type PagePath } from '@meetmark/contracts/pages';
import { InjectCommunity, type PresentCommunity } from '@meetmark/platform';
import { frameWords } from '@meetmark/platform/mail/words';
import { textOfMarkdown } from '@meetmark/platform/text/markdown';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import pTimeout from 'p-timeout';
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

const toPattern = (page: PagePath) =>
  new RegExp(
    `^${page.replace(/\/:(\w+)(\??)/g, (_, name: keyof typeof PAGE_PARAMETERS, optional: string) => `(?:/(?:${PAGE_PARAMETERS[name]}))${optional}`)}$`,
  );

const EXPRESSIONS = PAGES.map(toPattern);

const findLegalPage = (path: string) => LEGAL_PAGES.find((page) => path === `/${page}`);

const HANDBOOK = toPattern('/help/:part?');

/** Path of the setup page. The secret of its link isn't part of the path. */
export const SETUP = '/setup';

const PREVIEW = toPattern('/events/preview/:token');

/** Secret URL of a door page, which is separate from the application. */
const DOOR = /^\/door\/[A-Za-z0-9_-]{43}$/;
const DOOR_FILE = '/door.html';
export const isDoor = (path: string) => DOOR.test(path) || path === DOOR_FILE;

export const isPage = (path: string) => [...EXPRESSIONS, DOOR].some((pattern) => pattern.test(path));

const OF_SETUP: ProductLocale[] = ['en-US', 'en-GB', 'de'];

const VARY = 'Accept-Language, Cookie';
const FOUND = 200;
const MOVED = 301;
const MISSING = 404;
const LISTED = 100;
/** Milliseconds to wait for responses to embed. If they are late, the screen requests them itself. */
const QUERIES_WITHIN = 500;

interface Written {
  meta: Pick<PageMeta, 'title' | 'description'>;
  paint: (pieces: Pieces) => string;
}

export interface Reader {
  visitor: boolean;
  /** Language in the cookie or URL, not validated. */
  chosen?: unknown;
  spoken?: string;
  isSettingUp?: boolean;
}

interface Details {
  eventId: string;
  request: FastifyRequest;
}

interface Page {
  reader: Reader;
  community?: PresentCommunity;
  meta?: PageMeta;
  answers: Awaited<ReturnType<DehydratedQueries['of']>>;
  main?: (pieces: Pieces, reading: Reading) => string;
  status?: number;
}

type EventAt = { id: string; slug?: undefined } | { id?: undefined; slug: string };

/** Events to show on a page. Events that can't be read are left out. */
interface Shown {
  coming?: Event[];
  event?: EventPage;
}

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
    const legal = findLegalPage(path);
    const written = legal === undefined || this.community[legal] !== null;
    if (!isPage(path) || !written) return this.missing(reader);
    // Includes the event only for visitors. Link previews and search engines, which need it, have no session.
    const about = reader.visitor && details !== undefined && (await this.isSeen(details));
    return this.known(path, reader, about ? { eventId: details.eventId } : {});
  }

  /** Whether visitors can see the event. If unknown, returns false, and the page shows no details. */
  private async isSeen({ eventId, request }: Details): Promise<boolean> {
    if (!UUID_PATTERN.test(eventId)) return false;
    const search = { name: `event ${eventId}`, request, missing: 'EVENT_NOT_FOUND' } as const;
    try {
      await soon(this.misses.count(search, () => this.events.one(eventId)));
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }

  /** Returns the same page for all unpublished events. It contains no text of the event and no secrets. */
  hidden(reader: Reader): Promise<CachedResponse> {
    return this.known('/events/preview', reader);
  }

  setup(reader: Reader): Promise<CachedResponse> {
    return this.page({ reader, answers: this.queries.always(reader.visitor) });
  }

  /**
   * Returns a page even if the event is missing or can't be read.
   * @param draft returns the page for a signed-in browser if visitors can't see the event
   */
  async ofEvent(
    address: EventAt,
    { request, ...reader }: Reader & { request: FastifyRequest },
    draft?: () => Promise<CachedResponse>,
  ): Promise<CachedResponse> {
    if (address.id !== undefined && !UUID_PATTERN.test(address.id)) return this.missing(reader);
    const event = address.id === undefined ? `event at ${address.slug}` : `event ${address.id}`;
    const name = await this.buildName(event, reader);
    const find = () => this.responses.get(name, () => this.eventPage(address, reader));
    const findAny = () =>
      find().catch((error: unknown) => {
        if (draft && !reader.visitor && isMissing(error)) return draft();
        throw error;
      });
    try {
      if (this.responses.has(name)) return await findAny();
      // Misses depend on the cookie, because an event that one member can't see may be visible to another.
      const whose = reader.visitor
        ? ''
        : createHash('sha256')
            .update(request.headers.cookie ?? '')
            .digest('base64url');
      const search = { name: `${event} ${whose}`, request, missing: 'EVENT_NOT_FOUND' } as const;
      return await this.misses.count(search, findAny);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'RATE_LIMITED') throw error;
      if (isMissing(error)) return this.missing(reader);
      if (error instanceof DomainError) return this.known('/events', reader);
      throw error;
    }
  }

  private async eventPage({ id, slug }: EventAt, reader: Reader): Promise<CachedResponse> {
    // Prefers the slug of the look-up. An older slug in the cached event could cause a redirect loop.
    const at = slug === undefined ? undefined : await this.eventAt(slug);
    const event = await this.events.read(at?.id ?? id!);
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
    return eventMeta(event, this.community, this.config.publicUrl, this.getLanguage(reader).tag);
  }

  private async eventAt(slug: string): Promise<FoundEvent> {
    const { body } = await this.events.at(slug);
    return JSON.parse(body.toString()) as FoundEvent;
  }

  private missing(reader: Reader): Promise<CachedResponse> {
    return this.known('/404', reader, { status: MISSING });
  }

  /** @param eventId event whose details open over the screen. The page's metadata describes this event. */
  private async known(
    path: string,
    reader: Reader,
    { status = FOUND, eventId }: { status?: number; eventId?: string } = {},
  ): Promise<CachedResponse> {
    const { visitor } = reader;
    const hidden = path === '/events/preview';
    const written = await this.writtenPage(path, this.getLanguage(reader).tag);
    const meta = { ...siteMeta(this.community, this.config.publicUrl, path), hidden, ...written?.meta };
    const buildMain = (shown: Shown) => (pieces: Pieces, reading: Reading) =>
      written ? written.paint(pieces) : this.screenPaint(pieces, { path, visitor, reading, ...shown });
    const full = async () => {
      const isCalendar = path === '/events';
      const answers = await this.queries.of({ visitor, cards: path === '/', month: isCalendar, eventId });
      const first = answers[FIRST_CARDS_PATH]?.body as Event[] | undefined;
      const coming = isCalendar ? await this.coming() : first;
      if (eventId === undefined)
        return this.page({ reader, meta, main: buildMain({ coming }), status, answers });
      const event = await this.events.read(eventId);
      const about = this.aboutEvent(event, reader);
      return this.page({ reader, meta: about, main: buildMain({ coming, event }), status, answers });
    };
    try {
      const name = await this.buildName(eventId === undefined ? path : `${path} over ${eventId}`, reader);
      return await soon(this.responses.get(name, full));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return this.page({ reader, meta, main: buildMain({}), status, answers: this.queries.always(visitor) });
    }
  }

  private async coming(): Promise<Event[]> {
    const { body } = await this.events.list({ time: 'notEnded', limit: String(LISTED) });
    return JSON.parse(body.toString()) as Event[];
  }

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
    const legal = findLegalPage(path);
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

  private async buildName(page: string, reader: Reader): Promise<string> {
    const { tag, from } = this.getLanguage(reader);
    const whose = reader.visitor ? 'visitor' : 'member';
    return `page ${page} ${whose} ${tag} ${from} ${await this.index?.version()} ${this.community.settingsVersion}`;
  }

  private getLanguage({ chosen, spoken, isSettingUp }: Reader, community = this.community): Language {
    const from = (locale: string | undefined, who: Language['from']) => ({
      tag: tagFor(locale, community),
      from: who,
    });
    if (isLocale(chosen)) return from(chosen, 'reader');
    const asked = askedLocale(spoken, isSettingUp ? { languages: OF_SETUP } : community);
    return asked === undefined ? from(undefined, 'community') : from(asked, 'browser');
  }

  /** Uses the community's language, because phones at the door aren't signed in. */
  door(): Promise<string> {
    if (this.index === undefined) throw new DomainError('NOT_FOUND');
    return this.index.door(tagFor(null, this.community), this.community);
  }

  async tryOut(community: PresentCommunity): Promise<void> {
    if (this.index === undefined) return;
    const meta = siteMeta(community, this.config.publicUrl, '/');
    const main = (pieces: Pieces) => landingPaint(pieces, community);
    await this.page({ reader: { visitor: true }, community, meta, answers: {}, main });
  }

  private async page({ reader, community = this.community, ...page }: Page): Promise<CachedResponse> {
    const { meta, answers, main, status = FOUND } = page;
    if (this.index === undefined) throw new DomainError('NOT_FOUND');
    const language = this.getLanguage(reader, community);
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

const soon = <T>(promise: Promise<T>): Promise<T> =>
  pTimeout(promise, {
    milliseconds: QUERIES_WITHIN,
    message: new DomainError('SERVICE_UNAVAILABLE', { outcome: 'not-started' }),
  });

const isAnnounced = (answers: Page['answers']) => {
  const next = answers[NEXT_EVENT_PATH]?.body;
  return Array.isArray(next) && next.length > 0;
};
