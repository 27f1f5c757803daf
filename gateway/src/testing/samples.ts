import type { Event, Registration } from '@meetmark/contracts';
import { v7 as uuid } from 'uuid';

/** An event with values of its own wherever the test does not care. */
export const anEvent = (given: Partial<Event> = {}): Event => ({
  id: uuid(),
  title: 'SEO Breakfast',
  description: null,
  startDate: '2030-05-01T08:00:00.000Z',
  endDate: '2030-05-01T10:00:00.000Z',
  location: null,
  format: 'in_person',
  isAllDay: false,
  bannerImageUrl: null,
  price: null,
  capacity: null,
  createdById: uuid(),
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  version: 1,
  registrationCount: 0,
  registrations: [],
  ...given,
});

/** A place that is taken. */
export const aRegistration = (given: Partial<Registration> = {}): Registration => ({
  id: uuid(),
  userId: uuid(),
  selectedDate: null,
  registeredAt: '2026-01-01T00:00:00.000Z',
  status: 'registered',
  ...given,
});

/** A body of POST /api/events that is in order. */
export const anEventBody = {
  title: 'SEO Breakfast',
  startDate: '2030-05-01T08:00:00.000Z',
  endDate: '2030-05-01T10:00:00.000Z',
};
