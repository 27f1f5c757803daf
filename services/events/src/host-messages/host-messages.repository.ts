import { DomainError, HOST_MESSAGES, type Identity } from '@meetmark/contracts';
import type { EntityManager } from 'typeorm';

// The statements about messages to hosts. Each runs with the manager of its caller's transaction.

/** Somebody with an address that is proved. */
export interface Writer {
  /** Null without an account. */
  id: string | null;
  name: string;
  email: string;
}

export interface Message {
  id: string;
  eventId: string;
  body: string;
}

/** @throws DomainError UNAUTHORIZED, ADDRESS_UNPROVED */
export async function memberOf(manager: EntityManager, { sub }: Pick<Identity, 'sub'>): Promise<Writer> {
  const [member] = await manager.sql<(Writer & { verified: boolean })[]>`
    SELECT id, first_name || ' ' || last_name AS name, email, events.is_verified(id) AS verified
    FROM auth.member_contact WHERE id = ${sub}`;
  if (member === undefined) throw new DomainError('UNAUTHORIZED');
  if (!member.verified) throw new DomainError('ADDRESS_UNPROVED');
  return member;
}

/** The address that a code has proved for this event; null where there is no such proof. */
export async function provedAddress(
  manager: EntityManager,
  proof: string,
  eventId: string,
): Promise<string | null> {
  const [proved] = await manager.sql<{ email: string }[]>`
    SELECT email FROM auth.proved_contact WHERE id = ${proof} AND event_id = ${eventId}`;
  return proved?.email ?? null;
}

/** Mails go to proved addresses alone, and a draft or what is long over has no readers whom a host would answer. */
export async function isReachable(manager: EntityManager, eventId: string): Promise<boolean> {
  const rows = await manager.sql<unknown[]>`
    SELECT FROM events.events AS event
    WHERE id = ${eventId} AND status <> 'draft' AND end_date > now() - ${HOST_MESSAGES.takenAfter} * interval '1 millisecond'
      AND events.is_verified(events.host_of(event))`;
  return rows.length > 0;
}

/** False for a message that is there already: the request was repeated. Addresses of accounts may have capital letters. */
export async function insertMessage(
  manager: EntityManager,
  { id, eventId, body }: Message,
  writer: Writer,
): Promise<boolean> {
  const written = await manager.sql<unknown[]>`
    INSERT INTO events.host_messages (id, event_id, host_id, writer_id, writer_hash, name, email, body)
    SELECT ${id}, id, events.host_of(event), ${writer.id}::uuid, sha256(convert_to(lower(${writer.email}), 'UTF8')),
      ${writer.name}, ${writer.email}, ${body}
    FROM events.events AS event WHERE id = ${eventId} RETURNING id`;
  return written.length > 0;
}

/** Until neither the writer nor the host has too many. */
export async function secondsUntilFree(
  manager: EntityManager,
  eventId: string,
  email: string,
): Promise<number> {
  const [{ seconds }] = await manager.sql<[{ seconds: number }]>`
    SELECT ceil(extract(epoch FROM coalesce(max(oldest) + interval '24 hours' - now(), interval '1 second')))::integer AS seconds
    FROM (
      (SELECT written_at AS oldest FROM events.host_messages WHERE writer_hash = sha256(convert_to(lower(${email}), 'UTF8'))
        ORDER BY written_at DESC OFFSET ${HOST_MESSAGES.ofWriter - 1} LIMIT 1)
      UNION ALL
      (SELECT written_at FROM events.host_messages
        WHERE host_id = (SELECT events.host_of(event) FROM events.events AS event WHERE id = ${eventId})
        ORDER BY written_at DESC OFFSET ${HOST_MESSAGES.ofHost - 1} LIMIT 1)
    ) AS counted`;
  return Math.max(seconds, 1);
}
