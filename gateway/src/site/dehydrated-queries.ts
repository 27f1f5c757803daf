import { ERRORS, monthSpan } from '@meetmark/contracts';
import { InjectCommunity, type PresentCommunity } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import type { CachedResponse } from '../cache/cached-response.js';
import { EventResponses } from '../cache/event-responses.js';
import { publicCommunity } from './community.controller.js';
import { dateIn } from './meta.js';

const LIST = '/api/events/public';
const NEXT_EVENT = 'time=upcoming&limit=1';
const FIRST_CARDS = 'time=upcoming&limit=12';
export const NEXT_EVENT_PATH = `${LIST}?${NEXT_EVENT}`;
export const FIRST_CARDS_PATH = `${LIST}?${FIRST_CARDS}`;

/** A response of the API as the page carries it. */
interface Dehydrated {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** What a page is about. */
interface Subject {
  /** Whether the browser sends no session cookie: then /api/user is known to be a 401. */
  visitor: boolean;
  cards?: boolean;
  /** Whether the screen is a calendar, which begins with the present month. */
  month?: boolean;
  eventId?: string;
  /** The event's short address. */
  slug?: string | null;
}

/** Bytes of a month's events that a page carries; more is asked for by the screen. */
const MONTH_BYTES = 256 * 1024;

/** The month that it is at the community, as its calendar asks for it. */
function monthQuery({ timeZone }: Pick<PresentCommunity, 'timeZone'>): string {
  const [year, month] = dateIn(timeZone, new Date()).split('-').map(Number) as [number, number];
  return new URLSearchParams(monthSpan(year, month - 1)).toString();
}

/**
 * The responses to the queries of a page's first screen, by their paths. The page carries them, so the screen is complete as soon as
 * its script has loaded (web/src/api/dehydrated-queries.ts). docs/scaling.md has the Lighthouse figures. It can go when the
 * pages are rendered by the server.
 */
@Injectable()
export class DehydratedQueries {
  constructor(
    @InjectCommunity() private readonly community: PresentCommunity,
    private readonly events: EventResponses,
  ) {}

  /** @throws DomainError when the events cannot be read now, or the event does not exist */
  async of({
    visitor,
    cards = false,
    month = false,
    eventId,
    slug,
  }: Subject): Promise<Record<string, Dehydrated>> {
    const list = (query: string) => this.events.list(Object.fromEntries(new URLSearchParams(query)));
    const asked: Record<string, Promise<CachedResponse>> = { [NEXT_EVENT_PATH]: list(NEXT_EVENT) };
    if (cards) asked[FIRST_CARDS_PATH] = list(FIRST_CARDS);
    if (eventId !== undefined) asked[`/api/events/${eventId}/count`] = this.events.count(eventId);
    if (slug) asked[`/api/event-slugs/${slug}`] = this.events.at(slug);
    // a member's own response contains their registration
    if (eventId !== undefined && visitor) asked[`/api/events/${eventId}`] = this.events.one(eventId);
    const span = month ? monthQuery(this.community) : null;
    const inMonth = span === null ? null : await list(span);
    if (inMonth !== null && inMonth.bytes <= MONTH_BYTES) asked[`${LIST}?${span}`] = Promise.resolve(inMonth);
    const answers = await Promise.all(
      Object.entries(asked).map(async ([path, answer]) => [path, dehydrated(await answer)] as const),
    );
    return { ...this.always(visitor), ...Object.fromEntries(answers) };
  }

  /** The responses that need no service. */
  always(visitor: boolean): Record<string, Dehydrated> {
    const { status, message } = ERRORS.UNAUTHORIZED;
    return {
      '/api/config': { body: publicCommunity(this.community) },
      ...(visitor ? { '/api/user': { status, body: { message } } } : {}),
    };
  }
}

const dehydrated = ({ body, headers }: CachedResponse): Dehydrated => ({
  headers,
  body: JSON.parse(body.toString()) as unknown,
});
