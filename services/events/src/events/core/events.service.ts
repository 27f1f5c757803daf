import { Controller } from '@nestjs/common';
import {
  PUBLIC_ATTENDEES_VISIBLE,
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
  ListEvents,
  ListPublicEvents,
  type EventMemberSearch,
  FindMembersForEvent,
  MayManage,
  ListEventAddresses,
  type EventAddressesRequest,
  FindEvent,
  type FindEventRequest,
  GetEvent,
  type EventIdRequest,
  CountRegistrations,
  ListMyEvents,
  FindMembers,
  type MemberSearch,
  ListVenues,
  ListEventRoles,
  type Nothing,
  AnswerEventRole,
  SummariseEvents,
} from '@meetmark/contracts';
import {
  InjectCommunity,
  keysetPage,
  fetchKeysetPage,
  Handles,
  type Call,
  requireIdentity,
  callerId,
} from '@meetmark/platform';
import { DataSource } from 'typeorm';
import type { Viewer } from './viewer.js';
import { PublicCache } from '../../public-cache.js';
import { publicAttendeesAt } from '../../registrations/participants.repository.js';
import { answerRole, fetchContent, findMembers, fetchRoles } from '../content/event-content.repository.js';
import { presentPage } from '../content/event-content.js';
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
  selectMemberEvents,
  upcomingFirst,
  venuesSeenBy,
} from './events.repository.js';

@Controller()
export class EventsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly publicCache: PublicCache,
    @InjectCommunity() private readonly community: Community,
  ) {}

  /** Everyone gets the same response. */
  @Handles(ListPublicEvents)
  listPublic(filter: EventFilter): Promise<Page<Event>> {
    return this.fetchPage(filter, null);
  }

  @Handles(ListEvents)
  list(filter: EventFilter, { identity }: Call): Promise<Page<Event>> {
    return this.fetchPage(filter, identity);
  }

  private async fetchPage(filter: EventFilter, viewer: Viewer): Promise<Page<Event>> {
    const { manager } = this.dataSource;
    const found = (options?: { withOwn: boolean }) =>
      filter.managedBy === 'me' && viewer !== null
        ? eventsManagedBy(manager, viewer, options)
        : eventsSeenBy(manager, viewer, 'list', options);
    const filtered = () => applyFilters(found(), filter);
    const { time, cursor, sort = time === 'past' || time === 'ended' ? '-startDate' : 'startDate' } = filter;
    const parts =
      time === 'notEnded' && sort !== '-startDate'
        ? upcomingFirst(filtered, cursor).slice(0, 2)
        : sort === 'upcomingFirst'
          ? upcomingFirst(filtered, cursor)
          : [{ query: filtered(), order: byStart(sort) }];
    // counts without the join of the viewer's registration, which doesn't change the count
    const counted = applyFilters(found({ withOwn: false }), filter);
    return presentEvents(await fetchKeysetPage(parts, filter, counted));
  }

  /** Lists events in order of creation, so that new events don't change full pages. */
  @Handles(ListEventAddresses)
  async listAddresses({ page }: EventAddressesRequest): Promise<EventAddress[]> {
    const found = await eventsSeenBy(this.dataSource.manager, null, 'list')
      .select(['event.id', 'event.slug', 'event.updatedAt'])
      .orderBy('event.id')
      .offset((page - 1) * LIMITS.listMax)
      .limit(LIMITS.listMax)
      .getMany();
    return found.map(({ id, slug, updatedAt }) => ({ id, slug, updatedAt: updatedAt.toISOString() }));
  }

  /** @throws DomainError EVENT_NOT_FOUND */
  @Handles(FindEvent)
  async find({ slug }: FindEventRequest): Promise<FoundEvent> {
    const event = await eventSeenAt(this.dataSource.manager, slug);
    return { id: event.id, slug: event.slug! };
  }

  /** @throws DomainError EVENT_NOT_FOUND */
  @Handles(GetEvent)
  async get({ eventId }: EventIdRequest, { identity }: Call): Promise<EventPage> {
    const { manager } = this.dataSource;
    const event = await eventSeenBy(manager, identity, eventId);
    await addPositions(manager, [event]);
    const isShown = event.endDate.getTime() >= Date.now() - PUBLIC_ATTENDEES_VISIBLE;
    return {
      ...presentPage(event, await fetchContent(manager, eventId), identity),
      publicAttendees:
        this.community.publicAttendees && isShown ? await publicAttendeesAt(manager, eventId) : [],
    };
  }

  /** @throws DomainError EVENT_NOT_FOUND */
  @Handles(CountRegistrations)
  async countRegistrations({ eventId }: EventIdRequest, { identity }: Call): Promise<RegistrationCount> {
    const event = await eventSeenBy(this.dataSource.manager, identity, eventId);
    return { count: event.registrationCount };
  }

  @Handles(ListMyEvents)
  async myEvents({ include, ...request }: MyEventsRequest, call: Call): Promise<Page<Event>> {
    const { manager } = this.dataSource;
    const statuses = include === 'waiting' ? [REGISTERED, WAITLISTED] : [REGISTERED];
    const query = selectMemberEvents(manager, callerId(call), statuses);
    const page = await keysetPage(query, request, byStart('startDate'));
    await addPositions(manager, page.items);
    return presentEvents(page);
  }

  @Handles(FindMembers)
  findMembers({ q }: MemberSearch): Promise<FoundMember[]> {
    return findMembers(this.dataSource.manager, q);
  }

  /** The guard has checked that the caller manages the event. */
  @Handles(FindMembersForEvent)
  findMembersForEvent(request: EventMemberSearch): Promise<FoundMember[]> {
    return this.findMembers(request);
  }

  /** Does nothing, because the guard has checked that the caller manages the event. */
  @Handles(MayManage)
  mayManage(_: EventIdRequest): void {}

  @Handles(ListVenues)
  venues(filter: VenueFilter, call: Call): Promise<Page<Venue>> {
    return venuesSeenBy(this.dataSource.manager, requireIdentity(call), filter);
  }

  @Handles(ListEventRoles)
  roles(_: Nothing, call: Call): Promise<EventRole[]> {
    return fetchRoles(this.dataSource.manager, callerId(call));
  }

  /** @throws DomainError ROLE_NOT_FOUND */
  @Handles(AnswerEventRole)
  answerRole(request: EventRoleRequest, call: Call): Promise<EventRole> {
    const userId = callerId(call);
    return this.publicCache.transaction(async (manager) => {
      await answerRole(manager, userId, request);
      const [role] = await fetchRoles(manager, userId, request);
      if (role === undefined) throw new DomainError('ROLE_NOT_FOUND');
      return role;
    });
  }

  @Handles(SummariseEvents)
  async summarise(_: Nothing, { identity }: Call): Promise<EventFigures> {
    const figures = await countEvents(this.dataSource.manager);
    const next = await this.fetchPage(
      { status: 'published', time: 'notEnded', limit: UPCOMING_SHOWN },
      identity,
    );
    return { ...figures, nextEvents: next.items };
  }
}
