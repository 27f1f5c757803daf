import {
  CountRegistrations,
  DomainError,
  EventFilter,
  FindEvent,
  GetEvent,
  ListMyEvents,
  ListOwnRegistrations,
  ListPublicEvents,
  MyEventsRequest,
  nextStateChange,
  REGISTERED,
  WAITLISTED,
  type Community,
  type Event,
  type EventPage,
  type Registration,
  type User,
  type Waiting,
} from '@meetmark/contracts';
import { PAGE_PARAMETERS } from '@meetmark/contracts/pages';
import { InjectCommunity } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CachedResponse } from './cached-response.js';
import { ResponseCache } from './response-cache.js';
import { checkedFields, checkedFilter, pageHeaders } from '../http/fields.js';
import { SharedTurns } from '../http/shared-budgets.js';
import { ApiLimits } from '../rate-limits/api-limits.js';
import { ANONYMOUS, Services } from '../services.js';

const SLUG = new RegExp(`^${PAGE_PARAMETERS.slug}$`);

/**
 * Maximum clock difference between servers, in milliseconds. Responses within this time of a state change
 * aren't cached.
 */
const SKEW = 1_000;

/** Returns the time (milliseconds since 1970) of the first state change of any of the events. */
export const rightUntil = (events: Event[], asked: number) =>
  Math.min(...events.map((event) => nextStateChange(event, asked - SKEW)));

const END = '],"waiting":null}';
const WAITING_AT = '],"waiting":'.length;

/**
 * Inserts a member's registrations into the serialised list. Serialising 200 events again would take 1 ms
 * (bench/RESULTS.md). Obsolete if lists contain no registrations.
 */
class EventList extends CachedResponse {
  private constructor(
    body: Buffer,
    headers: Record<string, string>,
    until: number,
    /** Byte offset at which each event's registrations are inserted, by event id and in list order. */
    private readonly places: Map<string, number>,
  ) {
    super(body, CachedResponse.JSON, headers, 200, { until });
  }

  static of(events: Event[], headers: Record<string, string>, until: number): EventList {
    const places = new Map<string, number>();
    let at = '['.length;
    const parts = events.map(({ registrations: _, waiting: __, ...event }) => {
      const part = JSON.stringify({ ...event, registrations: [], waiting: null });
      const length = Buffer.byteLength(part);
      places.set(event.id, at + length - END.length);
      at += length + ','.length;
      return part;
    });
    return new EventList(Buffer.from(`[${parts.join()}]`), headers, until, places);
  }

  with(own: ReadonlyMap<string, Registration>): CachedResponse {
    const mine = [...this.places].filter(([eventId]) => {
      const status = own.get(eventId)?.status;
      return status === REGISTERED || status === WAITLISTED;
    });
    if (mine.length === 0) return this;
    const pieces: Buffer[] = [];
    let basis = this.etag;
    let from = 0;
    for (const [eventId, place] of mine) {
      const registration = own.get(eventId)!;
      const waits = registration.status === WAITLISTED;
      const at = waits ? place + WAITING_AT : place;
      const waiting: Waiting = { joinedAt: registration.registeredAt };
      const piece = JSON.stringify(waits ? waiting : registration);
      pieces.push(this.body.subarray(from, at), Buffer.from(piece));
      basis += eventId + piece;
      from = waits ? at + 'null'.length : at;
    }
    pieces.push(this.body.subarray(from));
    return new CachedResponse(Buffer.concat(pieces), CachedResponse.JSON, this.headers, 200, { basis });
  }
}

type ListPath = '/api/events/public' | '/api/events';

const REGISTRATION_BYTES = 500;

@Injectable()
export class EventResponses {
  private readonly turns = new SharedTurns('lists');

  constructor(
    private readonly services: Services,
    private readonly responses: ResponseCache,
    private readonly limits: ApiLimits,
    @InjectCommunity() private readonly community: Pick<Community, 'publicAttendees'>,
  ) {}

