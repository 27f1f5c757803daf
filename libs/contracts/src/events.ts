import { Transform, Type } from 'class-transformer';
import {
  IsIn,
  IsInt,
  IsOptional,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { LIMITS } from './limits.js';
import { defineMessage, Nothing } from './message.js';
import { PageRequest, type Page } from './paging.js';
import { PictureChange } from './pictures.js';
import type { Registration } from './registrations.js';
import { EmptyAsNull, IsId, IsMoment, PlainText, SingleLine } from './validation.js';

/** An event as every answer shows it (D20). Dates are ISO 8601 UTC; `price` is a decimal string or null (free). */
export interface Event {
  id: string;
  title: string;
  description: string | null;
  startDate: string;
  endDate: string;
  location: string | null;
  isAllDay: boolean;
  bannerImageUrl: string | null;
  price: string | null;
  capacity: number | null;
  createdById: string;
  createdAt: string;
  updatedAt: string;
  registrationCount: number;
  /** The caller's own registration, if any; nobody else's. */
  registrations: Registration[];
}

/** Someone who comes: what signed-in members may see (D26). */
export interface Attendee {
  id: string;
  firstName: string;
  lastName: string;
  profileImageUrl: string | null;
  linkedInUrl: string | null;
}

export class EventFilter extends PageRequest {
  /** Part of the title or description, any letter case. */
  @IsOptional()
  @SingleLine(LIMITS.search)
  q?: string;

  @IsOptional()
  @IsIn(['free', 'paid'])
  price?: 'free' | 'paid';

  /** By start: `upcoming` is soonest first, `past` latest first. Default `all`, soonest first. */
  @IsOptional()
  @IsIn(['upcoming', 'past', 'all'])
  time?: 'upcoming' | 'past' | 'all';

  /** Another order of start than the one that `time` implies; `-startDate` is latest first. */
  @IsOptional()
  @IsIn(['startDate', '-startDate'])
  sort?: 'startDate' | '-startDate';

  /** With `until`: only events that touch this span (calendar months). */
  @IsOptional()
  @IsMoment()
  from?: string;

  @IsOptional()
  @IsMoment()
  until?: string;

  /** Only events that were entered at or after this moment. */
  @IsOptional()
  @IsMoment()
  createdSince?: string;
}

/** The public list; the same answer for everyone, so it may be cached. */
export const ListPublicEvents = defineMessage({
  service: 'events',
  name: 'events.listPublic',
  access: 'public',
  request: EventFilter,
})<Page<Event>>();

/** The list with the caller's own registrations in it. */
export const ListEvents = defineMessage({
  service: 'events',
  name: 'events.list',
  access: 'member',
  request: EventFilter,
})<Page<Event>>();

export class EventIdRequest {
  @IsId()
  eventId!: string;
}

export const GetEvent = defineMessage({
  service: 'events',
  name: 'events.get',
  access: 'public',
  request: EventIdRequest,
})<Event>();

export interface RegistrationCount {
  count: number;
}

export const CountRegistrations = defineMessage({
  service: 'events',
  name: 'events.count',
  access: 'public',
  request: EventIdRequest,
})<RegistrationCount>();

export const ListAttendees = defineMessage({
  service: 'events',
  name: 'events.attendees',
  access: 'member',
  request: EventIdRequest,
})<Attendee[]>();

/** Fields of the event form; the gateway turns the banner's data URL into a PictureChange. */
export class EventFields {
  @SingleLine(LIMITS.title)
  @MaxLength(LIMITS.title, { message: 'Title is too long' })
  @MinLength(1, { message: 'Title is required' })
  title!: string;

  @EmptyAsNull()
  @ValidateIf((_, value) => value !== null)
  @PlainText(LIMITS.description)
  description: string | null = null;

  @IsMoment()
  startDate!: string;

  /** After `startDate` (DATE_RANGE_INVALID). */
  @IsMoment()
  endDate!: string;

  @EmptyAsNull()
  @ValidateIf((_, value) => value !== null)
  @SingleLine(LIMITS.location)
  location: string | null = null;

  /** Decimal string; 0 and '' mean free and are stored as null. Numbers are accepted. */
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'number' ? String(value) : value === '' || value === undefined ? null : value,
  )
  @ValidateIf((_, value) => value !== null)
  @Matches(/^\d{1,7}(\.\d{1,2})?$/, { message: 'price must be 0 or more, with at most 2 decimals' })
  @ValidateBy({
    name: 'isPayable',
    validator: {
      validate: (value) => !(Number(value) > LIMITS.priceMax),
      defaultMessage: () => `price must be at most ${LIMITS.priceMax}`,
    },
  })
  price: string | null = null;

  @EmptyAsNull()
  @ValidateIf((_, value) => value !== null)
  @IsInt({ message: 'capacity must be a whole number' })
  @Min(1, { message: 'capacity must be at least 1' })
  @Max(LIMITS.capacityMax)
  capacity: number | null = null;

  @IsOptional()
  @IsIn([true, false])
  isAllDay?: boolean;
}

export class CreateEventRequest extends EventFields {
  @ValidateNested()
  @Type(() => PictureChange)
  banner!: PictureChange;
}

export const CreateEvent = defineMessage({
  service: 'events',
  name: 'events.create',
  access: 'admin',
  request: CreateEventRequest,
})<Event>();

export class UpdateEventRequest extends CreateEventRequest {
  @IsId()
  eventId!: string;
}

/** CAPACITY_BELOW_REGISTERED when more people are registered than the new capacity. */
export const UpdateEvent = defineMessage({
  service: 'events',
  name: 'events.update',
  access: 'admin',
  request: UpdateEventRequest,
})<Event>();

/** Deletes the event and every registration for it. */
export const DeleteEvent = defineMessage({
  service: 'events',
  name: 'events.delete',
  access: 'admin',
  request: EventIdRequest,
})<void>();

export class HandOverEventsRequest {
  @IsId()
  fromUserId!: string;

  @IsId()
  toUserId!: string;
}

/** Gives every event that one user created to another (before the first is deleted, D12). */
export const HandOverEvents = defineMessage({
  service: 'events',
  name: 'events.handOver',
  access: 'admin',
  request: HandOverEventsRequest,
})<void>();

/** Figures of the administrator's dashboard that the events service owns. */
export interface EventFigures {
  total: number;
  createdLast30Days: number;
  upcoming: number;
  /** The 3 nearest. */
  nextEvents: Event[];
}

export const SummariseEvents = defineMessage({
  service: 'events',
  name: 'events.summarise',
  access: 'admin',
  request: Nothing,
})<EventFigures>();
