import {
  DomainError,
  type EventMessage,
  LIMITS,
  type MessageAudience,
  type MessageRecipient,
  type MessageSegment,
  type MessageState,
  type Page,
  type PageRequest,
  type RecipientState,
  REGISTERED,
  type RepliesTo,
  WAITLISTED,
} from '@meetmark/contracts';
import { cutPage, decodeCursor } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';

// The statements about what organisers write to the people of an event. Each runs with the manager of its caller's transaction.

export interface MessageRow extends Omit<EventMessage, Moments> {
  eventId: string;
  body: string;
  registrationIds: string[];
  sendAt: Date | null;
  startedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}
type Moments = 'sendAt' | 'startedAt' | 'createdAt' | 'updatedAt';

/** What is written; the database keeps the figures and moments. */
export interface MessageValues {
  segment: MessageSegment;
  registrationIds: string[];
  subject: string;
  body: string;
  replyTo: RepliesTo;
  state: MessageState;
  sendAt: Date | null;
}

const COLUMNS = `m.id, m.event_id AS "eventId", m.segment, m.registration_ids AS "registrationIds", m.subject, m.body,
  m.reply_to AS "replyTo", m.state, m.send_at AS "sendAt", m.started_at AS "startedAt", m.created_at AS "createdAt",
  m.updated_at AS "updatedAt", m.recipients, m.sent, m.refused, m.skipped,
  CASE WHEN author.id IS NOT NULL THEN json_build_object('firstName', author.first_name, 'lastName', author.last_name) END AS author`;
const MESSAGES = 'events.messages AS m LEFT JOIN auth.member_card AS author ON author.id = m.author_id';

/** @throws DomainError MESSAGE_NOT_FOUND, of another event too */
export async function messageOf(manager: EntityManager, eventId: string, id: string): Promise<MessageRow> {
  const [row] = await manager.query<MessageRow[]>(
    `SELECT ${COLUMNS} FROM ${MESSAGES} WHERE m.id = $1 AND m.event_id = $2`,
    [id, eventId],
  );
  if (row === undefined) throw new DomainError('MESSAGE_NOT_FOUND');
  return row;
}

export async function messageExists(manager: EntityManager, id: string): Promise<boolean> {
  const rows = await manager.query<unknown[]>('SELECT FROM events.messages WHERE id = $1', [id]);
  return rows.length > 0;
}

const LATEST = 'message-createdAt';

export async function messagesOf(
  manager: EntityManager,
  eventId: string,
  { limit = LIMITS.pageSizeMax, cursor }: PageRequest,
): Promise<Page<MessageRow>> {
  const after = cursor === undefined ? null : decodeCursor(cursor, LATEST, 'timestamptz');
  const rows = await manager.query<MessageRow[]>(
    `SELECT ${COLUMNS} FROM ${MESSAGES}
     WHERE m.event_id = $1 AND ($2::timestamptz IS NULL OR (m.created_at, m.id) < ($2, $3::uuid))
     ORDER BY m.created_at DESC, m.id DESC LIMIT $4`,
    [eventId, after?.key ?? null, after?.id ?? null, limit + 1],
  );
  const [{ total }] = await manager.query<[{ total: number }]>(
    'SELECT count(*)::integer AS total FROM events.messages WHERE event_id = $1',
    [eventId],
  );
  return { ...cutPage(rows, limit, LATEST, ({ createdAt, id }) => ({ key: createdAt, id })), total };
}

