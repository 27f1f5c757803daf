import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsOptional, Matches } from 'class-validator';
import { EventIdRequest, type Event, type Registration, type Waiting } from './events.js';
import type { Community } from '../community.js';
import { type ErrorCode, invalidFields } from '../errors.js';
import { PlaceFields } from './guests.js';
import { LIMITS } from '../limits.js';
import { messagesTo, Nothing } from '../message.js';
import { PageRequest, type Page } from '../paging.js';
import { type AnswerSummary, type GivenAnswers, IsAnswers } from './questions.js';
import { PLACE_SHOWS, type PlaceShows, SHOW_ME, type ShowMe, UserIdRequest } from '../auth/users.js';
import { About, IfGiven, IsMoment, ListOfIds, withIds } from '../validation.js';

const events = messagesTo('events');

const NETWORK_HASH = /^[\w-]{22}$/;

export class RegisterFields {
  @About('A time during the event for which you register')
  @IsOptional()
  @IsMoment()
  selectedDate?: string | null;

  @About('Join the waiting list if the event is full. Default: false, a full event is 409 `EVENT_FULL`')
  @IfGiven()
  @IsBoolean()
  waitlist?: boolean;

  @About(
    'What other people see of your registration. Default: your previous choice for this event, otherwise your profile’s',
  )
  @IfGiven()
  @IsIn(PLACE_SHOWS)
  showMe?: PlaceShows;

  @About('Answers to the questions of the event, by the ID of the question')
  @IfGiven()
  @IsAnswers()
  answers?: GivenAnswers;
}

export class RegisterRequest extends withIds(RegisterFields, 'eventId') {
  /** Keyed hash of an unverified caller's network. Different for each event. */
  @IfGiven()
  @Matches(NETWORK_HASH)
  network?: string;
}

export interface RegisterResponse {
  created: boolean;
  registration: Registration;
  waiting?: Waiting;
}

export interface RegistrationAnswer {
  message: string;
  registration: Registration;
  waiting?: Waiting;
}

export class WantedPlace extends EventIdRequest {
  @IfGiven()
  @IsBoolean()
  waitlist?: boolean;

  @IfGiven()
  @IsIn(SHOW_ME)
  showMe?: ShowMe;

  @IfGiven()
  @IsAnswers()
  answers?: GivenAnswers;
}

/**
 * Outcome of a registration that was part of a sign-in. If the registration fails, the member is still signed
 * in.
 */
export interface PlaceOutcome {
  eventId: string;
  registration: Registration | null;
  waiting?: Waiting;
  refusal?: { code: ErrorCode; message: string };
}

/**
 * Idempotent.
 * @throws EVENT_NOT_FOUND
 * @throws EVENT_FULL
 * @throws EVENT_CANCELLED
 * @throws REGISTRATION_CLOSED
 * @throws REGISTRATION_ENDED
 * @throws REGISTRATION_NOT_OPEN
 * @throws ADDRESS_NOT_VERIFIED if a network has too many unverified members
 * @throws VALIDATION_FAILED if answers are missing or invalid
 * @throws EDIT_CONFLICT if the questions changed twice meanwhile
 */
export const Register = events.member('registrations.register', RegisterRequest)<RegisterResponse>();

export class RegistrationFields {
  @About('What other people see of your registration', 'name')
  @IsIn(PLACE_SHOWS)
  showMe!: PlaceShows;
}

export class ChangeRegistrationRequest extends withIds(RegistrationFields, 'eventId') {}

/**
 * @throws VALIDATION_FAILED for `public` if the community doesn't allow it
 * @throws NOT_REGISTERED
 */
export const ChangeRegistration = events.member(
  'registrations.change',
  ChangeRegistrationRequest,
)<Registration>();

/**
 * Does nothing if the caller isn't registered.
 * @throws REGISTRATION_CLOSED if the event has started
 */
export const Unregister = events.member('registrations.unregister', EventIdRequest)<void>();

/** Invalidates cached public responses and requests new activity statistics. */
export const AccountDeleted = events.admin('registrations.followDeletedAccount', Nothing)<void>();

export class MyEventsRequest extends PageRequest {
  @About('`waiting`: also events where you are on the waiting list')
  @IfGiven()
  @IsIn(['waiting'])
  include?: 'waiting';
}

