import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsOptional, Matches } from 'class-validator';
import { EventIdRequest, type Event, type Registration, type Waiting } from './events.js';
import type { Community } from './community.js';
import { type ErrorCode, invalidFields } from './errors.js';
import { LIMITS } from './limits.js';
import { defineMessage, Nothing } from './message.js';
import { PageRequest, type Page } from './paging.js';
import { type AnswerSummary, type GivenAnswers, IsAnswers } from './questions.js';
import { PLACE_SHOWS, type PlaceShows, SHOW_ME, type ShowMe, UserIdRequest } from './users.js';
import { IfGiven, IsId, IsMoment, ListOfIds } from './validation.js';

/** 128 bits. */
const NETWORK_HASH = /^[\w-]{22}$/;

export class RegisterRequest extends EventIdRequest {
  /** A moment within the event. */
  @IsOptional()
  @IsMoment()
  selectedDate?: string;

  /** At a full event: wait for a place. Left out: a full event refuses. */
  @IsOptional()
  @IsBoolean()
  waitlist?: boolean;

  /** Left out: as it was for this event before, else as the profile says. */
  @IfGiven()
  @IsIn(PLACE_SHOWS)
  showMe?: PlaceShows;

  /** The answers of a new place, by the ids of the event's questions. */
  @IfGiven()
  @IsAnswers()
  answers?: GivenAnswers;

  /** Where the request came from: a keyed hash for this event alone, by which a network's unproved places are counted. */
  @IfGiven()
  @Matches(NETWORK_HASH)
  network?: string;
}

export interface RegisterResponse {
  /** False when the caller had a place, or waited, already. */
  created: boolean;
  registration: Registration;
  /** Where a registration waits; absent for a place. */
  waiting?: Waiting;
}

/** What the gateway tells the browser of it. */
export interface RegistrationAnswer {
  message: string;
  registration: Registration;
  waiting?: Waiting;
}

/** A registration that is made once an address is confirmed. */
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

/** What became of it; the member is signed in either way. */
export interface PlaceOutcome {
  eventId: string;
  /** Null when it was refused. */
  registration: Registration | null;
  /** Where a registration waits; absent for a place. */
  waiting?: Waiting;
  /** The place went meanwhile, registration closed, or it is not known whether it was made. */
  refusal?: { code: ErrorCode; message: string };
}

/**
 * EVENT_NOT_FOUND, EVENT_FULL, EVENT_CANCELLED, REGISTRATION_CLOSED, REGISTRATION_ENDED, REGISTRATION_NOT_OPEN or ADDRESS_NOT_VERIFIED (the
 * member lost a place here, or the network holds enough, with an address that is not verified); VALIDATION_FAILED when
 * a required question is not answered or an answer does not fit its question; safe to repeat.
 */
export const Register = defineMessage({
  service: 'events',
  name: 'registrations.register',
  access: 'member',
  request: RegisterRequest,
  dispensable: ['network'],
})<RegisterResponse>();

/** PUT /api/events/{id}/register. */
export class RegistrationFields {
  @IsIn(PLACE_SHOWS)
  showMe!: PlaceShows;
}

export class ChangeRegistrationRequest extends EventIdRequest {
  @IsIn(PLACE_SHOWS)
  showMe!: PlaceShows;
}

/** Changes what others learn of the caller. VALIDATION_FAILED for `public` where the community does not offer it; NOT_REGISTERED without a place and without waiting for one. */
export const ChangeRegistration = defineMessage({
  service: 'events',
  name: 'registrations.change',
  access: 'member',
  request: ChangeRegistrationRequest,
})<Registration>();

/** Does nothing when there is no place to give up; REGISTRATION_CLOSED once the event has started. */
export const Unregister = defineMessage({
  service: 'events',
  name: 'registrations.unregister',
  access: 'member',
  request: EventIdRequest,
})<void>();

/** Follows the deletion of an account, its places and the hand-over of its events: public answers and the activity are renewed. */
export const AccountDeleted = defineMessage({
  service: 'events',
  name: 'registrations.followDeletedAccount',
  access: 'admin',
  request: Nothing,
})<void>();

export class MyEventsRequest extends PageRequest {
  /** Also the events for which the caller waits. */
  @IsOptional()
  @IsIn(['waiting'])
  include?: 'waiting';
}

/** The events that the caller is registered for, soonest first. */
export const ListMyEvents = defineMessage({
  service: 'events',
  name: 'registrations.myEvents',
  access: 'member',
  reads: true,
  request: MyEventsRequest,
})<Page<Event>>();

/** The caller's own places and waiting, by the id of the event. */
export const ListOwnRegistrations = defineMessage({
  service: 'events',
  name: 'registrations.own',
  access: 'member',
  reads: true,
  request: Nothing,
})<Record<string, Registration>>();

/** Someone who comes and wants to be shown: what signed-in members may see. `linkedInUrl` only of those who show it. */
export interface Attendee {
  id: string;
  firstName: string;
  lastName: string;
  profileImageUrl: string | null;
  linkedInUrl: string | null;
}

