import { IsBoolean, IsIn } from 'class-validator';
import { EventIdRequest } from './events.js';
import { LIMITS } from './limits.js';
import { defineMessage } from './message.js';
import { PageRequest, type Page } from './paging.js';
import { IfGiven, IsFilled, IsId, IsMoment, ListOfIds, MarkdownText, SingleLine } from './validation.js';

/** Whom a message goes to: everybody with a place, everybody who waits for one, of those with a place who came or did not, or whom the organiser chose. */
export const MESSAGE_SEGMENTS = ['registered', 'waiting', 'came', 'did_not_come', 'chosen'] as const;
export type MessageSegment = (typeof MESSAGE_SEGMENTS)[number];

/** Only forward: a draft is scheduled or sent, what is scheduled is sent or cancelled. */
export const MESSAGE_STATES = ['draft', 'scheduled', 'sending', 'sent', 'cancelled'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** What became of one person's mail. `skipped`: they stopped such mails, or have no verified address any more. */
export const RECIPIENT_STATES = ['queued', 'sent', 'refused', 'skipped'] as const;
export type RecipientState = (typeof RECIPIENT_STATES)[number];

/** Where an answer goes: to the community's address, or to the author's own, which the recipients then learn. */
export const REPLIES_TO = ['community', 'author'] as const;
export type RepliesTo = (typeof REPLIES_TO)[number];
export const REPLIES_UNLESS_GIVEN: RepliesTo = 'author';

/** What an organiser writes to the people of an event, as lists show it. */
export interface EventMessage {
  id: string;
  /** Null once the account is gone. */
  author: { firstName: string; lastName: string } | null;
  segment: MessageSegment;
  subject: string;
  replyTo: RepliesTo;
  state: MessageState;
  /** Null in a draft. */
  sendAt: string | null;
  /** When the recipients were fixed. */
  startedAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** 0 until sending has started; those whose mail still waits are the rest of the three figures. */
  recipients: number;
  sent: number;
  refused: number;
  skipped: number;
}

export interface EventMessagePage extends EventMessage {
  body: string;
  /** The registrations of the segment `chosen`. */
  registrationIds: string[];
}

export interface MessageRecipient {
  registrationId: string;
  name: string;
  email: string;
  state: RecipientState;
  /** When it came to that; null while the mail waits. */
  at: string | null;
}

/** How many people are in each segment now. */
export type MessageAudience = Record<Exclude<MessageSegment, 'chosen'>, number>;

/** A message as its recipients get it, with the caller's own name. */
export interface RenderedMessage {
  subject: string;
  html: string;
  text: string;
}

/** What a message says. */
export class MessageText {
  @SingleLine(LIMITS.messageSubject)
  @IsFilled('Subject is required')
  subject!: string;

  /** Markdown. */
  @MarkdownText(LIMITS.messageBody)
  @IsFilled('Message is required')
  body!: string;

  /** REPLIES_UNLESS_GIVEN where it is left out. */
  @IfGiven()
  @IsIn(REPLIES_TO)
  replyTo?: RepliesTo;
}

export class MessageFields extends MessageText {
  @IsIn(MESSAGE_SEGMENTS)
  segment!: MessageSegment;

  /** Whose registrations, of the segment `chosen`. */
  @IfGiven()
  @ListOfIds(LIMITS.messageChosen)
  registrationIds?: string[];

  /** At once unless given. */
  @IfGiven()
  @IsMoment()
  sendAt?: string;

  /** Kept and not sent. */
  @IfGiven()
  @IsBoolean()
  draft?: boolean;
}

export class CreateEventMessageRequest extends MessageFields {
  @IsId()
  eventId!: string;

  /** From the gateway, which repeats a request with the same one. */
  @IsId()
  id!: string;
}

export class EventMessageRequest extends EventIdRequest {
  @IsId()
  messageId!: string;
}

export class ChangeEventMessageRequest extends MessageFields {
  @IsId()
  eventId!: string;

  @IsId()
  messageId!: string;
}

export class EventMessageTextRequest extends MessageText {
  @IsId()
  eventId!: string;
}

export class ListEventMessagesRequest extends PageRequest {
  @IsId()
  eventId!: string;
}

export class MessageRecipientFilter extends PageRequest {
  @IfGiven()
  @IsIn(RECIPIENT_STATES)
  state?: RecipientState;
}

export class ListMessageRecipientsRequest extends MessageRecipientFilter {
  @IsId()
  eventId!: string;

  @IsId()
  messageId!: string;
}

/** The latest first. */
export const ListEventMessages = defineMessage({
  service: 'events',
  name: 'eventMessages.list',
  access: 'manager',
  reads: true,
  request: ListEventMessagesRequest,
})<Page<EventMessage>>();

export const GetEventMessage = defineMessage({
  service: 'events',
  name: 'eventMessages.get',
  access: 'manager',
  reads: true,
  request: EventMessageRequest,
})<EventMessagePage>();

/** By name. */
export const ListMessageRecipients = defineMessage({
  service: 'events',
  name: 'eventMessages.recipients',
  access: 'manager',
  reads: true,
  request: ListMessageRecipientsRequest,
})<Page<MessageRecipient>>();

export const GetMessageAudience = defineMessage({
  service: 'events',
  name: 'eventMessages.audience',
  access: 'manager',
  reads: true,
  request: EventIdRequest,
})<MessageAudience>();

export const CreateEventMessage = defineMessage({
  service: 'events',
  name: 'eventMessages.create',
  access: 'manager',
  request: CreateEventMessageRequest,
})<EventMessagePage>();

/** Changes a draft, or a message that is scheduled. */
export const ChangeEventMessage = defineMessage({
  service: 'events',
  name: 'eventMessages.change',
  access: 'manager',
  request: ChangeEventMessageRequest,
})<EventMessagePage>();

/** Removes a draft; one that is scheduled stays in the log as cancelled. */
export const CancelEventMessage = defineMessage({
  service: 'events',
  name: 'eventMessages.cancel',
  access: 'manager',
  request: EventMessageRequest,
})<void>();

export const PreviewEventMessage = defineMessage({
  service: 'events',
  name: 'eventMessages.preview',
  access: 'manager',
  reads: true,
  request: EventMessageTextRequest,
})<RenderedMessage>();

export class GuestMessagesRequest {
  @IsId()
  registrationId!: string;
}

/** Whether a guest without an account wants messages; the gateway has verified the link. Null once the registration is gone. */
export const FindGuestMessages = defineMessage({
  service: 'events',
  name: 'eventMessages.findGuest',
  access: 'internal',
  reads: true,
  request: GuestMessagesRequest,
})<{ subscribed: boolean } | null>();

export class SetGuestMessagesRequest extends GuestMessagesRequest {
  @IsBoolean()
  subscribed!: boolean;
}

/** As `Unsubscribe`, of a guest without an account. */
export const SetGuestMessages = defineMessage({
  service: 'events',
  name: 'eventMessages.setGuest',
  access: 'internal',
  request: SetGuestMessagesRequest,
})<void>();

/** Mails it to the caller alone. */
export const TestEventMessage = defineMessage({
  service: 'events',
  name: 'eventMessages.test',
  access: 'manager',
  request: EventMessageTextRequest,
})<void>();
