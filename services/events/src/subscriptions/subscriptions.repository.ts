import type {
  SetVisitorListRequest,
  SubscriptionRequest,
  VisitorList,
  VisitorListRequest,
} from '@meetmark/contracts';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';

// The statements about the subscriptions of visitors, who have an address and no account.

/** Open requests of one address within a day beyond which no further mail goes there. */
const MAILS_A_DAY = 5;
const COLUMNS: Record<VisitorList, string> = { announcements: 'announcements', digest: 'digest' };

export async function knownTopics(manager: EntityManager, ids: string[]): Promise<Set<string>> {
  const known = await manager.sql<{ id: string }[]>`SELECT id FROM events.topics WHERE id = ANY (${ids})`;
  return new Set(known.map(({ id }) => id));
}

/** Requests of one address are written one at a time, so that each sees those before it. Null when there are too many of them. */
export async function addRequest(
  manager: EntityManager,
  { email, topics = [], digest = false, locale }: SubscriptionRequest,
): Promise<string | null> {
  await manager.sql`SELECT pg_advisory_xact_lock(hashtextextended('events.subscription ' || ${email}, 0))`;
  const id = uuid();
  const written = await manager.sql<unknown[]>`
    INSERT INTO events.subscription_requests (id, email, topic_ids, digest, locale)
    SELECT ${id}, ${email}, ${topics}::uuid[], ${digest}, ${locale ?? null} WHERE (
      SELECT count(*) FROM events.subscription_requests
      WHERE email = ${email} AND requested_at > now() - interval '1 day') < ${MAILS_A_DAY}
    RETURNING id`;
  return written.length > 0 ? id : null;
}

/** False when there is no such request, or it is too old. */
export async function confirmSubscription(manager: EntityManager, requestId: string): Promise<boolean> {
  const [{ confirmed }] = await manager.sql<[{ confirmed: boolean }]>`
    SELECT events.confirm_subscription(${requestId}) AS confirmed`;
  return confirmed;
}

/** Null once the subscription is gone. */
export async function findList(
  manager: EntityManager,
  { subscriptionId, list }: VisitorListRequest,
): Promise<{ subscribed: boolean } | null> {
  const [row] = await manager.sql<{ subscribed: boolean }[]>`
    SELECT ${() => COLUMNS[list]} AS subscribed FROM events.subscriptions WHERE id = ${subscriptionId}`;
  return row ?? null;
}

/** Does nothing once the subscription is gone. */
export const setList = (
  manager: EntityManager,
  { subscriptionId, list, subscribed }: SetVisitorListRequest,
) =>
  manager.sql`
    UPDATE events.subscriptions SET ${() => COLUMNS[list]} = ${subscribed}, changed_at = now() WHERE id = ${subscriptionId}`;