  /**
   * @param fields filter, validated only when a response is built
   * @param request counted towards the rate limits, or undefined if a page embeds the list
   */
  list(fields: object, request?: FastifyRequest, path: ListPath = '/api/events/public'): Promise<EventList> {
    // The cache key contains the parsed query, so that it matches the filter even for unusual URLs.
    const name = `list ${path} ${JSON.stringify(fields)}`;
    const find = () =>
      this.responses.get(name, async () => {
        const filter = await checkedFilter(EventFilter, { ...fields });
        const asked = Date.now();
        const page = await this.services.read(ListPublicEvents, filter, ANONYMOUS);
        const headers = pageHeaders(path, filter, page);
        return EventList.of(page.items, headers, rightUntil(page.items, asked));
      });
    return request === undefined || this.responses.has(name) ? find() : this.inTurn(request, find);
  }

  /**
   * Checks the rate limit again, because concurrent requests pass the first check before any of them is
   * counted.
   * @throws DomainError RATE_LIMITED, SERVICE_OVERLOADED
   */
  inTurn<T>(request: FastifyRequest, make: () => Promise<T>): Promise<T> {
    return this.turns.run(request.ip, async () => {
      await this.limits.refuseUsedUp(request);
      return make();
    });
  }

  listFor(
    userId: string,
    request: FastifyRequest,
    path?: ListPath,
  ): Promise<{ answer: CachedResponse; personal: boolean }> {
    const fields = request.query as object;
    return this.responses.get(`list ${path} for ${userId} ${JSON.stringify(fields)}`, async () => {
      const [list, { byEvent }] = await Promise.all([
        this.list(fields, request, path),
        this.loadRegistrations(userId),
      ]);
      const answer = list.with(byEvent);
      const personal = answer !== list;
      return { answer, personal, bytes: personal ? answer.bytes : 0 };
    });
  }

  mine({ id }: User, fields: object): Promise<CachedResponse> {
    return this.responses.get(`mine ${id} ${JSON.stringify(fields)}`, async () => {
      // Sets no page size, because the list is only as long as one person's registrations.
      const filter = await checkedFields(MyEventsRequest, { ...fields });
      const asked = Date.now();
      const page = await this.services.read(ListMyEvents, filter);
      const headers = pageHeaders('/api/my-events', filter, page);
      return CachedResponse.json(page.items, rightUntil(page.items, asked), headers);
    });
  }

  one(eventId: string): Promise<CachedResponse> {
    return this.responses.get(`event ${eventId}`, async () => {
      const asked = Date.now();
      const event = this.shown(await this.services.read(GetEvent, { eventId }, ANONYMOUS));
      return CachedResponse.json(event, rightUntil([event], asked));
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND */
  async read(eventId: string): Promise<EventPage> {
    const { body } = await this.one(eventId);
    return JSON.parse(body.toString()) as EventPage;
  }

  /** @throws DomainError PICTURE_NOT_FOUND */
  async pictured(eventId: string): Promise<EventPage> {
    try {
      return await this.read(eventId);
    } catch (error) {
      const missing = error instanceof DomainError && error.code === 'EVENT_NOT_FOUND';
      throw missing ? new DomainError('PICTURE_NOT_FOUND') : error;
    }
  }

  /** Removes public attendees if the community disabled them. The service may not know that yet. */
  shown(event: EventPage): EventPage {
    const isRight = this.community.publicAttendees || !event.publicAttendees?.length;
    return isRight ? event : { ...event, publicAttendees: [] };
  }

  /** @throws DomainError EVENT_NOT_FOUND */
  at(slug: string): Promise<CachedResponse> {
    if (!SLUG.test(slug)) throw new DomainError('EVENT_NOT_FOUND');
    const request = { slug: slug.toLowerCase() };
    return this.responses.get(`event at ${request.slug}`, async () =>
      CachedResponse.json(await this.services.read(FindEvent, request, ANONYMOUS)),
    );
  }

  count(eventId: string): Promise<CachedResponse> {
    return this.responses.get(`count ${eventId}`, async () =>
      CachedResponse.json(await this.services.read(CountRegistrations, { eventId }, ANONYMOUS)),
    );
  }

  private loadRegistrations(userId: string): Promise<{ byEvent: Map<string, Registration>; bytes: number }> {
    return this.responses.get(`registrations ${userId}`, async () => {
      const own = Object.entries(await this.services.read(ListOwnRegistrations, {}));
      return { byEvent: new Map(own), bytes: own.length * REGISTRATION_BYTES };
    });
  }
}