/** Someone who comes and lets visitors see it. Nothing leads further: no id, no link. */
export type PublicAttendee = Pick<Attendee, 'firstName' | 'lastName' | 'profileImageUrl'>;

/** How many of them the event's own answer names. */
export const PUBLIC_ATTENDEES_SHOWN = 12;

/** Both the gateway and the service ask, each of the settings that it knows. */
export function checkPlaceShows(
  { showMe }: { showMe?: PlaceShows | null },
  { publicAttendees }: Pick<Community, 'publicAttendees'>,
): void {
  if (showMe === 'public' && !publicAttendees)
    throw invalidFields(['showMe', 'is not public in this community']);
}

/** How many faces stand for those who come, where there is little room. */
export const FACES_SHOWN = 5;

export class ListFacesRequest {
  /** The ids of the events; the parameter is repeated for each. */
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value))
  @ListOfIds(LIMITS.facesOf)
  eventIds!: string[];
}

/** The first of those who come to an event and want to be shown. */
export interface EventFaces {
  eventId: string;
  faces: Omit<Attendee, 'linkedInUrl'>[];
}

/** As ListAttendees, for the cards of a list. The answer leaves out events that the caller cannot see, and those whose attendees all stay hidden. */
export const ListFaces = defineMessage({
  service: 'events',
  name: 'registrations.faces',
  access: 'member',
  reads: true,
  request: ListFacesRequest,
})<EventFaces[]>();

export interface RegistrationCount {
  count: number;
}

export const CountRegistrations = defineMessage({
  service: 'events',
  name: 'events.count',
  access: 'public',
  reads: true,
  request: EventIdRequest,
})<RegistrationCount>();

export class ListAttendeesRequest extends PageRequest {
  @IsId()
  eventId!: string;
}

/** In the order of arrival; empty once the event has been over for ATTENDEES_SHOWN, and to who has not verified their address. */
export const ListAttendees = defineMessage({
  service: 'events',
  name: 'events.attendees',
  access: 'member',
  reads: true,
  request: ListAttendeesRequest,
})<Page<Attendee>>();

/** A member as administrators see them. */
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

export const ListRegistrations = defineMessage({
  service: 'events',
  name: 'registrations.list',
  access: 'manager',
  reads: true,
  request: ListRegistrationsRequest,
})<Page<RegistrationWithMember>>();

/** How many of the places that are taken now were taken on one day in the community's time zone. */
export interface EventActivityDay {
  /** '2026-11-22'. */
  day: string;
  registrations: number;
}

/** Exactly 14 items, oldest first, today last, zero days included. EVENT_NOT_FOUND. */
export const GetEventActivity = defineMessage({
  service: 'events',
  name: 'registrations.activity',
  access: 'manager',
  reads: true,
  request: EventIdRequest,
})<EventActivityDay[]>();

/** Counts the answers to each question of the event, in the questions' order. EVENT_NOT_FOUND. */
export const SummariseAnswers = defineMessage({
  service: 'events',
  name: 'registrations.answers',
  access: 'manager',
  reads: true,
  request: EventIdRequest,
})<AnswerSummary[]>();

/** Somebody on a waiting list. */
export interface WaitingMember {
  /** The registration's id. */
  id: string;
  userId: string;
  joinedAt: string;
  /** From 1. */
  position: number;
  member: ContactableMember;
}

/** First come first. */
export const ListWaitlist = defineMessage({
  service: 'events',
  name: 'waitlist.list',
  access: 'manager',
  reads: true,
  request: ListRegistrationsRequest,
})<Page<WaitingMember>>();

export class WaitingMemberRequest extends EventIdRequest {
  @IsId()
  userId!: string;
}

export class PromoteWaitingRequest extends WaitingMemberRequest {
  /** Adds one place for the person when none is free. Left out: EVENT_FULL. */
  @IsOptional()
  @IsBoolean()
  raiseCapacity?: boolean;
}

/** Gives a place out of turn: NOT_WAITING, EVENT_FULL, EVENT_CANCELLED or REGISTRATION_CLOSED. */
export const PromoteWaiting = defineMessage({
  service: 'events',
  name: 'waitlist.promote',
  access: 'manager',
  request: PromoteWaitingRequest,
})<Registration>();

/** Takes somebody off the list and tells them; NOT_WAITING. */
export const RemoveWaiting = defineMessage({
  service: 'events',
  name: 'waitlist.remove',
  access: 'manager',
  request: WaitingMemberRequest,
})<void>();

/** How a member has used their places, for owners. */
export interface MemberFigures {
  /** Places that they have or had and did not give up. */
  registered: number;
  /** How many of those, at events that are over, have a check-in. */
  attended: number;
  /** How many of those, at events that are over, have no check-in although other guests have. */
  noShows: number;
}

/** GET /api/admin/users/{id}/activity. */
export interface UserActivity extends MemberFigures {
  /** When they last used a session that is open, to the hour; null without one. */
  lastSeenAt: string | null;
}

export const CountOfMember = defineMessage({
  service: 'events',
  name: 'registrations.ofMember',
  access: 'admin',
  reads: true,
  request: UserIdRequest,
})<MemberFigures>();
