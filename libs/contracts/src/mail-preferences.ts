import { IsBoolean, IsOptional } from 'class-validator';
import { defineMessage, Nothing } from './message.js';
import { UserIdRequest } from './users.js';

/** What a member may be written to about (D28); security and account mails are always sent. */
export class MailPreferences {
  /** Confirmations, changes and cancellations of events the member registered for. */
  @IsBoolean()
  eventUpdates!: boolean;

  /** The reminder the day before. */
  @IsBoolean()
  reminders!: boolean;
}

export const GetMailPreferences = defineMessage({
  service: 'auth',
  name: 'users.getMailPreferences',
  access: 'member',
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

/** One-click unsubscribe; the gateway has verified the signed link. */
export const Unsubscribe = defineMessage({
  service: 'auth',
  name: 'users.unsubscribe',
  access: 'internal',
  request: UnsubscribeRequest,
})<void>();
