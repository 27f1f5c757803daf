import { IsBoolean, IsIn } from 'class-validator';
import { LIMITS } from '../limits.js';
import { LOCALES, type ProductLocale } from '@meetmark/i18n/locales';
import { MAIL_LISTS } from '../auth/mail-preferences.js';
import { messagesTo } from '../message.js';
import { About, IfGiven, IsEmailAddress, IsId, ListOfIds } from '../validation.js';

const events = messagesTo('events');

export const VISITOR_LISTS = [MAIL_LISTS[3], MAIL_LISTS[4]] as const;
export type VisitorList = (typeof VISITOR_LISTS)[number];

/** Clients must choose topics, the digest, or both. */
export class SubscriptionFields {
  @About('Email address to subscribe', 'ada@example.org')
  @IsEmailAddress()
  email!: string;

  @About('IDs of topics whose new events are announced')
  @IfGiven()
  @ListOfIds(LIMITS.topics)
  topics?: string[];

  @About('Whether to send the weekly digest')
  @IfGiven()
  @IsBoolean()
  digest?: boolean;
}

export class SubscriptionRequest extends SubscriptionFields {
  @IfGiven()
  @IsIn(LOCALES)
  locale?: ProductLocale;
}

/**
 * Nobody is subscribed until they confirm with the emailed link. The response is the same for every email
 * address.
 */
export const RequestSubscription = events.public('subscriptions.request', SubscriptionRequest)<void>();

export class ConfirmSubscriptionRequest {
  /** The gateway has already verified the link. */
  @IsId()
  requestId!: string;
}

/**
 * Idempotent.
 * @throws SUBSCRIPTION_LINK_INVALID if the request was deleted
 */
export const ConfirmSubscription = events.internal(
  'subscriptions.confirm',
  ConfirmSubscriptionRequest,
)<void>();

export class VisitorListRequest {
  @IsId()
  subscriptionId!: string;

  @IsIn(VISITOR_LISTS)
  list!: VisitorList;
}

/** Null if the subscription was deleted. The gateway has already verified the link. */
export const FindVisitorList = events.internal('subscriptions.findList', VisitorListRequest)<{
  subscribed: boolean;
} | null>();

export class SetVisitorListRequest extends VisitorListRequest {
  @IsBoolean()
  subscribed!: boolean;
}

export const SetVisitorList = events.internal('subscriptions.setList', SetVisitorListRequest)<void>();
