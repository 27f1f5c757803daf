import { IsBoolean } from 'class-validator';
import { messagesTo, Nothing } from '../message.js';
import { UserIdRequest } from './users.js';
import { About, toChangesClass, IfGiven, withIds } from '../validation.js';

const auth = messagesTo('auth');

/** Optional emails. Emails about the account and important notices about registrations are always sent. */
export const MAIL_LISTS = ['eventUpdates', 'reminders', 'messages', 'announcements', 'digest'] as const;
export type MailList = (typeof MAIL_LISTS)[number];
export type MailPreferences = Record<MailList, boolean>;

export class MailPreferenceFields {
  @About('Minor changes of events that you registered for, such as a new title')
  @IsBoolean()
  eventUpdates!: boolean;

  @About('The reminder the day before an event, and the calendar update when you cancel')
  @IsBoolean()
  reminders!: boolean;

  @About('Messages from organisers of events that you registered for')
  @IfGiven()
  @IsBoolean()
  messages?: boolean;

  @About('New events about topics that you follow')
  @IfGiven()
  @IsBoolean()
  announcements?: boolean;

  @About('The weekly digest')
  @IfGiven()
  @IsBoolean()
  digest?: boolean;
}

export interface MailListState {
  list: MailList;
  subscribed: boolean;
}

export const GetMailPreferences = auth.member('users.getMailPreferences', Nothing)<MailPreferences>();

export const SetMailPreferences = auth.member(
  'users.setMailPreferences',
  MailPreferenceFields,
)<MailPreferences>();

export class UnsubscribeRequest extends withIds(toChangesClass(MailPreferenceFields), 'userId') {}

/** The gateway has already verified the signed link. Does nothing if the account was deleted. */
export const Unsubscribe = auth.internal('users.unsubscribe', UnsubscribeRequest)<void>();

/** Null if the account was deleted. The gateway has already verified the link. */
export const FindMailPreferences = auth.internal(
  'users.findMailPreferences',
  UserIdRequest,
)<MailPreferences | null>();
