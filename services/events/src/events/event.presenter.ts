import { pictureUrl, type Event, type Page } from '@meetmark/contracts';
import { presentRegistration } from '../registrations/registration.presenter.js';
import type { EventEntity } from './event.entity.js';

export const presentEvent = (row: EventEntity): Event => ({
  id: row.id,
  title: row.title,
  description: row.description,
  startDate: row.startDate.toISOString(),
  endDate: row.endDate.toISOString(),
  location: row.location,
  format: row.format,
  isAllDay: row.isAllDay,
  bannerImageUrl: row.bannerHash === null ? null : pictureUrl('banners', row.bannerHash),
  price: row.price,
  capacity: row.capacity,
  createdById: row.createdById,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  version: row.version,
  registrationCount: row.registrationCount,
  registrations: row.ownRegistration ? [presentRegistration(row.ownRegistration)] : [],
});

export const presentEvents = ({ items, ...page }: Page<EventEntity>): Page<Event> => ({
  ...page,
  items: items.map(presentEvent),
});