export async function insertMessage(
  manager: EntityManager,
  { id, eventId, authorId, ...values }: MessageValues & { id: string; eventId: string; authorId: string },
): Promise<void> {
  await manager.query(
    `INSERT INTO events.messages (segment, registration_ids, subject, body, reply_to, state, send_at, id, event_id, author_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [...columnsOf(values), id, eventId, authorId],
  );
}

/** False when it is being sent by now, or was cancelled. Answers go to the organiser who changed it last. */
export async function changeMessage(
  manager: EntityManager,
  id: string,
  authorId: string,
  values: MessageValues,
): Promise<boolean> {
  const [, changed] = await manager.query<[unknown[], number]>(
    `UPDATE events.messages
     SET segment = $1, registration_ids = $2, subject = $3, body = $4, reply_to = $5, state = $6, send_at = $7, author_id = $8,
       updated_at = now()
     WHERE id = $9 AND state IN ('draft', 'scheduled')`,
    [...columnsOf(values), authorId, id],
  );
  return changed === 1;
}

const columnsOf = ({ segment, registrationIds, subject, body, replyTo, state, sendAt }: MessageValues) => [
  segment,
  registrationIds,
  subject,
  body,
  replyTo,
  state,
  sendAt,
];

/** Removes a draft, cancels what is scheduled. False when it is neither. */
export async function cancelMessage(manager: EntityManager, id: string): Promise<boolean> {
  const [, removed] = await manager.query<[unknown[], number]>(
    "DELETE FROM events.messages WHERE id = $1 AND state = 'draft'",
    [id],
  );
  const [, cancelled] = await manager.query<[unknown[], number]>(
    "UPDATE events.messages SET state = 'cancelled', updated_at = now() WHERE id = $1 AND state = 'scheduled'",
    [id],
  );
  return removed + cancelled === 1;
}

/** A guest without an account may have no address. */
const REACHABLE = '(user_id IS NOT NULL OR guest_email IS NOT NULL)';

/** How many people each segment has. */
export async function audienceOf(manager: EntityManager, eventId: string): Promise<MessageAudience> {
  const [row] = await manager.query<[MessageAudience]>(
    `SELECT count(*) FILTER (WHERE status = '${REGISTERED}')::integer AS registered,
       count(*) FILTER (WHERE status = '${WAITLISTED}')::integer AS waiting,
       count(*) FILTER (WHERE events.came(place))::integer AS came,
       count(*) FILTER (WHERE events.did_not_come(place))::integer AS did_not_come
     FROM events.event_registrations AS place WHERE event_id = $1 AND ${REACHABLE}`,
    [eventId],
  );
  return row;
}

/** Selects those of the chosen registrations that belong to the event, were not given up and have an address. */
export async function chosenAt(manager: EntityManager, eventId: string, ids: string[]): Promise<string[]> {
  const rows = await manager.query<{ id: string }[]>(
    `SELECT id FROM events.event_registrations
     WHERE event_id = $1 AND id = ANY ($2) AND status <> 'cancelled' AND ${REACHABLE}`,
    [eventId, ids],
  );
  return rows.map(({ id }) => id);
}

const BY_NAME = 'recipient-name';
interface RecipientRow extends Omit<MessageRecipient, 'at'> {
  at: Date | null;
}

export async function recipientsOf(
  manager: EntityManager,
  messageId: string,
  { limit = LIMITS.pageSizeMax, cursor, state = null }: PageRequest & { state?: RecipientState | null },
): Promise<Page<MessageRecipient>> {
  const after = cursor === undefined ? null : decodeCursor(cursor, BY_NAME, 'text');
  const rows = await manager.query<(RecipientRow & { key: string })[]>(
    `SELECT * FROM (
       SELECT person.id AS "registrationId", person.state, person.at, person.email, person.name, lower(person.name) AS key FROM (
         -- as the guest list shows whom an organiser added, which tells nobody who has an account
         SELECT r.id, recipient.state, recipient.at, coalesce(r.guest_email, member.email) AS email,
           coalesce(r.guest_name, r.added_as, member.first_name || ' ' || member.last_name) AS name
         FROM events.message_recipients AS recipient JOIN events.event_registrations AS r ON r.id = recipient.registration_id
         LEFT JOIN auth.member_contact AS member ON member.id = r.user_id
         WHERE recipient.message_id = $1 AND ($2::text IS NULL OR recipient.state = $2)) AS person) AS people
     WHERE $3::text IS NULL OR (key, "registrationId") > ($3, $4::uuid)
     ORDER BY key, "registrationId" LIMIT $5`,
    [messageId, state, after?.key ?? null, after?.id ?? null, limit + 1],
  );
  const [{ total }] = await manager.query<[{ total: number }]>(
    `SELECT count(*)::integer AS total FROM events.message_recipients
     WHERE message_id = $1 AND ($2::text IS NULL OR state = $2)`,
    [messageId, state],
  );
  const { items, nextCursor } = cutPage(rows, limit, BY_NAME, ({ key, registrationId: id }) => ({ key, id }));
  return {
    items: items.map(({ key: _, at, ...recipient }) => ({ ...recipient, at: at?.toISOString() ?? null })),
    total,
    nextCursor,
  };
}

/** Null once the registration is gone. */
export async function guestWantsMessages(
  manager: EntityManager,
  registrationId: string,
): Promise<boolean | null> {
  const [row] = await manager.query<{ wants: boolean }[]>(
    `SELECT NOT EXISTS (SELECT FROM events.message_stops WHERE registration_id = r.id) AS wants
     FROM events.event_registrations r WHERE id = $1`,
    [registrationId],
  );
  return row?.wants ?? null;
}

/** Does nothing once the registration is gone. */
export async function setGuestWantsMessages(
  manager: EntityManager,
  registrationId: string,
  wants: boolean,
): Promise<void> {
  await manager.query(
    wants
      ? 'DELETE FROM events.message_stops WHERE registration_id = $1'
      : `INSERT INTO events.message_stops (registration_id) SELECT id FROM events.event_registrations WHERE id = $1
         ON CONFLICT (registration_id) DO NOTHING`,
    [registrationId],
  );
}

/** How a member is greeted and written to. */
export async function contactOf(
  manager: EntityManager,
  userId: string,
): Promise<{ firstName: string; lastName: string }> {
  const [row] = await manager.query<{ firstName: string; lastName: string }[]>(
    'SELECT first_name AS "firstName", last_name AS "lastName" FROM auth.member_contact WHERE id = $1',
    [userId],
  );
  if (row === undefined) throw new DomainError('UNAUTHORIZED');
  return row;
}
