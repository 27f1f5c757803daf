import { IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import type { EventFields } from './event-changes.js';
import type { EventContentFields } from './event-content.js';
import { LIMITS } from './limits.js';
import { defineMessage, Nothing } from './message.js';
import { PageRequest, type Page } from './paging.js';
import type { Answers } from './questions.js';
import type { RegistrationState } from './registration-state.js';
import { IsTopicSlug, type Topic } from './topics.js';
import type { PlaceShows } from './users.js';
import { IsId, IsMoment, SingleLine } from './validation.js';

export const REGISTRATION_STATUSES = ['registered', 'cancelled', 'waitlisted'] as const;
export type RegistrationStatus = (typeof REGISTRATION_STATUSES)[number];
/** The status of a registration that takes a place. */
export const REGISTERED = REGISTRATION_STATUSES[0];
/** The status of a registration that waits for a place. */
export const WAITLISTED = REGISTRATION_STATUSES[2];

/** One member's place at one event. */
export interface Registration {
  id: string;
  userId: string;
  selectedDate: string | null;
  registeredAt: string;
  status: RegistrationStatus;
  /** What others learn of the member; administrators see everybody. */
  showMe: PlaceShows;
  /**
   * When the place is lost unless the member's address is verified before; left out where it is kept. In the answer about the event itself,
   * in lists that are made for the caller alone, and when registering.
   */
  lapsesAt?: string;
  /** What the member answered the event's questions; only in the answer about the event itself. */
  answers?: Answers;
}

/** How a registration ends: given up by the member, taken away by an organiser, or lost because the address was not verified in time. */
export const REGISTRATION_ENDINGS = ['cancelled', 'removed', 'lapsed'] as const;

/** What a member had at an event, a place or the waiting for one, and has no more. */
export interface PastRegistration {
  status: (typeof REGISTRATION_ENDINGS)[number];
  /** When it ended; null of one that ended before this was noted. */
  at: string | null;
  /** What the member answered the event's questions. */
  answers: Answers | null;
}

/** Where people take part: the standard's three ways (schema.org, EventAttendanceModeEnumeration). */
export const EVENT_FORMATS = ['in_person', 'online', 'hybrid'] as const;
export type EventFormat = (typeof EVENT_FORMATS)[number];

/** Only forward: a draft is published, a published event is cancelled. */
export const EVENT_STATUSES = ['draft', 'published', 'cancelled'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** An unlisted event is in no list, feed or sitemap; people who have its address see it and may register. */
export const EVENT_VISIBILITIES = ['public', 'unlisted'] as const;
export type EventVisibility = (typeof EVENT_VISIBILITIES)[number];

/** How a description is written: as text, or with bold, italic, links, lists and headings. It is stored and answered as typed. */
export const DESCRIPTION_FORMATS = ['plain', 'markdown'] as const;
export type DescriptionFormat = (typeof DESCRIPTION_FORMATS)[number];

/** The caller's place on the waiting list. */
export interface Waiting {
  joinedAt: string;
  /** From 1; only in the answer about the event itself and among the caller's own events. */
  position?: number;
}

/** The fields of the form that lists show, too. */
export type ListedEventFields = Required<Omit<EventFields, keyof EventContentFields>>;

/** An event as every answer shows it, lists too. Dates are ISO 8601 UTC; `price` is a decimal string or null (free). */
export interface Event extends ListedEventFields {
  id: string;
  /** The name of its page, `/e/{slug}`; null of a draft, which has none. */
  slug: string | null;
  bannerImageUrl: string | null;
  createdById: string;
  createdAt: string;
  updatedAt: string;
  /** Raised by every change of what a form edits; sent back with a change. */
  version: number;
  status: EventStatus;
  cancelledAt: string | null;
  /** What the organiser wrote when the event was cancelled. */
  cancelReason: string | null;
  /** What it is about, in the organisers' order. */
  topics: Topic[];
  /** Events of one series share it. */
  seriesId: string | null;
  /** Whether those who register are asked something (`questions` of its content). */
  hasQuestions: boolean;
  registrationCount: number;
  waitingCount: number;
  /** As of the answer; `nextStateChange` tells until when it holds. */
  registrationState: RegistrationState;
  /** The caller's own place alone; empty without one. */
  registrations: Registration[];
  /** The caller's own place on the waiting list. */
  waiting: Waiting | null;
}

export class EventFilter extends PageRequest {
  /** Part of the title or description, any letter case. */
  @IsOptional()
  @SingleLine(LIMITS.search)
  q?: string;

  @IsOptional()
  @IsIn(['free', 'paid'])
  price?: 'free' | 'paid';

  @IsOptional()
  @IsIn(EVENT_FORMATS)
  format?: EventFormat;

  /** The slug of a topic. */
  @IsOptional()
  @IsTopicSlug()
  topic?: string;

  /** The `seriesId` of events. */
  @IsOptional()
  @IsId()
  series?: string;

  /** Only events that the caller manages, drafts too. */
  @IsOptional()
  @IsIn(['me'])
  managedBy?: 'me';

  /** Administrators also find drafts and cancelled events; all others find published ones only. */
  @IsOptional()
  @IsIn(EVENT_STATUSES)
  status?: EventStatus;

  /** By start: `upcoming` is soonest first, `past` latest first. Default `all`, soonest first. */
  @IsOptional()
  @IsIn(['upcoming', 'past', 'all'])
  time?: 'upcoming' | 'past' | 'all';

  /**
   * Another order than the one that `time` implies: by start, `-startDate` latest first; `upcomingFirst` is what is not over, soonest first,
   * then what is over, latest first.
   */
  @IsOptional()
  @IsIn(['startDate', '-startDate', 'upcomingFirst'])
  sort?: 'startDate' | '-startDate' | 'upcomingFirst';

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
  reads: true,
  request: EventFilter,
})<Page<Event>>();

export class EventAddressesRequest {
  /** From 1; each has up to LIMITS.listMax events, the oldest entries first. */
  @IsInt()
  @Min(1)
  @Max(LIMITS.capacityMax)
  page!: number;
}

export interface EventAddress {
  id: string;
  slug: string | null;
  updatedAt: string;
}

/** Which events there are, for search engines. */
export const ListEventAddresses = defineMessage({
  service: 'events',
  name: 'events.listAddresses',
  access: 'public',
  reads: true,
  request: EventAddressesRequest,
})<EventAddress[]>();

/** The list with the caller's own registrations in it. */
export const ListEvents = defineMessage({
  service: 'events',
  name: 'events.list',
  access: 'member',
  reads: true,
  request: EventFilter,
})<Page<Event>>();

export class EventIdRequest {
  @IsId()
  eventId!: string;
}

export class FindEventRequest {
  @Matches(/^[0-9a-z-]{3,80}$/)
  slug!: string;
}

/** Which event has an address, and the one that it has now. */
export interface FoundEvent {
  id: string;
  slug: string;
}

/** By the present or an earlier address of an event that is published. EVENT_NOT_FOUND. */
export const FindEvent = defineMessage({
  service: 'events',
  name: 'events.find',
  access: 'public',
  reads: true,
  request: FindEventRequest,
})<FoundEvent>();

/** Whether the caller manages the event, asked before the body of a request is read. FORBIDDEN, EVENT_NOT_FOUND. */
export const MayManage = defineMessage({
  service: 'events',
  name: 'events.mayManage',
  access: 'manager',
  reads: true,
  request: EventIdRequest,
})<void>();

/** Figures of the administrator's dashboard that the events service owns, of published events. */
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
  reads: true,
  request: Nothing,
})<EventFigures>();
