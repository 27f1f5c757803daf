import type {
  DescriptionFormat,
  EventFormat,
  EventStatus,
  EventVisibility,
  RegistrationStatus,
  ShowMe,
} from '@meetmark/contracts';
import { v7 as uuid } from 'uuid';
import { insertAdministrator, type Queryable } from './users.js';

export interface EventRow {
  id: string;
  title: string;
  description: string | null;
  descriptionFormat: DescriptionFormat;
  startDate: Date;
  endDate: Date;
  location: string | null;
  isAllDay: boolean;
  format: EventFormat;
  price: string | null;
  paymentNote: string | null;
  capacity: number | null;
  createdById: string;
  createdAt: Date;
  status: EventStatus;
  visibility: EventVisibility;
  publishAt: Date | null;
  cancelledAt: Date | null;
  cancelReason: string | null;
  seriesId: string | null;
  registrationOpensAt: Date | null;
  registrationClosesAt: Date | null;
  waitlistEnabled: boolean;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A moment so many days from now; negative is past. */
export const daysFromNow = (days: number) => new Date(Date.now() + days * DAY);

/** An event in the database: tomorrow, two hours long, free and without limit where the test does not care. */
export async function insertEvent(database: Queryable, given: Partial<EventRow> = {}): Promise<EventRow> {
  const startDate = given.startDate ?? daysFromNow(1);
  const event: EventRow = {
    id: uuid(),
    title: 'Search marketing meetup',
    description: null,
    descriptionFormat: 'plain',
    startDate,
    endDate: new Date(startDate.getTime() + 2 * HOUR),
    location: null,
    isAllDay: false,
    format: 'in_person',
    price: null,
    paymentNote: null,
    capacity: null,
    createdById: given.createdById ?? (await insertAdministrator(database)).id,
    createdAt: new Date(),
    status: 'published',
    visibility: 'public',
    publishAt: null,
    cancelledAt: given.status === 'cancelled' ? new Date() : null,
    cancelReason: null,
    seriesId: null,
    registrationOpensAt: null,
    registrationClosesAt: null,
    waitlistEnabled: true,
    ...given,
  };
  await database.query(
    `INSERT INTO events.events
       (id, title, description, start_date, end_date, location, is_all_day, format, price, capacity, created_by_id,
        created_at, status, visibility, publish_at, cancelled_at, cancel_reason, series_id, registration_opens_at,
        registration_closes_at, waitlist_enabled, description_format, payment_note)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)`,
    [
      event.id,
      event.title,
      event.description,
      event.startDate,
      event.endDate,
      event.location,
      event.isAllDay,
      event.format,
      event.price,
      event.capacity,
      event.createdById,
      event.createdAt,
      event.status,
      event.visibility,
      event.publishAt,
      event.cancelledAt,
      event.cancelReason,
      event.seriesId,
      event.registrationOpensAt,
      event.registrationClosesAt,
      event.waitlistEnabled,
      event.descriptionFormat,
      event.paymentNote,
    ],
  );
  return event;
}

export interface RegistrationRow {
  id: string;
  eventId: string;
  userId: string;
  selectedDate: Date | null;
  registeredAt: Date;
  status: RegistrationStatus;
  showMe: ShowMe;
}

/** A member's place at an event, without the jobs that follow from a real registration. */
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
  await database.query(
    `INSERT INTO events.event_registrations (id, event_id, user_id, selected_date, registered_at, status, show_me)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      registration.id,
      registration.eventId,
      registration.userId,
      registration.selectedDate,
      registration.registeredAt,
      registration.status,
      registration.showMe,
    ],
  );
  return registration;
}