export const ListMyEvents = events.member('registrations.myEvents', MyEventsRequest)<Page<Event>>();

export const ListOwnRegistrations = events.member('registrations.own', Nothing)<
  Record<string, Registration>
>();

/** An attendee who agreed to be shown, as other members see them. `linkedInUrl` is null unless shared. */
export interface Attendee {
  id: string;
  firstName: string;
  lastName: string;
  profileImageUrl: string | null;
  linkedInUrl: string | null;
}

export type PublicAttendee = Pick<Attendee, 'firstName' | 'lastName' | 'profileImageUrl'>;

export const PUBLIC_ATTENDEES_SHOWN = 12;

/** Both the gateway and the events service call this, because their versions of the settings may differ. */
export function checkPlaceShows(
  { showMe }: { showMe?: PlaceShows | null },
  { publicAttendees }: Pick<Community, 'publicAttendees'>,
): void {
  if (showMe === 'public' && !publicAttendees)
    throw invalidFields(['showMe', 'cannot be public in this community']);
}

export const FACES_SHOWN = 5;

export class ListFacesRequest {
  @About('IDs of events. Repeat the parameter for each')
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value))
  @ListOfIds(LIMITS.facesOf)
  eventIds!: string[];
}

export interface EventFaces {
  eventId: string;
  faces: Omit<Attendee, 'linkedInUrl'>[];
}

/** Omits events that the caller can't see, and events without visible attendees. */
export const ListFaces = events.member('registrations.faces', ListFacesRequest)<EventFaces[]>();

export interface RegistrationCount {
  count: number;
}

export const CountRegistrations = events.public('events.count', EventIdRequest)<RegistrationCount>();

export class ListAttendeesRequest extends withIds(PageRequest, 'eventId') {}

/** In order of registration. */
export const ListAttendees = events.member('events.attendees', ListAttendeesRequest, { heavy: true })<
  Page<Attendee>
>();

interface ContactableMember {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  profileImageUrl: string | null;
}

export interface RegistrationWithMember extends Registration {
  member: ContactableMember;
}

export class ListRegistrationsRequest extends ListAttendeesRequest {}

export const ListRegistrations = events.manager('registrations.list', ListRegistrationsRequest, {
  heavy: true,
})<Page<RegistrationWithMember>>();

/** Number of current registrations that were made on this day, in the community's time zone. */
export interface EventActivityDay {
  day: string;
  registrations: number;
}

/**
 * Returns exactly 14 days, oldest first and today last.
 * @throws EVENT_NOT_FOUND
 */
export const GetEventActivity = events.manager('registrations.activity', EventIdRequest, { heavy: true })<
  EventActivityDay[]
>();

/** @throws EVENT_NOT_FOUND */
export const SummariseAnswers = events.manager('registrations.answers', EventIdRequest, { heavy: true })<
  AnswerSummary[]
>();

export interface WaitingMember {
  id: string;
  userId: string;
  joinedAt: string;
  position: number;
  member: ContactableMember;
}

export const ListWaitlist = events.manager('waitlist.list', ListRegistrationsRequest, { heavy: true })<
  Page<WaitingMember>
>();

export class WaitingMemberRequest extends withIds(EventIdRequest, 'userId') {}

export class PromoteWaitingRequest extends withIds(PlaceFields, 'eventId', 'userId') {}

/**
 * Registers a waiting member, regardless of the position on the waiting list.
 * @throws NOT_WAITING
 * @throws EVENT_FULL
 * @throws EVENT_CANCELLED
 * @throws REGISTRATION_CLOSED
 */
export const PromoteWaiting = events.manager('waitlist.promote', PromoteWaitingRequest)<Registration>();

/** @throws NOT_WAITING */
export const RemoveWaiting = events.manager('waitlist.remove', WaitingMemberRequest)<void>();

export interface MemberFigures {
  registered: number;
  attended: number;
  /** Past events where the member wasn't checked in but other guests were. */
  noShows: number;
}

export interface UserActivity extends MemberFigures {
  /** Rounded to the hour. Null without a session. */
  lastSeenAt: string | null;
}

export const CountOfMember = events.admin('registrations.ofMember', UserIdRequest)<MemberFigures>();
