import type { EventFilter } from '@meetmark/contracts';
import { containing, type KeysetOrder } from '@meetmark/platform';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { RegistrationEntity } from '../registrations/registration.entity.js';
import { EventEntity } from './event.entity.js';

export type EventQuery = SelectQueryBuilder<EventEntity>;

/** Events, with the viewer's own registration in them if there is a viewer. */
export function eventsFor(manager: EntityManager, viewerId: string | null): EventQuery {
  const query = manager.createQueryBuilder(EventEntity, 'event');
  if (viewerId === null) return query;
  return query.leftJoinAndMapOne(
    'event.ownRegistration',
    RegistrationEntity,
    'own',
    'own.eventId = event.id AND own.userId = :viewerId',
    { viewerId },
  );
}

/** Soonest first, or latest first for what is past. */
export const byStart = (sort: 'startDate' | '-startDate'): KeysetOrder => ({
  name: sort,
  key: 'event.startDate',
  type: 'timestamptz',
  id: 'event.id',
  direction: sort === 'startDate' ? 'ASC' : 'DESC',
});

export function narrow(query: EventQuery, filter: EventFilter): EventQuery {
  const { q, price, format, time, from, until, createdSince } = filter;
  if (q) {
    query.andWhere('(event.title ILIKE :part OR event.description ILIKE :part)', { part: containing(q) });
  }
  if (price) query.andWhere(`event.price IS ${price === 'free' ? '' : 'NOT '}NULL`);
  if (format) query.andWhere('event.format = :format', { format });
  if (time === 'upcoming') query.andWhere('event.startDate >= now()');
  if (time === 'past') query.andWhere('event.startDate < now()');
  if (from) query.andWhere('event.endDate > :from', { from });
  if (until) query.andWhere('event.startDate < :until', { until });
  if (createdSince) query.andWhere('event.createdAt >= :createdSince', { createdSince });
  return query;
}
