import { IsBoolean, IsIn, MinLength } from 'class-validator';
import type { AgendaItem, ContentValue, EventFormat, EventResource, Venue } from './event-form.js';
import { LIMITS } from '../limits.js';
import { messagesTo, Nothing } from '../message.js';
import { PageRequest, type Page } from '../paging.js';
import type { Question } from './questions.js';
import { About, IfGiven, SingleLine, withIds } from '../validation.js';

const events = messagesTo('events');

export const CO_HOST_STATES = ['asked', 'agreed'] as const;
export type CoHostState = (typeof CO_HOST_STATES)[number];

export interface RoleInvitation {
  by: string | null;
  /** False while the inviter can't manage the event. Meanwhile the member can't accept the invitation. */
  works: boolean;
}

/** Only managers see hosts who haven't agreed to be shown yet. */
export interface Host {
  id: string;
  firstName: string;
  lastName: string;
  profileImageUrl: string | null;
  linkedInUrl: string | null;
  agreed: boolean;
  coHost?: CoHostState;
  invitation?: RoleInvitation;
}

export interface Speaker {
  name: string;
  role: string | null;
  bio: string | null;
  linkUrl: string | null;
  userId: string | null;
  profileImageUrl: string | null;
  agreed: boolean;
  invitation?: RoleInvitation;
}

/**
 * Lists of events omit the content to stay small. Only managers and registered people get `onlineUrl` and
 * `onlineNote`.
 */
export interface EventContent extends ContentValue {
  /** True if the event has a URL, even if the caller may not see it. */
  hasOnlineUrl: boolean;
  hosts: Host[];
  agenda: AgendaItem[];
  speakers: Speaker[];
  resources: EventResource[];
  questions: Question[];
}

export const ANNOUNCEMENT_STATES = ['none', 'planned', 'announced'] as const;
export type AnnouncementState = (typeof ANNOUNCEMENT_STATES)[number];

export interface EventHtml {
  description: string | null;
  recap: string | null;
}

export class VenueFilter extends PageRequest {
  @IfGiven()
  @SingleLine(LIMITS.search)
  q?: string;
}

/**
 * Returns venues of events that the caller can see or manage, with the latest event first. `note` is always
 * null.
 */
export const ListVenues = events.organiser('events.listVenues', VenueFilter)<Page<Venue>>();

export class MemberSearch {
  @SingleLine(LIMITS.search)
  @MinLength(LIMITS.memberSearchMin, { message: 'q must have at least 2 characters' })
  q!: string;
}

export interface FoundMember {
  id: string;
  firstName: string;
  lastName: string;
  profileImageUrl: string | null;
}

/** Returns up to ten members with a verified email address. Use this for new events, which have no id yet. */
export const FindMembers = events.organiser('members.find', MemberSearch)<FoundMember[]>();

export class EventMemberSearch extends withIds(MemberSearch, 'eventId') {}

export const FindMembersForEvent = events.manager('members.findForEvent', EventMemberSearch)<FoundMember[]>();

export const EVENT_ROLES = ['host', 'speaker'] as const;
export type EventRoleName = (typeof EVENT_ROLES)[number];

export interface EventRole {
  eventId: string;
  title: string;
  startDate: string;
  endDate: string;
  isAllDay: boolean;
  format?: EventFormat;
  timeZone?: string | null;
  role: EventRoleName;
  agreedAt: string | null;
  coHost?: CoHostState;
}

export const ListEventRoles = events.member('events.listRoles', Nothing)<EventRole[]>();

export class EventRoleFields {
  @About('true: you are shown, and you manage the event if you were invited as co-host')
  @IsBoolean()
  agreed!: boolean;
}

export class EventRoleRequest extends withIds(EventRoleFields, 'eventId') {
  @IsIn(EVENT_ROLES)
  role!: EventRoleName;
}

/**
 * @throws ROLE_NOT_FOUND if the caller has no such role, or if the event is a draft that the caller isn't
 * invited to manage
 */
export const AnswerEventRole = events.member('events.answerRole', EventRoleRequest)<EventRole>();
