import { Injectable } from '@nestjs/common';
import { DomainError, LIMITS, STATISTICS_DAYS, UPCOMING_SHOWN } from '@meetmark/contracts';
import type {
  Event,
  EventAddress,
  EventFigures,
  EventFilter,
  Page,
  RegistrationCount,
} from '@meetmark/contracts';
import { keysetPage } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { EventEntity } from './event.entity.js';
import { byStart, eventsFor, narrow } from './event-query.js';
import { presentEvent, presentEvents } from './event.presenter.js';

/** What can be read about events. */
@Injectable()
export class EventsService {
  constructor(private readonly dataSource: DataSource) {}

  /** `viewerId` null: the same answer for everyone. */
  async list(filter: EventFilter, viewerId: string | null): Promise<Page<Event>> {
    const query = narrow(eventsFor(this.dataSource.manager, viewerId), filter);
    const { sort = filter.time === 'past' ? '-startDate' : 'startDate' } = filter;
    // how many there are is the same for every viewer
    const counted = narrow(eventsFor(this.dataSource.manager, null), filter);
    return presentEvents(await keysetPage(query, filter, byStart(sort), counted));
  }

  /** In the order in which they were entered: a page that is full stays as it is, but for what is deleted. */
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

  async summarise(viewerId: string): Promise<EventFigures> {
    const [figures] = await this.dataSource.query<Omit<EventFigures, 'nextEvents'>[]>(
      `SELECT count(*)::integer AS total,
              count(*) FILTER (WHERE created_at > now() - make_interval(days => $1))::integer AS "createdLast30Days",
              count(*) FILTER (WHERE start_date >= now())::integer AS upcoming
       FROM events.events`,
      [STATISTICS_DAYS],
    );
    const next = await this.list({ time: 'upcoming', limit: UPCOMING_SHOWN }, viewerId);
    return { ...figures!, nextEvents: next.items };
  }
}
