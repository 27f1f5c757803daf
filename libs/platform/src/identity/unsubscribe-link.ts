import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MailPreferences } from '@meetmark/contracts';

/** The member, and the kind of mail to stop. */
export interface UnsubscribeTarget {
  userId: string;
  list: keyof MailPreferences;
}

const TOKEN = /^([0-9a-f-]{36})\.(eventUpdates|reminders)\.([A-Za-z0-9_-]{43})$/;

/**
 * The address of a mail's one-click unsubscribe (RFC 8058). POST changes the preference; GET only redirects to the page that does,
 * because mail scanners follow every link.
 */
export const unsubscribePath = (token: string) => `/api/unsubscribe/${token}`;
/** The page itself, for people. */
export const unsubscribePagePath = (token: string) => `/unsubscribe?token=${encodeURIComponent(token)}`;

/** @param secrets LINK_SECRETS; the first signs. Tokens do not expire: people open old mails. */
export function signUnsubscribe({ userId, list }: UnsubscribeTarget, secrets: string[]): string {
  const [newest] = secrets;
  if (newest === undefined) throw new Error('a link cannot be signed without a secret');
  return `${userId}.${list}.${signature(userId, list, newest).toString('base64url')}`;
}

/** The target of a token signed with any of the secrets, else null. */
export function verifyUnsubscribe(token: string, secrets: string[]): UnsubscribeTarget | null {
  const [, userId, list, signed] = TOKEN.exec(token) ?? [];
  if (userId === undefined || !isList(list) || signed === undefined) return null;
  const given = Buffer.from(signed, 'base64url');
  const genuine = secrets.some((secret) => timingSafeEqual(given, signature(userId, list, secret)));
  return genuine ? { userId, list } : null;
}

const isList = (list: string | undefined): list is UnsubscribeTarget['list'] =>
  list === 'eventUpdates' || list === 'reminders';

// The purpose is part of the signature: one made for another kind of link is not valid here.
const signature = (userId: string, list: string, secret: string) =>
  createHmac('sha256', secret).update(`unsubscribe:${list}:${userId}`).digest();
