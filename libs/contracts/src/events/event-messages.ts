import { IsBoolean, IsIn } from 'class-validator';
import { EventIdRequest } from './events.js';
import { LIMITS } from '../limits.js';
import { messagesTo } from '../message.js';
import { PageRequest, type Page } from '../paging.js';
import {
  About,
  IfGiven,
  IsFilled,
  IsId,
  IsMoment,
  ListOfIds,
  MarkdownText,
  SingleLine,
  withIds,
} from '../validation.js';

const events = messagesTo('events');

export const MESSAGE_SEGMENTS = ['registered', 'waiting', 'came', 'did_not_come', 'chosen'] as const;
export type MessageSegment = (typeof MESSAGE_SEGMENTS)[number];

/** Messages never return to an earlier state. */
export const MESSAGE_STATES = ['draft', 'scheduled', 'sending', 'sent', 'cancelled'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** `skipped`: the recipient has unsubscribed, or has no verified email address. */
export const RECIPIENT_STATES = ['queued', 'sent', 'refused', 'skipped'] as const;
export type RecipientState = (typeof RECIPIENT_STATES)[number];

export const REPLIES_TO = ['community', 'author'] as const;
export type RepliesTo = (typeof REPLIES_TO)[number];
export const REPLIES_UNLESS_GIVEN: RepliesTo = 'author';

export interface EventMessage {
  id: string;
  author: { firstName: string; lastName: string } | null;
  segment: MessageSegment;
  subject: string;
  replyTo: RepliesTo;
  state: MessageState;
  sendAt: string | null;
  startedAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** 0 until sending starts. Recipients missing from the three counts below are still pending. */
  recipients: number;
  sent: number;
  refused: number;
  skipped: number;
}

export interface EventMessagePage extends EventMessage {
  body: string;
  registrationIds: string[];
}

export interface MessageRecipient {
  registrationId: string;
  name: string;
  email: string;
  state: RecipientState;
  at: string | null;
}

export type MessageAudience = Record<Exclude<MessageSegment, 'chosen'>, number>;

export interface RenderedMessage {
  subject: string;
  html: string;
  text: string;
}

export class MessageText {
  @About('Subject of the email', 'Bring your laptop')
  @SingleLine(LIMITS.messageSubject)
  @IsFilled('Subject is required')
  subject!: string;

  @About('Markdown')
  @MarkdownText(LIMITS.messageBody)
  @IsFilled('Message is required')
  body!: string;

  @About(
    'Who gets replies: the community’s address or the author. `author` shows your email address to the recipients. Default: `author`',
  )
  @IfGiven()
  @IsIn(REPLIES_TO)
  replyTo?: RepliesTo;
}

export class MessageFields extends MessageText {
  @About('Recipients', 'registered')
  @IsIn(MESSAGE_SEGMENTS)
  segment!: MessageSegment;

  @About('IDs of registrations, for the segment `chosen`')
  @IfGiven()
  @ListOfIds(LIMITS.messageChosen)
  registrationIds?: string[];

  @About('When to send. Default: immediately')
  @IfGiven()
  @IsMoment()
  sendAt?: string;

  @About('true: save the message as a draft')
  @IfGiven()
  @IsBoolean()
  draft?: boolean;
}

/** The gateway creates `id`, so a repeated request creates only one message. */
export class CreateEventMessageRequest extends withIds(MessageFields, 'eventId', 'id') {}

export class EventMessageRequest extends withIds(EventIdRequest, 'messageId') {}

export class ChangeEventMessageRequest extends withIds(MessageFields, 'eventId', 'messageId') {}

export class EventMessageTextRequest extends withIds(MessageText, 'eventId') {}

export class ListEventMessagesRequest extends withIds(PageRequest, 'eventId') {}

export class MessageRecipientFilter extends PageRequest {
  @About('Delivery state of the email')
  @IfGiven()
  @IsIn(RECIPIENT_STATES)
  state?: RecipientState;
}

export class ListMessageRecipientsRequest extends withIds(MessageRecipientFilter, 'eventId', 'messageId') {}

export const ListEventMessages = events.manager('eventMessages.list', ListEventMessagesRequest)<
  Page<EventMessage>
>();

export const GetEventMessage = events.manager('eventMessages.get', EventMessageRequest)<EventMessagePage>();

export const ListMessageRecipients = events.manager(
  'eventMessages.recipients',
  ListMessageRecipientsRequest,
  { heavy: true },
)<Page<MessageRecipient>>();

export const GetMessageAudience = events.manager('eventMessages.audience', EventIdRequest, {
  heavy: true,
})<MessageAudience>();

export const CreateEventMessage = events.manager('eventMessages.create', CreateEventMessageRequest, {
  heavy: true,
})<EventMessagePage>();

export const ChangeEventMessage = events.manager('eventMessages.change', ChangeEventMessageRequest, {
  heavy: true,
})<EventMessagePage>();

/** Deletes a draft. A scheduled message is cancelled instead and stays in the list. */
export const CancelEventMessage = events.manager('eventMessages.cancel', EventMessageRequest)<void>();

export const PreviewEventMessage = events.manager(
  'eventMessages.preview',
  EventMessageTextRequest,
)<RenderedMessage>();

export class GuestMessagesRequest {
  @IsId()
  registrationId!: string;
}

/** Null if the registration was deleted. The gateway has already verified the link. */
export const FindGuestMessages = events.internal('eventMessages.findGuest', GuestMessagesRequest)<{
  subscribed: boolean;
} | null>();

export class SetGuestMessagesRequest extends GuestMessagesRequest {
  @IsBoolean()
  subscribed!: boolean;
}

export const SetGuestMessages = events.internal('eventMessages.setGuest', SetGuestMessagesRequest)<void>();

export const TestEventMessage = events.manager('eventMessages.test', EventMessageTextRequest)<void>();
