import {
  toMailbox,
  type SetVisitorListRequest,
  type SubscriptionRequest,
  type VisitorList,
  type VisitorListRequest,
} from '@meetmark/contracts';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';

/** Maximum confirmation emails per mailbox and day. */
const MAILS_A_DAY = 5;
const COLUMNS: Record<VisitorList, string> = { announcements: 'announcements', digest: 'digest' };

export async function knownTopics(manager: EntityManager, ids: string[]): Promise<Set<string>> {
  const known = await manager.sql<{ id: string }[]>`SELECT id FROM events.topics WHERE id = ANY (${ids})`;
  return new Set(known.map(({ id }) => id));
}

/** Returns null above the limit. A lock serialises the requests of a mailbox, so the limit is exact. */
export async function addRequest(
  manager: EntityManager,
  { email, topics = [], digest = false, locale }: SubscriptionRequest,
): Promise<string | null> {
  const mailbox = toMailbox(email);
  await manager.sql`SELECT pg_advisory_xact_lock(hashtextextended('events.subscription_requests ' || ${mailbox}, 0))`;
  const id = uuid();
  const written = await manager.sql<unknown[]>`
    INSERT INTO events.subscription_requests (id, email, topic_ids, digest, locale)
    SELECT ${id}, ${email}, ${topics}::uuid[], ${digest}, ${locale ?? null} WHERE (
      SELECT count(*) FROM events.subscription_requests
      WHERE mailbox = ${mailbox} AND requested_at > now() - interval '1 day') < ${MAILS_A_DAY}
    RETURNING id`;
  return written.length > 0 ? id : null;
}

export async function confirmSubscription(manager: EntityManager, requestId: string): Promise<boolean> {
  const [{ confirmed }] = await manager.sql<[{ confirmed: boolean }]>`
    SELECT events.confirm_subscription(${requestId}) AS confirmed`;
  return confirmed;
}

export async function findList(
  manager: EntityManager,
  { subscriptionId, list }: VisitorListRequest,
): Promise<{ subscribed: boolean } | null> {
  const [row] = await manager.sql<{ subscribed: boolean }[]>`
    SELECT ${() => COLUMNS[list]} AS subscribed FROM events.subscriptions WHERE id = ${subscriptionId}`;
  return row ?? null;
}

export const setList = (
  manager: EntityManager,
  { subscriptionId, list, subscribed }: SetVisitorListRequest,
) =>
  manager.sql`
    UPDATE events.subscriptions SET ${() => COLUMNS[list]} = ${subscribed}, changed_at = now() WHERE id = ${subscriptionId}`;
