import type { Event, User } from '@meetmark/contracts';

export const aUser = (changes: Partial<User> = {}): User => ({
  id: '0190a000-0000-7000-8000-000000000001',
  email: 'ada@example.org',
  firstName: 'Ada',
  lastName: 'Lovelace',
  profileImageUrl: null,
  description: null,
  linkedInUrl: null,
  isAdmin: false,
  hasSecondFactor: false,
  emailVerifiedAt: '2026-01-15T12:00:00.000Z',
  pendingEmail: null,
  hasPassword: true,
  createdAt: '2026-01-15T12:00:00.000Z',
  updatedAt: '2026-01-15T12:00:00.000Z',
  ...changes,
});

export const anEvent = (changes: Partial<Event> = {}): Event => ({
  id: '0190b000-0000-7000-8000-000000000001',
  title: 'Attribution breakfast',
  description: null,
  startDate: '2030-05-01T09:00:00.000Z',
  endDate: '2030-05-01T11:00:00.000Z',
  location: 'Leeds',
  format: 'in_person',
  isAllDay: false,
  bannerImageUrl: null,
  price: null,
  capacity: null,
  createdById: '0190a000-0000-7000-8000-000000000001',
  createdAt: '2026-01-15T12:00:00.000Z',
  updatedAt: '2026-01-15T12:00:00.000Z',
  registrationCount: 0,
  registrations: [],
  ...changes,
});
