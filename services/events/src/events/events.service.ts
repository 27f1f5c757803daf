import { Injectable } from '@nestjs/common';
import {
  type Event,
  type EventAddress,
  type EventFigures,
  type EventFilter,
  LIMITS,
  type MyEventsRequest,
  type Page,
  REGISTERED,
  type RegistrationCount,
  UPCOMING_SHOWN,
  WAITLISTED,
} from '@meetmark/contracts';
import { keysetPage } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { presentEvent, presentEvents } from './event.entity.js';
import {
  addPositions,
  applyFilters,
  byStart,
  countEvents,
  eventSeenBy,
  eventsSeenBy,
  eventsWithPlaceOf,
  type Viewer,
} from './events.repository.js';

/** Reads events. */
@Injectable()
export class EventsService {
  constructor(private readonly dataSource: DataSource) {}

  /** `viewer` null: the same answer for everyone. */
  async list(filter: EventFilter, viewer: Viewer): Promise<Page<Event>> {
    const query = applyFilters(eventsSeenBy(this.dataSource.manager, viewer, 'list'), filter);
    const { sort = filter.time === 'past' ? '-startDate' : 'startDate' } = filter;
    // the count is the same for every viewer, and cheaper without the join
    const all = eventsSeenBy(this.dataSource.manager, viewer, 'list', { withOwn: false });
    const counted = applyFilters(all, filter);
    return presentEvents(await keysetPage(query, filter, byStart(sort), counted));
  }

  /** In the order of entry, so that a full page changes only by deletions. */
  async listAddresses(page: number): Promise<EventAddress[]> {
    const found = await eventsSeenBy(this.dataSource.manager, null, 'list')
      .select(['event.id', 'event.updatedAt'])
      .orderBy('event.id')
      .offset((page - 1) * LIMITS.listMax)
      .limit(LIMITS.listMax)
      .getMany();
    return found.map(({ id, updatedAt }) => ({ id, updatedAt: updatedAt.toISOString() }));
  }

  /** @throws DomainError EVENT_NOT_FOUND */
  async get(eventId: string, viewer: Viewer): Promise<Event> {
    const { manager } = this.dataSource;
    const event = await eventSeenBy(manager, viewer, eventId);
    await addPositions(manager, [event]);
    return presentEvent(event);
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

  async summarise(viewer: Viewer): Promise<EventFigures> {
    const figures = await countEvents(this.dataSource.manager);
    const next = await this.list({ status: 'published', time: 'upcoming', limit: UPCOMING_SHOWN }, viewer);
    return { ...figures, nextEvents: next.items };
  }
}
