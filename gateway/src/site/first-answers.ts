import { ERRORS, type Community } from '@meetmark/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { EventAnswers } from '../api/event-answers.js';
import type { Answer } from '../answers/answer.js';
import { COMMUNITY } from '../community/community.token.js';

const LIST = '/api/events/public';
const NEXT_EVENT = 'time=upcoming&limit=1';
const FIRST_CARDS = 'time=upcoming&limit=12';
export const NEXT_EVENT_PATH = `${LIST}?${NEXT_EVENT}`;

/** An answer of the API as the page carries it. */
interface Carried {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** What a page is about. */
export interface Subject {
  /** Whether the browser shows no session: then nobody can be signed in, and it need not ask. */
  visitor: boolean;
  cards?: boolean;
  eventId?: string;
}

/**
 * The answers to the calls that a page's first screen is about to make, by their paths: the page carries them, so the screen
 * stands as soon as its script has come. The web application takes them from there (web/src/api/dehydrated-queries.ts).
 */
@Injectable()
export class FirstAnswers {
  constructor(
    @Inject(COMMUNITY) private readonly community: Community,
    private readonly events: EventAnswers,
  ) {}

  /** @throws DomainError when the events cannot be told now, or the event is not there */
  async of({ visitor, cards = false, eventId }: Subject): Promise<Record<string, Carried>> {
    const list = (query: string) => this.events.list(Object.fromEntries(new URLSearchParams(query)));
    const asked: Record<string, Promise<Answer>> = { [NEXT_EVENT_PATH]: list(NEXT_EVENT) };
    if (cards) asked[`${LIST}?${FIRST_CARDS}`] = list(FIRST_CARDS);
    if (eventId !== undefined) asked[`/api/events/${eventId}/count`] = this.events.count(eventId);
    // a member's own answer tells whether they are registered
    if (eventId !== undefined && visitor) asked[`/api/events/${eventId}`] = this.events.one(eventId);
    const answers = await Promise.all(
      Object.entries(asked).map(async ([path, answer]) => [path, carried(await answer)] as const),
    );
    return { ...this.always(visitor), ...Object.fromEntries(answers) };
  }

  /** What can be told whatever is away. */
  always(visitor: boolean): Record<string, Carried> {
    const { status, message } = ERRORS.UNAUTHORIZED;
    return {
      '/api/config': { body: this.community },
      ...(visitor ? { '/api/user': { status, body: { message } } } : {}),
    };
  }
}

const carried = ({ body, headers }: Answer): Carried => ({
  headers,
  body: JSON.parse(body.toString()) as unknown,
});
