import { Injectable } from '@nestjs/common';
import {
  ATTENDEES_SHOWN,
  type Community,
  DomainError,
  type Event,
  type EventAddress,
  type EventFigures,
  type EventFilter,
  type EventPage,
  type EventRole,
  type EventRoleRequest,
  LIMITS,
  type MyEventsRequest,
  type Page,
  REGISTERED,
  type RegistrationCount,
  UPCOMING_SHOWN,
  type Venue,
  type FoundEvent,
  type FoundMember,
  type VenueFilter,
  WAITLISTED,
} from '@meetmark/contracts';
import { InjectCommunity, inTransaction, keysetPage, keysetPageOf } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { PublicCache } from '../public-cache.js';
import { publicAttendeesAt } from './participants.repository.js';
import { answerRole, contentOf, findMembers, rolesOf, venues } from './event-content.repository.js';
import { presentPage } from './event-content.js';
import { presentEvents } from './event.entity.js';
import {
  addPositions,
  applyFilters,
  byStart,
  countEvents,
  eventsManagedBy,
  eventSeenAt,
  eventSeenBy,
  eventsSeenBy,
  eventsWithPlaceOf,
  upcomingFirst,
  type Viewer,
} from './events.repository.js';

/** Reads events, and what a member says to being named in one. */
@Injectable()
export class EventsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly publicCache: PublicCache,
    @InjectCommunity() private readonly community: Community,
  ) {}

  /** `viewer` null: the same answer for everyone. */
  async list(filter: EventFilter, viewer: Viewer): Promise<Page<Event>> {
    const { manager } = this.dataSource;
    const found = (options?: { withOwn: boolean }) =>
      filter.managedBy === 'me' && viewer !== null
        ? eventsManagedBy(manager, viewer, options)
        : eventsSeenBy(manager, viewer, 'list', options);
    const filtered = () => applyFilters(found(), filter);
    const { sort = filter.time === 'past' ? '-startDate' : 'startDate' } = filter;
    const parts =
      sort === 'upcomingFirst'
        ? upcomingFirst(filtered, filter.cursor)
        : [{ query: filtered(), order: byStart(sort) }];
    // the count is the same for every viewer, and cheaper without the join
    const counted = applyFilters(found({ withOwn: false }), filter);
    return presentEvents(await keysetPageOf(parts, filter, counted));
  }

  /** In the order of entry, so that a full page changes only by deletions. */
  async listAddresses(page: number): Promise<EventAddress[]> {
    const found = await eventsSeenBy(this.dataSource.manager, null, 'list')
      .select(['event.id', 'event.slug', 'event.updatedAt'])
      .orderBy('event.id')
      .offset((page - 1) * LIMITS.listMax)
      .limit(LIMITS.listMax)
      .getMany();
    return found.map(({ id, slug, updatedAt }) => ({ id, slug, updatedAt: updatedAt.toISOString() }));
  }

  /** @throws DomainError EVENT_NOT_FOUND */
  async find(slug: string): Promise<FoundEvent> {
    const event = await eventSeenAt(this.dataSource.manager, slug);
    return { id: event.id, slug: event.slug! };
  }

  /** @throws DomainError EVENT_NOT_FOUND */
  async get(eventId: string, viewer: Viewer): Promise<EventPage> {
    const { manager } = this.dataSource;
    const event = await eventSeenBy(manager, viewer, eventId);
    await addPositions(manager, [event]);
    // as long after it as members see who came
    const isShown = event.endDate.getTime() >= Date.now() - ATTENDEES_SHOWN;
    return {
      ...presentPage(event, await contentOf(manager, eventId), viewer),
      publicAttendees:
        this.community.publicAttendees && isShown ? await publicAttendeesAt(manager, eventId) : [],
    };
  }

  /** @throws DomainError EVENT_NOT_FOUND */
  async countRegistrations(eventId: string, viewer: Viewer = null): Promise<RegistrationCount> {
    const event = await eventSeenBy(this.dataSource.manager, viewer, eventId);
    return { count: event.registrationCount };
  }

  /** The events at which the member has a place, and if asked for those where they wait. */
  async myEvents(userId: string, { include, ...request }: MyEventsRequest): Promise<Page<Event>> {
    const { manager } = this.dataSource;
    const statuses = include === 'waiting' ? [REGISTERED, WAITLISTED] : [REGISTERED];
    const query = eventsWithPlaceOf(manager, userId, statuses);
    const page = await keysetPage(query, request, byStart('startDate'));
    await addPositions(manager, page.items);
    return presentEvents(page);
  }

  /** Members by name, to name them in an event. */
  findMembers(q: string): Promise<FoundMember[]> {
    return findMembers(this.dataSource.manager, q);
  }

  /** The venues that events have. */
  venues(filter: VenueFilter): Promise<Page<Venue>> {
    return venues(this.dataSource.manager, filter);
  }

  /** What a member is named as. */
  roles(userId: string): Promise<EventRole[]> {
    return rolesOf(this.dataSource.manager, userId);
  }

  /** A member agrees to be shown in a role, or does not any more. @throws DomainError ROLE_NOT_FOUND */
  answerRole(userId: string, request: EventRoleRequest): Promise<EventRole> {
    return this.publicCache.changing(() =>
      inTransaction(this.dataSource, async (manager) => {
        await answerRole(manager, userId, request);
        const [role] = await rolesOf(manager, userId, request);
        if (role === undefined) throw new DomainError('ROLE_NOT_FOUND');
        return role;
      }),
    );
  }

  async summarise(viewer: Viewer): Promise<EventFigures> {
    const figures = await countEvents(this.dataSource.manager);
    const next = await this.list({ status: 'published', time: 'upcoming', limit: UPCOMING_SHOWN }, viewer);
    return { ...figures, nextEvents: next.items };
  }
}
