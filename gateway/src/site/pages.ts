import { DomainError, UUID_PATTERN, type Community, type Event } from '@meetmark/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { Answer } from '../answers/answer.js';
import { PublicAnswers } from '../answers/public-answers.js';
import { EventAnswers } from '../api/event-answers.js';
import { COMMUNITY } from '../community/community.token.js';
import { GatewayConfig } from '../gateway.config.js';
import { Misses } from '../limits/misses.js';
import { FirstAnswers, NEXT_EVENT_PATH } from './first-answers.js';
import { eventPaint, framePaint, landingPaint, type Pieces } from './first-paint.js';
import { IndexPage } from './index-page.js';
import { eventMeta, metaHtml, siteMeta, type PageMeta } from './meta.js';
import { soon } from './soon.js';

/** The addresses of the web application; any other is its page for what does not exist. */
const KNOWN = [
  /^\/$/,
  /^\/(forgot-password|reset-password|dashboard|profile|my-events|events|unsubscribe|confirm|revert-email)$/,
  /^\/admin(\/(users|events|audit|system))?$/,
];

export const isPage = (path: string) => KNOWN.some((pattern) => pattern.test(path));

const FOUND = 200;
const MISSING = 404;
/** Milliseconds that a page waits for what it might carry; the screen can ask for that itself. */
const PATIENCE = 500;

interface Page {
  meta: PageMeta;
  answers: Awaited<ReturnType<FirstAnswers['of']>>;
  main?: (pieces: Pieces) => string;
  status?: number;
}

/** The web application's one page, with what each address says about itself, shows first and is about to ask. */
@Injectable()
export class Pages {
  private readonly index?: IndexPage;

  constructor(
    private readonly config: GatewayConfig,
    @Inject(COMMUNITY) private readonly community: Community,
    private readonly events: EventAnswers,
    private readonly firstAnswers: FirstAnswers,
    private readonly publicAnswers: PublicAnswers,
    private readonly misses: Misses,
  ) {
    if (config.webRoot !== undefined) this.index = new IndexPage(config.webRoot);
  }

  /** `visitor`: the browser shows no session. */
  of(path: string, visitor: boolean): Promise<Answer> {
    return isPage(path) ? this.known(path, visitor) : this.missing(visitor);
  }

  /** Of an event that is missing, or that nobody can tell us about now, the page itself still comes: it says so. */
  async ofEvent(eventId: string, { visitor, ip }: { visitor: boolean; ip: string }): Promise<Answer> {
    if (!UUID_PATTERN.test(eventId)) return this.missing(visitor);
    const name = await this.nameOf(`event ${eventId}`, visitor);
    const find = () => this.publicAnswers.get(name, () => this.eventPage(eventId, visitor));
    try {
      if (this.publicAnswers.has(name)) return await find();
      return await this.misses.count({ name: `event ${eventId}`, ip, missing: 'EVENT_NOT_FOUND' }, find);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'RATE_LIMITED') throw error;
      if (error instanceof DomainError && error.code === 'EVENT_NOT_FOUND') return this.missing(visitor);
      if (error instanceof DomainError) return this.known('/events', visitor);
      throw error;
    }
  }

  private async eventPage(eventId: string, visitor: boolean): Promise<Answer> {
    const { body } = await this.events.one(eventId);
    const event = JSON.parse(body.toString()) as Event;
    return this.page({
      meta: eventMeta(event, this.community, this.config.publicUrl),
      answers: await this.firstAnswers.of({ visitor, eventId }),
      main: (pieces) => eventPaint(pieces, event),
    });
  }

  private missing(visitor: boolean): Promise<Answer> {
    return this.known('/404', visitor, MISSING);
  }

  private async known(path: string, visitor: boolean, status = FOUND): Promise<Answer> {
    const meta = siteMeta(this.community, this.config.publicUrl, path);
    const main =
      path === '/' && visitor ? (pieces: Pieces) => landingPaint(pieces, this.community) : undefined;
    const full = async () => {
      const answers = await this.firstAnswers.of({ visitor, cards: path === '/' });
      return this.page({ meta, main, status, answers });
    };
    try {
      return await soon(this.publicAnswers.get(await this.nameOf(path, visitor), full), PATIENCE);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return this.page({ meta, main, status, answers: this.firstAnswers.always(visitor) });
    }
  }

  /** A build that replaces the file makes new pages. */
  private async nameOf(page: string, visitor: boolean): Promise<string> {
    return `page ${page} ${visitor ? 'visitor' : 'member'} ${await this.index?.version()}`;
  }

  private async page({ meta, answers, main, status = FOUND }: Page): Promise<Answer> {
    if (this.index === undefined) throw new DomainError('NOT_FOUND');
    const html = await this.index.with({
      meta: metaHtml(meta, this.community),
      firstPaint: (pieces) =>
        framePaint(pieces, this.community, isAnnounced(answers), main?.(pieces) ?? pieces.waiting),
      firstAnswers: answers,
    });
    return new Answer(html, 'text/html; charset=utf-8', {}, status);
  }
}

/** Whether there is an event that the strip at the top announces. */
const isAnnounced = (answers: Page['answers']) => {
  const next = answers[NEXT_EVENT_PATH]?.body;
  return Array.isArray(next) && next.length > 0;
};
