import { IsBoolean, IsOptional } from 'class-validator';
import { defineMessage, Nothing } from './message.js';
import { UserIdRequest } from './users.js';

/**
 * The lists of mails that a member can stop. Mails about the account, and notices about one's own booking (confirmed, cancelled,
 * moved to another time or place), are always sent and belong to no list.
 */
export class MailPreferences {
  /** Other changes of events that the member registered for, such as a new title. */
  @IsBoolean()
  eventUpdates!: boolean;

  /** The reminder the day before, and the entry that leaves the calendar when the member gives a place up. */
  @IsBoolean()
  reminders!: boolean;
}

export type MailList = keyof MailPreferences;

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
  request: MailPreferences,
})<MailPreferences>();

export class UnsubscribeRequest extends UserIdRequest {
  @IsOptional()
  @IsBoolean()
  eventUpdates?: boolean;

  @IsOptional()
  @IsBoolean()
  reminders?: boolean;
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
