import type { EventStatus, ListedEventFields, RegistrationStatus, PlaceShows } from '@meetmark/contracts';
import { emptyFields } from '@meetmark/contracts/events/event-fields';
import { v7 as uuid } from 'uuid';
import { insertAdministrator, insertRow, type Queryable } from './users.js';

type Moment = 'startDate' | 'endDate' | 'publishAt' | 'registrationOpensAt' | 'registrationClosesAt';

export interface EventRow extends Omit<ListedEventFields, Moment> {
  id: string;
  startDate: Date;
  endDate: Date;
  createdById: string;
  createdAt: Date;
  status: EventStatus;
  publishAt: Date | null;
  cancelledAt: Date | null;
  cancelReason: string | null;
  seriesId: string | null;
  registrationOpensAt: Date | null;
  registrationClosesAt: Date | null;
}

const { bannerImageUrl: _, ...EMPTY } = emptyFields(({ on }) => on === 'lists') as Record<string, unknown>;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const daysFromNow = (days: number) => new Date(Date.now() + days * DAY);

/** At noon, so that the event ends on the day it starts, whenever the test runs. */
const tomorrowAtNoon = () => new Date(daysFromNow(1).setUTCHours(12, 0, 0, 0));

/** Inserts an event. By default, it starts tomorrow at noon, lasts two hours, and is free and unlimited. */
export async function insertEvent(database: Queryable, given: Partial<EventRow> = {}): Promise<EventRow> {
  const startDate = given.startDate ?? tomorrowAtNoon();
  const event: EventRow = {
    ...(EMPTY as unknown as EventRow),
    id: uuid(),
    title: 'Search marketing meetup',
    startDate,
    endDate: new Date(startDate.getTime() + 2 * HOUR),
    createdById: given.createdById ?? (await insertAdministrator(database)).id,
    createdAt: new Date(),
    status: 'published',
    cancelledAt: given.status === 'cancelled' ? new Date() : null,
    cancelReason: null,
    seriesId: null,
    ...given,
  };
  await insertRow(database, 'events.events', event);
  return event;
}

export interface RegistrationRow {
  id: string;
  eventId: string;
  userId: string;
  selectedDate: Date | null;
  registeredAt: Date;
  status: RegistrationStatus;
  showMe: PlaceShows;
}

export async function insertRegistration(
  database: Queryable,
  given: Pick<RegistrationRow, 'eventId' | 'userId'> & Partial<RegistrationRow>,
): Promise<RegistrationRow> {
  const registration: RegistrationRow = {
    id: uuid(),
    selectedDate: null,
    registeredAt: new Date(),
    status: 'registered',
    showMe: 'name',
    ...given,
  };
  await insertRow(database, 'events.event_registrations', registration);
  return registration;
}
