import { DomainError, HOST_MESSAGES, type Identity } from '@meetmark/contracts';
import { lockSubject } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';

export interface Writer {
  id: string | null;
  name: string;
  email: string;
}

export interface Message {
  id: string;
  eventId: string;
  body: string;
}

export async function fetchMember(manager: EntityManager, { sub }: Pick<Identity, 'sub'>): Promise<Writer> {
  const [member] = await manager.sql<(Writer & { verified: boolean })[]>`
    SELECT id, first_name || ' ' || last_name AS name, email, events.is_verified(id) AS verified
    FROM auth.member_contact WHERE id = ${sub}`;
  if (member === undefined) throw new DomainError('UNAUTHORIZED');
  if (!member.verified) throw new DomainError('ADDRESS_UNPROVED');
  return member;
}

export async function provedAddress(
  manager: EntityManager,
  proof: string,
  eventId: string,
): Promise<string | null> {
  const [proved] = await manager.sql<{ email: string }[]>`
    SELECT email FROM auth.proved_contact WHERE id = ${proof} AND event_id = ${eventId}`;
  return proved?.email ?? null;
}

export async function isReachable(manager: EntityManager, eventId: string): Promise<boolean> {
  const rows = await manager.sql<unknown[]>`
    SELECT FROM events.events AS event
    WHERE id = ${eventId} AND status <> 'draft' AND end_date > now() - ${HOST_MESSAGES.takenAfter} * interval '1 millisecond'
      AND events.is_verified(events.host_of(event))`;
  return rows.length > 0;
}

export async function fetchPeople(
  manager: EntityManager,
  eventId: string,
  { id }: Writer,
): Promise<string[]> {
  const rows = await manager.sql<{ host: string }[]>`
    SELECT events.host_of(event) AS host FROM events.events AS event WHERE id = ${eventId}`;
  return [...rows.map(({ host }) => host), ...(id === null ? [] : [id])];
}

interface Correspondence {
  writerHash: string;
  hostId: string;
}

/**
 * Hashes the email address in lower case, so that the messages of a member and of a visitor count together.
 */
export async function insertMessage(
  manager: EntityManager,
  { id, eventId, body }: Message,
  { id: writerId, name, email }: Writer,
): Promise<boolean> {
  const [found] = await manager.sql<Correspondence[]>`
    SELECT encode(sha256(convert_to(lower(${email}), 'UTF8')), 'hex') AS "writerHash", events.host_of(event) AS "hostId"
    FROM events.events AS event WHERE id = ${eventId}`;
  if (found === undefined) throw new DomainError('EVENT_NOT_FOUND');
  await lockCorrespondence(manager, found);
  const repeated = await manager.sql<unknown[]>`SELECT FROM events.host_messages WHERE id = ${id}`;
  if (repeated.length > 0) return false;
  await requireRoomForMessage(manager, found);
  await manager.sql`
    INSERT INTO events.host_messages (id, event_id, host_id, writer_id, writer_hash, name, email, body)
    VALUES (${id}, ${eventId}, ${found.hostId}, ${writerId}, decode(${found.writerHash}, 'hex'), ${name}, ${email}, ${body})`;
  return true;
}

/** Takes each lock in its own statement, so that later statements see what other transactions committed. */
async function lockCorrespondence(
  manager: EntityManager,
  { writerHash, hostId }: Correspondence,
): Promise<void> {
  await lockSubject(manager, `events.host_messages by ${writerHash}`);
  await lockSubject(manager, `events.host_messages to ${hostId}`);
}

async function requireRoomForMessage(
  manager: EntityManager,
  { writerHash, hostId }: Correspondence,
): Promise<void> {
  const [{ retryAfter }] = await manager.sql<[{ retryAfter: number | null }]>`
    SELECT ceil(extract(epoch FROM max(oldest) + interval '24 hours' - now()))::integer AS "retryAfter"
    FROM (
      (SELECT written_at AS oldest FROM events.host_messages WHERE writer_hash = decode(${writerHash}, 'hex')
        ORDER BY written_at DESC OFFSET ${HOST_MESSAGES.ofWriter - 1} LIMIT 1)
      UNION ALL
      (SELECT written_at FROM events.host_messages WHERE host_id = ${hostId}
        ORDER BY written_at DESC OFFSET ${HOST_MESSAGES.ofHost - 1} LIMIT 1)
    ) AS counted`;
  if (retryAfter !== null && retryAfter > 0) throw new DomainError('RATE_LIMITED', { retryAfter });
}
