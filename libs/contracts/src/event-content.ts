import { IsBoolean, IsIn, IsOptional, MinLength } from 'class-validator';
import type { GalleryPicture } from './gallery.js';
import { EventIdRequest, type Event, type EventFormat, type PastRegistration } from './events.js';
import { EMPTY_CONTENT } from './event-fields.js';
import { LIMITS } from './limits.js';
import { defineMessage, Nothing } from './message.js';
import { PageRequest, type Page } from './paging.js';
import type { PublicAttendee } from './registrations.js';
import { HAS_OWN_ID, type Question, QuestionFields } from './questions.js';
import {
  About,
  EmptyAsNull,
  IsFilled,
  IsHttpsUrl,
  IsId,
  IsMoment,
  IsWebUrl,
  ListOf,
  ListOfIds,
  MarkdownText,
  ObjectOf,
  PlainText,
  SingleLine,
} from './validation.js';

/** Where an event takes place. */
export class Venue {
  @SingleLine(LIMITS.venueName)
  @IsFilled('name is required')
  name!: string;

  @EmptyAsNull()
  @SingleLine(LIMITS.location)
  address: string | null = null;

  /** How to find the door. */
  @EmptyAsNull()
  @PlainText(LIMITS.note)
  note: string | null = null;

  @EmptyAsNull()
  @IsWebUrl(LIMITS.url)
  mapUrl: string | null = null;
}

/** One item of the programme. */
export class AgendaItem {
  /** Within the event. */
  @IsMoment()
  startsAt!: string;

  /** Not before `startsAt`, nor after the end of the event. */
  @EmptyAsNull()
  @IsMoment()
  endsAt: string | null = null;

  @SingleLine(LIMITS.agendaTitle)
  @IsFilled('title is required')
  title!: string;

  @EmptyAsNull()
  @PlainText(LIMITS.note)
  note: string | null = null;
}

/** Slides, a recording, or what else belongs to an event. */
export class EventResource {
  @SingleLine(LIMITS.agendaTitle)
  @IsFilled('title is required')
  title!: string;

  @IsHttpsUrl(LIMITS.url)
  url!: string;
}

/** Somebody from outside by `name`, or a member by `userId`, whose name and links are those of the account. */
export class SpeakerFields {
  @EmptyAsNull()
  @SingleLine(LIMITS.name)
  name?: string | null = null;

  /** What they are: 'Head of Search, a company'. */
  @EmptyAsNull()
  @SingleLine(LIMITS.agendaTitle)
  role?: string | null = null;

  @EmptyAsNull()
  @PlainText(LIMITS.bio)
  bio?: string | null = null;

  @EmptyAsNull()
  @IsWebUrl(LIMITS.url)
  linkUrl?: string | null = null;

  @EmptyAsNull()
  @IsId()
  userId?: string | null = null;
}

const IS_NAMED = {
  holds: ({ name, userId }: SpeakerFields) => (name ?? userId ?? null) !== null,
  otherwise: 'needs a name or a userId',
};

/** What only the page of an event needs. Each may be left out; null and [] clear. */
export class EventContentFields {
  @About(
    'Where people meet. Given without `location`, that becomes its line; another location given without a venue drops it',
  )
  @IsOptional()
  @ObjectOf(Venue)
  venue?: Venue | null;

  @About(
    'Where one takes part online; only people with a place and those who manage the event are answered it',
    'https://meet.example.org/seo',
  )
  @EmptyAsNull()
  @IsHttpsUrl(LIMITS.url)
  onlineUrl?: string | null = null;

  @About('A passcode, or how to join; answered as `onlineUrl`', 'Passcode 4711')
  @EmptyAsNull()
  @PlainText(LIMITS.note)
  onlineNote?: string | null = null;

  @About(
    'What people need to know who use a wheelchair, hear or see little',
    'Step-free entrance, induction loop',
  )
  @EmptyAsNull()
  @PlainText(LIMITS.note)
  accessibility?: string | null = null;

