import { IsBoolean, IsOptional } from 'class-validator';
import { defineMessage, Nothing } from './message.js';
import { UserIdRequest } from './users.js';
import { IfGiven } from './validation.js';

/**
 * The lists of mails that a member can stop. Mails about the account, and notices about one's own booking (confirmed, cancelled,
 * moved to another time or place), are always sent and belong to no list.
 * - `eventUpdates`: other changes of events that the member registered for, such as a new title
 * - `reminders`: the reminder the day before, and the entry that leaves the calendar when the member gives a place up
 * - `messages`: what organisers write to those who registered for their event
 * - `announcements`: new events about a topic that the member follows
 * - `digest`: once a week what is new, what the member goes to, and what is nearly full
 */
export const MAIL_LISTS = ['eventUpdates', 'reminders', 'messages', 'announcements', 'digest'] as const;
export type MailList = (typeof MAIL_LISTS)[number];
export type MailPreferences = Record<MailList, boolean>;

export class MailPreferenceFields {
  @IsBoolean()
  eventUpdates!: boolean;

  @IsBoolean()
  reminders!: boolean;

  /** Left out, it stays as it is. */
  @IfGiven()
  @IsBoolean()
  messages?: boolean;

  /** As `messages`. */
  @IfGiven()
  @IsBoolean()
  announcements?: boolean;

  /** As `messages`. */
  @IfGiven()
  @IsBoolean()
  digest?: boolean;
}

/** What the page of an unsubscribe link shows. */
export interface MailListState {
  list: MailList;
  subscribed: boolean;
}

export const GetMailPreferences = defineMessage({
  service: 'auth',
  name: 'users.getMailPreferences',
  access: 'member',
  reads: true,
  request: Nothing,
})<MailPreferences>();

export const SetMailPreferences = defineMessage({
  service: 'auth',
  name: 'users.setMailPreferences',
  access: 'member',
  request: MailPreferenceFields,
})<MailPreferences>();

export class UnsubscribeRequest extends UserIdRequest {
  @IsOptional()
  @IsBoolean()
  eventUpdates?: boolean;

  @IsOptional()
  @IsBoolean()
  reminders?: boolean;

  @IsOptional()
  @IsBoolean()
  messages?: boolean;

  @IsOptional()
  @IsBoolean()
  announcements?: boolean;

  @IsOptional()
  @IsBoolean()
  digest?: boolean;
}

/** Stops a list, or with `true` takes that back; the gateway has verified the signed link. Does nothing once the account is gone. */
export const Unsubscribe = defineMessage({
  service: 'auth',
  name: 'users.unsubscribe',
  access: 'internal',
  request: UnsubscribeRequest,
})<void>();

/** For the page of an unsubscribe link; the gateway has verified it. Null once the account is gone. */
export const FindMailPreferences = defineMessage({
  service: 'auth',
  name: 'users.findMailPreferences',
  access: 'internal',
  reads: true,
  request: UserIdRequest,
})<MailPreferences | null>();
