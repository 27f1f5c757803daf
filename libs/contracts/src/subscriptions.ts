import { IsBoolean, IsIn } from 'class-validator';
import { LIMITS } from './limits.js';
import { LOCALES, type ProductLocale } from './locales.js';
import { MAIL_LISTS } from './mail-preferences.js';
import { defineMessage } from './message.js';
import { IfGiven, IsEmailAddress, IsId, ListOfIds } from './validation.js';

/** The lists of mails that somebody without an account can have. */
export const VISITOR_LISTS = [MAIL_LISTS[3], MAIL_LISTS[4]] as const;
export type VisitorList = (typeof VISITOR_LISTS)[number];

/** What a visitor signs up for: one of the two at least. */
export class SubscriptionFields {
  @IsEmailAddress()
  email!: string;

  /** Ids of the topics whose new events are announced. */
  @IfGiven()
  @ListOfIds(LIMITS.topics)
  topics?: string[];

  /** Whether the weekly digest comes as well. */
  @IfGiven()
  @IsBoolean()
  digest?: boolean;
}

export class SubscriptionRequest extends SubscriptionFields {
  /** The language that the visitor chose for the browser's pages; left out: the community's. */
  @IfGiven()
  @IsIn(LOCALES)
  locale?: ProductLocale;
}

/** Mails a link; nothing else happens until it is confirmed. Answers alike for any address. */
export const RequestSubscription = defineMessage({
  service: 'events',
  name: 'subscriptions.request',
  access: 'public',
  request: SubscriptionRequest,
})<void>();

export class ConfirmSubscriptionRequest {
  /** The id of the row that the link names; the gateway has verified the link. */
  @IsId()
  requestId!: string;
}

/** Done as well when it is confirmed. SUBSCRIPTION_LINK_INVALID once the request is gone. */
export const ConfirmSubscription = defineMessage({
  service: 'events',
  name: 'subscriptions.confirm',
  access: 'internal',
  request: ConfirmSubscriptionRequest,
})<void>();

export class VisitorListRequest {
  @IsId()
  subscriptionId!: string;

  @IsIn(VISITOR_LISTS)
  list!: VisitorList;
}

/** For the page of an unsubscribe link; the gateway has verified it. Null once the subscription is gone. */
export const FindVisitorList = defineMessage({
  service: 'events',
  name: 'subscriptions.findList',
  access: 'internal',
  reads: true,
  request: VisitorListRequest,
})<{ subscribed: boolean } | null>();

export class SetVisitorListRequest extends VisitorListRequest {
  @IsBoolean()
  subscribed!: boolean;
}

/** As `Unsubscribe`, of somebody without an account. */
export const SetVisitorList = defineMessage({
  service: 'events',
  name: 'subscriptions.setList',
  access: 'internal',
  request: SetVisitorListRequest,
})<void>();