  @About('Ids of members, shown once they agreed')
  @IsOptional()
  @ListOfIds(LIMITS.hosts)
  hosts?: string[] | null;

  @About('Ids of those hosts who are to manage the event as well, effective once they agreed')
  @IsOptional()
  @ListOfIds(LIMITS.hosts)
  coHosts?: string[] | null;

  @About("Ids of the community's topics")
  @IsOptional()
  @ListOfIds(LIMITS.eventTopics)
  topics?: string[] | null;

  @About('The programme, by start')
  @IsOptional()
  @ListOf(AgendaItem, LIMITS.agenda)
  agenda?: AgendaItem[] | null;

  @About('Who speaks; members are shown once they agreed')
  @IsOptional()
  @ListOf(SpeakerFields, LIMITS.speakers, IS_NAMED)
  speakers?: SpeakerFields[] | null;

  @About('Slides, recordings and the like, also of an event that is over or cancelled')
  @IsOptional()
  @ListOf(EventResource, LIMITS.resources)
  resources?: EventResource[] | null;

  @About('How it was, in Markdown, also of an event that is over or cancelled', 'Thank you all for coming')
  @EmptyAsNull()
  @MarkdownText(LIMITS.description)
  recap?: string | null = null;

  @About(
    'Asked of those who register, in this order; one that somebody has answered stays what it is (QUESTION_ANSWERED)',
  )
  @IsOptional()
  @ListOf(QuestionFields, LIMITS.questions, HAS_OWN_ID)
  questions?: QuestionFields[] | null;
}

/** Whether a host who is to manage the event has agreed to. */
export const CO_HOST_STATES = ['asked', 'agreed'] as const;
export type CoHostState = (typeof CO_HOST_STATES)[number];

/** A member in a role of an event. Only those who manage the event are answered those who have not agreed. */
export interface Host {
  id: string;
  firstName: string;
  lastName: string;
  profileImageUrl: string | null;
  linkedInUrl: string | null;
  agreed: boolean;
  /** Only for those who manage the event; absent of who does not. */
  coHost?: CoHostState;
}

export interface Speaker {
  name: string;
  role: string | null;
  bio: string | null;
  linkUrl: string | null;
  /** Null for a speaker who is no member. */
  userId: string | null;
  profileImageUrl: string | null;
  /** As of hosts; somebody who is no member counts as agreed. */
  agreed: boolean;
}

type ContentLists = 'hosts' | 'coHosts' | 'topics' | 'agenda' | 'speakers' | 'resources' | 'questions';
/** What of the content is one value, and no list. */
export type ContentValue = Required<Omit<EventContentFields, ContentLists>>;

/**
 * What only the page of an event shows. Lists are kept small and do not have it. `onlineUrl` and `onlineNote` are null unless the caller is
 * registered for the event or manages it.
 */
export interface EventContent extends ContentValue {
  /** Whether there is an `onlineUrl`, for those who do not see it. */
  hasOnlineUrl: boolean;
  hosts: Host[];
  /** By start. */
  agenda: AgendaItem[];
  speakers: Speaker[];
  resources: EventResource[];
  /** Asked of those who register. */
  questions: Question[];
}

/** Whether those who follow the topics of an event are mailed about it. */
export const ANNOUNCEMENT_STATES = ['none', 'planned', 'announced'] as const;
export type AnnouncementState = (typeof ANNOUNCEMENT_STATES)[number];

/** What Markdown became, of a few elements alone. Null: there is none, or it is shown as it was typed. */
export interface EventHtml {
  description: string | null;
  recap: string | null;
}

