import { IsIn, IsInt, Matches, Max, Min } from 'class-validator';
import {
  EVENT_FORMATS,
  EVENT_STATUSES,
  type EventFormat,
  type EventStatus,
  type ListedEventFields,
} from './event-form.js';
import { LIMITS } from '../limits.js';
import { messagesTo, Nothing } from '../message.js';
import { PageRequest, type Page } from '../paging.js';
import type { Answers } from './questions.js';
import type { RegistrationState } from './registration-state.js';
import { IsTopicSlug, type Topic } from './topics.js';
import type { PlaceShows } from '../auth/users.js';
import { About, IfGiven, IsId, IsMoment, SingleLine } from '../validation.js';

const events = messagesTo('events');

export const REGISTRATION_STATUSES = ['registered', 'cancelled', 'waitlisted'] as const;
export type RegistrationStatus = (typeof REGISTRATION_STATUSES)[number];
export const REGISTERED = REGISTRATION_STATUSES[0];
export const WAITLISTED = REGISTRATION_STATUSES[2];

export interface Registration {
  id: string;
  userId: string;
  selectedDate: string | null;
  registeredAt: string;
  status: RegistrationStatus;
  /** What other members see of the attendee. Administrators always see every attendee. */
  showMe: PlaceShows;
  answers?: Answers;
}

export const REGISTRATION_ENDINGS = ['cancelled', 'removed'] as const;

export interface PastRegistration {
  status: (typeof REGISTRATION_ENDINGS)[number];
  at: string | null;
  answers: Answers | null;
}

export interface Waiting {
  joinedAt: string;
  /** Position on the waiting list, from 1. Only in responses about one event and in the caller's events. */
  position?: number;
}

/** Dates are ISO 8601 in UTC. `price` is a decimal string; null means free. */
export interface Event extends ListedEventFields {
  id: string;
  slug: string | null;
  bannerImageUrl: string | null;
  createdById: string;
  createdAt: string;
  updatedAt: string;
  version: number;
  status: EventStatus;
  cancelledAt: string | null;
  cancelReason: string | null;
  topics: Topic[];
  seriesId: string | null;
  hasQuestions: boolean;
  registrationCount: number;
  waitingCount: number;
  /** Valid until `nextStateChange`. */
  registrationState: RegistrationState;
  /** Only the caller's registration, so at most one. */
  registrations: Registration[];
  waiting: Waiting | null;
}

export class EventFilter extends PageRequest {
  @About('Part of the title or description. Ignores case and accents', 'breakfast')
  @IfGiven()
  @SingleLine(LIMITS.search)
  q?: string;

  @About('Only free or only paid events')
  @IfGiven()
  @IsIn(['free', 'paid'])
  price?: 'free' | 'paid';

  @About('How people take part')
  @IfGiven()
  @IsIn(EVENT_FORMATS)
  format?: EventFormat;

  @About('Slug of a topic', 'seo-basics')
  @IfGiven()
  @IsTopicSlug()
  topic?: string;

  @About('`seriesId` of a series')
  @IfGiven()
  @IsId()
  series?: string;

  @About('`me`: only events that you manage, including drafts')
  @IfGiven()
  @IsIn(['me'])
  managedBy?: 'me';

  @About('Status of the event. Only owners, and `managedBy=me`, find drafts and cancelled events')
  @IfGiven()
  @IsIn(EVENT_STATUSES)
  status?: EventStatus;

  @About(
    '`upcoming` and `past` compare the start with now, `notEnded` and `ended` the end. `past` and `ended` are sorted latest first, the others soonest first. Default: `all`',
    'upcoming',
  )
  @IfGiven()
  @IsIn(['upcoming', 'past', 'all', 'notEnded', 'ended'])
  time?: 'upcoming' | 'past' | 'all' | 'notEnded' | 'ended';

  @About(
    'Overrides the order of `time`. `-startDate`: latest first. `upcomingFirst`: events that have not ended, soonest first, then the others, latest first',
  )
  @IfGiven()
  @IsIn(['startDate', '-startDate', 'upcomingFirst'])
  sort?: 'startDate' | '-startDate' | 'upcomingFirst';

  @About('With `until`: only events that overlap this period', '2030-05-01T00:00:00.000Z')
  @IfGiven()
  @IsMoment()
  from?: string;

  @About('End of the period that begins at `from`', '2030-06-01T00:00:00.000Z')
  @IfGiven()
  @IsMoment()
  until?: string;

  @About('Only events created at or after this time')
  @IfGiven()
  @IsMoment()
  createdSince?: string;
}

/** The response is the same for everyone, so it can be cached. */
export const ListPublicEvents = events.public('events.listPublic', EventFilter)<Page<Event>>();

export class EventAddressesRequest {
  /** Page number, from 1. A page has up to LIMITS.listMax events, oldest first. */
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

export const ListEventAddresses = events.public('events.listAddresses', EventAddressesRequest)<
  EventAddress[]
>();

export const ListEvents = events.member('events.list', EventFilter)<Page<Event>>();

export class EventIdRequest {
  @IsId()
  eventId!: string;
}

export class FindEventRequest {
  @Matches(/^[0-9a-z-]{3,80}$/)
  slug!: string;
}

export interface FoundEvent {
  id: string;
  slug: string;
}

/**
 * Finds published and cancelled events, also by a previous slug.
 * @throws EVENT_NOT_FOUND
 */
export const FindEvent = events.public('events.find', FindEventRequest)<FoundEvent>();

/**
 * Lets the gateway reject a request before it reads the body.
 * @throws FORBIDDEN
 * @throws EVENT_NOT_FOUND
 */
export const MayManage = events.manager('events.mayManage', EventIdRequest)<void>();

export interface EventFigures {
  total: number;
  createdLast30Days: number;
  upcoming: number;
  nextEvents: Event[];
}

export const SummariseEvents = events.admin('events.summarise', Nothing)<EventFigures>();
