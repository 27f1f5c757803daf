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
import { CachedResponse } from './cached-response.js';
import { ResponseCache } from './response-cache.js';
import { checkedFields, pageHeaders } from '../http/fields.js';
import { ANONYMOUS, Services } from '../services.js';

const SLUG = new RegExp(`^${PAGE_PARAMETERS.slug}$`);

/** Milliseconds by which the clocks of gateway and service may differ: around a change of state nothing is kept. */
const SKEW = 1_000;

/** When an event next changes its state by the clock: until then the answer stays right, unless it is edited. @param asked when the service was asked */
const rightUntil = (events: Event[], asked: number) =>
  Math.min(...events.map((event) => nextStateChange(event, asked - SKEW)));

/** What follows the registrations of an event that is serialised for everybody. */
const END = '],"waiting":null}';
const WAITING_AT = '],"waiting":'.length;

/**
 * A cached list of events in which a member's own registrations are inserted without serialising the events again. The gateway answers a
 * public list of 200 events in 1 ms of processor time (bench/RESULTS.md). It can go when the lists carry no registrations.
 */
class EventList extends CachedResponse {
  private constructor(
    body: Buffer,
    headers: Record<string, string>,
    until: number,
    /** Event id to the byte at which its registrations are inserted, in the order of the list. */
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

  /** The list with what the member has taken or waits for; the same object if none is for one of its events. */
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

/** What everybody but administrators sees is the same list at both. */
type ListPath = '/api/events/public' | '/api/events';

/** Bytes that one registration takes in memory, roughly. */
const REGISTRATION_BYTES = 500;

/** The public responses about events, cached until something about them changes. */
@Injectable()
export class EventResponses {
  constructor(
    private readonly services: Services,
    private readonly responses: ResponseCache,
    @InjectCommunity() private readonly community: Pick<Community, 'publicAttendees'>,
  ) {}

  /** @param fields of the query. They are validated when a response is made, so a cached one needs no validation */
  list(fields: object, path: ListPath = '/api/events/public'): Promise<EventList> {
    // the key is the parsed query, because the router may read an odd address differently
    return this.responses.get(`list ${path} ${JSON.stringify(fields)}`, async () => {
      const filter = await checkedFields(EventFilter, { ...fields });
      const asked = Date.now();
      const page = await this.services.read(ListPublicEvents, filter, ANONYMOUS);
      const headers = pageHeaders(path, filter, page);
      return EventList.of(page.items, headers, rightUntil(page.items, asked));
    });
  }

  /** A list as a member sees it, with their own registrations: `personal` if it has one. */
  listFor(
    userId: string,
    fields: object,
    path?: ListPath,
  ): Promise<{ answer: CachedResponse; personal: boolean }> {
    return this.responses.get(`list ${path} for ${userId} ${JSON.stringify(fields)}`, async () => {
      const [list, { byEvent }] = await Promise.all([this.list(fields, path), this.registrationsOf(userId)]);
      const answer = list.with(byEvent);
      const personal = answer !== list;
      return { answer, personal, bytes: personal ? answer.bytes : 0 };
    });
  }

  /** The events at which the caller has a place, or waits. */
  mine({ id, emailVerifiedAt }: User, fields: object): Promise<CachedResponse> {
    // a verified address keeps places that would lapse, and changes nothing else of events
    const whose = `${id} ${emailVerifiedAt !== null}`;
    return this.responses.get(`mine ${whose} ${JSON.stringify(fields)}`, async () => {
      const filter = await checkedFields(MyEventsRequest, { ...fields });
      const asked = Date.now();
      const page = await this.services.read(ListMyEvents, filter);
      const headers = pageHeaders('/api/my-events', filter, page);
      return CachedResponse.json(page.items, rightUntil(page.items, asked), headers);
    });
  }

  /** As a visitor sees it. */
  one(eventId: string): Promise<CachedResponse> {
    return this.responses.get(`event ${eventId}`, async () => {
      const asked = Date.now();
      const event = this.shown(await this.services.read(GetEvent, { eventId }, ANONYMOUS));
      return CachedResponse.json(event, rightUntil([event], asked));
    });
  }

  /** As a visitor sees what a picture is of. @throws DomainError PICTURE_NOT_FOUND */
  async pictured(eventId: string): Promise<EventPage> {
    try {
      const { body } = await this.one(eventId);
      return JSON.parse(body.toString()) as EventPage;
    } catch (error) {
      const missing = error instanceof DomainError && error.code === 'EVENT_NOT_FOUND';
      throw missing ? new DomainError('PICTURE_NOT_FOUND') : error;
    }
  }

  /** Without those who let visitors see them, where the community does not; a service may not have heard of it yet. */
  shown(event: EventPage): EventPage {
    const isRight = this.community.publicAttendees || !event.publicAttendees?.length;
    return isRight ? event : { ...event, publicAttendees: [] };
  }

  /** Which event has this short address, in any letter case. @throws DomainError EVENT_NOT_FOUND */
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

  private registrationsOf(userId: string): Promise<{ byEvent: Map<string, Registration>; bytes: number }> {
    return this.responses.get(`registrations ${userId}`, async () => {
      const own = Object.entries(await this.services.read(ListOwnRegistrations, {}));
      return { byEvent: new Map(own), bytes: own.length * REGISTRATION_BYTES };
    });
  }
}
