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

/** @throws DomainError MESSAGE_NOT_FOUND, also for a message of another event */
export async function fetchMessage(manager: EntityManager, eventId: string, id: string): Promise<MessageRow> {
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

export async function fetchMessages(
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
    [...toColumnValues(values), id, eventId, authorId],
  );
}

/** The member who edits a message becomes its author, and may receive the replies. */
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
    [...toColumnValues(values), authorId, id],
  );
  return changed === 1;
}

const toColumnValues = ({
  segment,
  registrationIds,
  subject,
  body,
  replyTo,
  state,
  sendAt,
}: MessageValues) => [segment, registrationIds, subject, body, replyTo, state, sendAt];

/**
 * Call this after inserting or changing a message, while the event's row is locked. Then it counts all
 * messages.
 */
export async function requireFewMessages(
  manager: EntityManager,
  eventId: string,
  sendAt: Date,
): Promise<void> {
  const crowded = await manager.sql<unknown[]>`
    SELECT FROM (
      SELECT send_at, lead(send_at, ${LIMITS.messagesPerDay}::integer) OVER (ORDER BY send_at) AS one_too_many
      FROM events.messages
      WHERE event_id = ${eventId} AND state IN ('scheduled', 'sending', 'sent')
        AND send_at > ${sendAt}::timestamptz - interval '1 day' AND send_at < ${sendAt}::timestamptz + interval '1 day'
    ) AS near WHERE one_too_many < send_at + interval '1 day'`;
  if (crowded.length > 0) throw new DomainError('MESSAGE_LIMIT');
}

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

const REACHABLE = '(user_id IS NOT NULL OR guest_email IS NOT NULL)';

export async function fetchAudience(manager: EntityManager, eventId: string): Promise<MessageAudience> {
  const [row] = await manager.query<[MessageAudience]>(
    `SELECT count(*) FILTER (WHERE status = '${REGISTERED}')::integer AS registered,
       count(*) FILTER (WHERE status = '${WAITLISTED}')::integer AS waiting,
       count(*) FILTER (WHERE events.came(place))::integer AS came,
       count(*) FILTER (WHERE events.did_not_come(place, (SELECT events.knows_who_came($1))))::integer AS did_not_come
     FROM events.event_registrations AS place WHERE event_id = $1 AND ${REACHABLE}`,
    [eventId],
  );
  return row;
}

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

export async function fetchRecipients(
  manager: EntityManager,
  messageId: string,
  { limit = LIMITS.pageSizeMax, cursor, state = null }: PageRequest & { state?: RecipientState | null },
): Promise<Page<MessageRecipient>> {
  const after = cursor === undefined ? null : decodeCursor(cursor, BY_NAME, 'text');
  const rows = await manager.query<RecipientRow[]>(
    `SELECT * FROM (
       -- as the guest list shows whom an organiser added, which tells nobody who has an account
       SELECT r.id AS "registrationId", recipient.state, recipient.at,
         CASE WHEN r.user_id IS NULL OR member.id IS NOT NULL THEN coalesce(r.guest_email, member.email) END AS email,
         CASE WHEN r.guest_name IS NOT NULL OR member.id IS NOT NULL
           THEN coalesce(r.guest_name, r.added_as, member.first_name || ' ' || member.last_name) ELSE '' END AS name
       FROM events.message_recipients AS recipient JOIN events.event_registrations AS r ON r.id = recipient.registration_id
       LEFT JOIN auth.member_contact AS member ON member.id = r.user_id
       WHERE recipient.message_id = $1 AND ($2::text IS NULL OR recipient.state = $2)) AS people
     WHERE $3::text IS NULL OR (name, "registrationId") > ($3, $4::uuid)
     ORDER BY name, "registrationId" LIMIT $5`,
    [messageId, state, after?.key ?? null, after?.id ?? null, limit + 1],
  );
  const [{ total }] = await manager.query<[{ total: number }]>(
    `SELECT count(*)::integer AS total FROM events.message_recipients
     WHERE message_id = $1 AND ($2::text IS NULL OR state = $2)`,
    [messageId, state],
  );
  const { items, nextCursor } = cutPage(rows, limit, BY_NAME, ({ name, registrationId }) => ({
    key: name,
    id: registrationId,
  }));
  return {
    items: items.map(({ at, ...recipient }) => ({ ...recipient, at: at?.toISOString() ?? null })),
    total,
    nextCursor,
  };
}

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

export async function fetchContact(
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
