import { Injectable } from '@nestjs/common';
import {
  DomainError,
  type Event,
  type EventAddress,
  type EventFigures,
  type EventFilter,
  LIMITS,
  type Page,
  type PageRequest,
  type RegistrationCount,
  UPCOMING_SHOWN,
} from '@meetmark/contracts';
import { keysetPage } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { EventEntity, presentEvent, presentEvents } from './event.entity.js';
import { applyFilters, byStart, countEvents, eventsFor, eventsWithPlaceOf } from './events.repository.js';

/** Reads events. */
@Injectable()
export class EventsService {
  constructor(private readonly dataSource: DataSource) {}

  /** `viewerId` null: the same answer for everyone. */
  async list(filter: EventFilter, viewerId: string | null): Promise<Page<Event>> {
    const query = applyFilters(eventsFor(this.dataSource.manager, viewerId), filter);
    const { sort = filter.time === 'past' ? '-startDate' : 'startDate' } = filter;
    // the count is the same for every viewer, and cheaper without the join
    const counted = applyFilters(eventsFor(this.dataSource.manager, null), filter);
    return presentEvents(await keysetPage(query, filter, byStart(sort), counted));
  }

  /** In the order of entry, so that a full page changes only by deletions. */
  async listAddresses(page: number): Promise<EventAddress[]> {
    const found = await this.dataSource.manager.find(EventEntity, {
      select: { id: true, updatedAt: true },
      order: { id: 'ASC' },
      skip: (page - 1) * LIMITS.listMax,
      take: LIMITS.listMax,
    });
    return found.map(({ id, updatedAt }) => ({ id, updatedAt: updatedAt.toISOString() }));
  }

  /** @throws DomainError EVENT_NOT_FOUND */
  async get(eventId: string, viewerId: string | null): Promise<Event> {
    const event = await eventsFor(this.dataSource.manager, viewerId)
      .andWhere('event.id = :eventId', { eventId })
      .getOne();
    if (!event) throw new DomainError('EVENT_NOT_FOUND');
    return presentEvent(event);
  }

  /** @throws DomainError EVENT_NOT_FOUND */
  async countRegistrations(eventId: string): Promise<RegistrationCount> {
    const event = await this.dataSource.manager.findOne(EventEntity, {
      where: { id: eventId },
      select: { id: true, registrationCount: true },
    });
    if (!event) throw new DomainError('EVENT_NOT_FOUND');
    return { count: event.registrationCount };
  }

  /** The events at which the member has a place. */
  async myEvents(userId: string, request: PageRequest): Promise<Page<Event>> {
    const query = eventsWithPlaceOf(this.dataSource.manager, userId);
    return presentEvents(await keysetPage(query, request, byStart('startDate')));
  }

  async summarise(viewerId: string): Promise<EventFigures> {
    const figures = await countEvents(this.dataSource.manager);
    const next = await this.list({ time: 'upcoming', limit: UPCOMING_SHOWN }, viewerId);
    return { ...figures, nextEvents: next.items };
  }
}