/** An event as the answers about it alone show it. */
export interface EventPage extends Event {
  /** Null while it is made. */
  html?: EventHtml | null;
  /** Whether the caller may change it and see its guests. */
  mayManage: boolean;
  /** Only for those who manage the event. */
  announcement?: AnnouncementState;
  /** The caller's own registration that has ended; null while they have a place or wait. */
  pastRegistration: PastRegistration | null;
  /** The first of those who come and let visitors see it; only where it was asked for the event, and not by the version before. */
  publicAttendees?: PublicAttendee[];
  /** Pictures for afterwards; not by the version before. */
  gallery?: GalleryPicture[];
  content: EventContent;
}

/** What replicas of versions without event contents leave out of their answers: pages stay readable while versions change. */
export const EVENT_PAGE_DEFAULTS = {
  mayManage: false,
  pastRegistration: null,
  descriptionFormat: 'plain',
  paymentNote: null,
  topics: [],
  content: EMPTY_CONTENT,
  slug: null,
} satisfies Partial<EventPage>;

export const GetEvent = defineMessage({
  service: 'events',
  name: 'events.get',
  access: 'public',
  reads: true,
  defaults: EVENT_PAGE_DEFAULTS,
  request: EventIdRequest,
})<EventPage>();

export class VenueFilter extends PageRequest {
  /** Part of the name or address, any letter case. */
  @IsOptional()
  @SingleLine(LIMITS.search)
  q?: string;
}

/** The venues that events have, each once, the one of the latest event first. */
export const ListVenues = defineMessage({
  service: 'events',
  name: 'events.listVenues',
  access: 'organiser',
  reads: true,
  request: VenueFilter,
})<Page<Venue>>();

/** Looks for members by name, to name them in an event. */
export class MemberSearch {
  /** Part of the name, any letter case. */
  @SingleLine(LIMITS.search)
  @MinLength(LIMITS.memberSearchMin, { message: 'q has at least 2 characters' })
  q!: string;
}

/** All that an organiser who searches for a member learns of them. */
export interface FoundMember {
  id: string;
  firstName: string;
  lastName: string;
  profileImageUrl: string | null;
}

/** Ten at most, by name, whose address is verified. For a new event. */
export const FindMembers = defineMessage({
  service: 'events',
  name: 'members.find',
  access: 'organiser',
  reads: true,
  request: MemberSearch,
})<FoundMember[]>();

export class EventMemberSearch extends MemberSearch {
  @IsId()
  eventId!: string;
}

/** As FindMembers, for an event that the caller manages. */
export const FindMembersForEvent = defineMessage({
  service: 'events',
  name: 'members.findForEvent',
  access: 'manager',
  reads: true,
  request: EventMemberSearch,
})<FoundMember[]>();

export const EVENT_ROLES = ['host', 'speaker'] as const;
export type EventRoleName = (typeof EVENT_ROLES)[number];

/** What the caller is named as in an event that has a page. */
export interface EventRole {
  eventId: string;
  title: string;
  startDate: string;
  endDate: string;
  isAllDay: boolean;
  /** Left out by a service of the previous release, as the next. */
  format?: EventFormat;
  timeZone?: string | null;
  role: EventRoleName;
  /** Null: they are not shown. */
  agreedAt: string | null;
  /** Whether a host who is asked to manage the event has agreed. */
  coHost?: CoHostState;
}

/** Latest event first. */
export const ListEventRoles = defineMessage({
  service: 'events',
  name: 'events.listRoles',
  access: 'member',
  reads: true,
  request: Nothing,
})<EventRole[]>();

export class EventRoleRequest extends EventIdRequest {
  @IsIn(EVENT_ROLES)
  role!: EventRoleName;

  /** Whether the caller is shown, and manages the event where they are asked to. */
  @IsBoolean()
  agreed!: boolean;
}

/** ROLE_NOT_FOUND when the caller is not named so, or the event is a draft that they are not asked to manage. */
export const AnswerEventRole = defineMessage({
  service: 'events',
  name: 'events.answerRole',
  access: 'member',
  request: EventRoleRequest,
})<EventRole>();
