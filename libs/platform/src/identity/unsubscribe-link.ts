import { createHmac, timingSafeEqual } from 'node:crypto';
import { MAIL_LISTS, type MailList } from '@meetmark/contracts';

interface MemberTarget {
  userId: string;
  list: MailList;
}

interface GuestTarget {
  registrationId: string;
}

interface VisitorTarget {
  subscriptionId: string;
  list: MailList;
}

export type UnsubscribeTarget = MemberTarget | GuestTarget | VisitorTarget;

const TOKEN = /^([0-9a-f-]{36})\.([A-Za-z]+)\.([A-Za-z0-9_-]{43})$/;

/**
 * One-click URL (RFC 8058). POST unsubscribes. GET only redirects to a page, because mail scanners follow
 * links.
 */
export const unsubscribePath = (token: string) => `/api/unsubscribe/${token}`;
export const unsubscribePagePath = (token: string) => `/unsubscribe?token=${encodeURIComponent(token)}`;

const GUEST = 'guest';
const VISITOR = 'visitor';

/** Tokens don't expire, because people open old emails. */
export function signUnsubscribe(target: UnsubscribeTarget, secrets: string[]): string {
  const [newest] = secrets;
  if (newest === undefined) throw new Error('a link cannot be signed without a secret');
  const [id, list] = toParts(target);
  return `${id}.${list}.${signature(id, list, newest).toString('base64url')}`;
}

const toParts = (target: UnsubscribeTarget): [id: string, list: string] => {
  if ('userId' in target) return [target.userId, target.list];
  if ('subscriptionId' in target) return [target.subscriptionId, VISITOR + target.list];
  return [target.registrationId, GUEST];
};

export function verifyUnsubscribe(token: string, secrets: string[]): UnsubscribeTarget | null {
  const [, id = '', list = '', signed = ''] = TOKEN.exec(token) ?? [];
  if (signed === '') return null;
  const given = Buffer.from(signed, 'base64url');
  const genuine = secrets.some((secret) => timingSafeEqual(given, signature(id, list, secret)));
  if (!genuine) return null;
  if (list === GUEST) return { registrationId: id };
  const visitorList = MAIL_LISTS.find((name) => list === VISITOR + name);
  if (visitorList !== undefined) return { subscriptionId: id, list: visitorList };
  return isList(list) ? { userId: id, list } : null;
}

const isList = (list: string): list is MailList => MAIL_LISTS.some((known) => known === list);

// Includes the purpose, so that the signature of another kind of link isn't valid here.
const signature = (id: string, list: string, secret: string) =>
  createHmac('sha256', secret).update(`unsubscribe:${list}:${id}`).digest();

const CONFIRMATION = /^([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/;
const confirmation = (requestId: string, secret: string) =>
  createHmac('sha256', secret).update(`subscribe:${requestId}`).digest();

/**
 * Returns a token that confirms a subscription. The token is valid until the request to subscribe is deleted.
 */
export function signConfirmation(requestId: string, secrets: string[]): string {
  const [newest] = secrets;
  if (newest === undefined) throw new Error('a link cannot be signed without a secret');
  return `${requestId}.${confirmation(requestId, newest).toString('base64url')}`;
}

export function verifyConfirmation(token: string, secrets: string[]): string | null {
  const [, requestId, signed] = CONFIRMATION.exec(token) ?? [];
  if (requestId === undefined || signed === undefined) return null;
  const given = Buffer.from(signed, 'base64url');
  return secrets.some((secret) => timingSafeEqual(given, confirmation(requestId, secret))) ? requestId : null;
}
