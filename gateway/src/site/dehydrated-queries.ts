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
const AGENDA = 'time=notEnded&limit=12';
export const NEXT_EVENT_PATH = `${LIST}?${NEXT_EVENT}`;
export const FIRST_CARDS_PATH = `${LIST}?${FIRST_CARDS}`;

interface Dehydrated {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

interface Subject {
  /** Whether the browser has no session cookie, so that /api/user would respond with 401. */
  visitor: boolean;
  cards?: boolean;
  month?: boolean;
  eventId?: string;
  slug?: string | null;
}

/** Maximum bytes of a month's events to embed. If there are more, the screen requests them. */
const MONTH_BYTES = 256 * 1024;

function monthQuery({ timeZone }: Pick<PresentCommunity, 'timeZone'>): string {
  const [year, month] = dateIn(timeZone, new Date()).split('-').map(Number) as [number, number];
  return new URLSearchParams(monthSpan(year, month - 1)).toString();
}

/**
 * Collects responses to embed in a page, so that its first screen needs no requests
 * (web/src/api/dehydrated-queries.ts, figures in docs/scaling.md). Obsolete with server rendering.
 */
@Injectable()
export class DehydratedQueries {
  constructor(
    @InjectCommunity() private readonly community: PresentCommunity,
    private readonly events: EventResponses,
  ) {}

  /** @throws DomainError if events can't be read or the event doesn't exist */
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
    if (month) asked[`${LIST}?${AGENDA}`] = list(AGENDA);
    if (eventId !== undefined) asked[`/api/events/${eventId}/count`] = this.events.count(eventId);
    if (slug) asked[`/api/event-slugs/${slug}`] = this.events.at(slug);
    // Only for visitors, because a member's response contains their registration.
    if (eventId !== undefined && visitor) asked[`/api/events/${eventId}`] = this.events.one(eventId);
    const span = month ? monthQuery(this.community) : null;
    // Awaits all together, because a failure that nobody awaits would end the process.
    const [inMonth, answers] = await Promise.all([
      span === null ? null : list(span),
      Promise.all(
        Object.entries(asked).map(async ([path, answer]) => [path, dehydrated(await answer)] as const),
      ),
    ]);
    const isSmall = inMonth !== null && inMonth.bytes <= MONTH_BYTES;
    return {
      ...this.always(visitor),
      ...Object.fromEntries(answers),
      ...(isSmall ? { [`${LIST}?${span}`]: dehydrated(inMonth) } : {}),
    };
  }

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
