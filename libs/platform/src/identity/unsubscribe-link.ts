import { createHmac, timingSafeEqual } from 'node:crypto';
import { MAIL_LISTS, type MailList } from '@meetmark/contracts';

/** The member, and the kind of mail to stop. */
interface MemberTarget {
  userId: string;
  list: MailList;
}

/** The registration of a guest without an account, who can stop the messages of organisers. */
interface GuestTarget {
  registrationId: string;
}

/** The list of somebody without an account who signed up with an address. */
interface VisitorTarget {
  subscriptionId: string;
  list: MailList;
}

export type UnsubscribeTarget = MemberTarget | GuestTarget | VisitorTarget;

const TOKEN = /^([0-9a-f-]{36})\.([A-Za-z]+)\.([A-Za-z0-9_-]{43})$/;

/**
 * The address of a mail's one-click unsubscribe (RFC 8058). POST changes the preference; GET only redirects to the page that does,
 * because mail scanners follow every link.
 */
export const unsubscribePath = (token: string) => `/api/unsubscribe/${token}`;
/** The page itself, for people. */
export const unsubscribePagePath = (token: string) => `/unsubscribe?token=${encodeURIComponent(token)}`;

/** In the place of a list; no list has this name. */
const GUEST = 'guest';
/** Before a list of somebody without an account. */
const VISITOR = 'visitor';

/** @param secrets LINK_SECRETS; the first signs. Tokens do not expire: people open old mails. */
export function signUnsubscribe(target: UnsubscribeTarget, secrets: string[]): string {
  const [newest] = secrets;
  if (newest === undefined) throw new Error('a link cannot be signed without a secret');
  const [id, list] = partsOf(target);
  return `${id}.${list}.${signature(id, list, newest).toString('base64url')}`;
}

const partsOf = (target: UnsubscribeTarget): [id: string, list: string] => {
  if ('userId' in target) return [target.userId, target.list];
  if ('subscriptionId' in target) return [target.subscriptionId, VISITOR + target.list];
  return [target.registrationId, GUEST];
};

/** The target of a token signed with any of the secrets, else null. */
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

// The purpose is part of the signature: one made for another kind of link is not valid here.
const signature = (id: string, list: string, secret: string) =>
  createHmac('sha256', secret).update(`unsubscribe:${list}:${id}`).digest();

const CONFIRMATION = /^([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/;
const confirmation = (requestId: string, secret: string) =>
  createHmac('sha256', secret).update(`subscribe:${requestId}`).digest();

/** The secret of the link that confirms a sign-up for mails. It is valid as long as the request is there. */
export function signConfirmation(requestId: string, secrets: string[]): string {
  const [newest] = secrets;
  if (newest === undefined) throw new Error('a link cannot be signed without a secret');
  return `${requestId}.${confirmation(requestId, newest).toString('base64url')}`;
}

/** The id of the request that a token names which was signed with any of the secrets, else null. */
export function verifyConfirmation(token: string, secrets: string[]): string | null {
  const [, requestId, signed] = CONFIRMATION.exec(token) ?? [];
  if (requestId === undefined || signed === undefined) return null;
  const given = Buffer.from(signed, 'base64url');
  return secrets.some((secret) => timingSafeEqual(given, confirmation(requestId, secret))) ? requestId : null;
}
