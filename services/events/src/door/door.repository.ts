import { DOOR_LINK_LIFE, DomainError, type DoorCounts, LIMITS, REGISTERED } from '@meetmark/contracts';
import { lockSubject } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';

export interface LinkRow {
  id: string;
  eventId: string;
  createdById: string | null;
  madeBy: string | null;
  makerManages: boolean;
  createdAt: Date;
  revokedAt: Date | null;
  expiresAt: Date;
  title: string;
  startDate: Date;
  endDate: Date;
  status: string;
  now: Date;
}

const LINK = `link.id, link.event_id AS "eventId", link.created_by_id AS "createdById", link.created_at AS "createdAt",
  maker.first_name || ' ' || maker.last_name AS "madeBy",
  CASE WHEN link.revoked_at IS NULL THEN events.management_refusal(link.created_by_id, link.event_id, true) IS NULL
    ELSE false END AS "makerManages",
  link.revoked_at AS "revokedAt", event.end_date + interval '${DOOR_LINK_LIFE} ms' AS "expiresAt", event.title,
  event.start_date AS "startDate", event.end_date AS "endDate", event.status, now() AS now
  FROM events.door_links AS link JOIN events.events AS event ON event.id = link.event_id
  LEFT JOIN auth.member_card AS maker ON maker.id = link.created_by_id`;

export async function fetchLink(manager: EntityManager, tokenHash: Buffer): Promise<LinkRow | null> {
  const [row] = await manager.query<LinkRow[]>(`SELECT ${LINK} WHERE link.token_hash = $1`, [tokenHash]);
  return row ?? null;
}

export const fetchLinks = (manager: EntityManager, eventId: string): Promise<LinkRow[]> =>
  manager.query(
    `SELECT ${LINK} WHERE link.event_id = $1
     ORDER BY link.revoked_at IS NOT NULL, link.created_at DESC, link.id DESC LIMIT ${LIMITS.listMax}`,
    [eventId],
  );

/** Counts links after locking, so that the count includes links of concurrent requests. */
export async function requireRoomForLink(manager: EntityManager, eventId: string): Promise<void> {
  await lockSubject(manager, `events.door_links ${eventId}`);
  const [{ active }] = await manager.sql<[{ active: number }]>`
    SELECT count(*)::integer AS active FROM events.door_links
    WHERE event_id = ${eventId} AND revoked_at IS NULL
      AND events.management_refusal(created_by_id, event_id, true) IS NULL`;
  if (active >= LIMITS.doorLinks) throw new DomainError('DOOR_LINK_LIMIT');
}

export async function insertLink(
  manager: EntityManager,
  link: { id: string; eventId: string; createdById: string; tokenHash: Buffer },
): Promise<void> {
  await manager.query(
    'INSERT INTO events.door_links (id, event_id, created_by_id, token_hash) VALUES ($1, $2, $3, $4)',
    [link.id, link.eventId, link.createdById, link.tokenHash],
  );
}

export async function revokeLink(manager: EntityManager, eventId: string, id: string): Promise<boolean> {
  const [, revoked] = await manager.query<[unknown[], number]>(
    `UPDATE events.door_links SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1 AND event_id = $2`,
    [id, eventId],
  );
  return revoked === 1;
}

export async function fetchCounts(manager: EntityManager, eventId: string): Promise<DoorCounts> {
  const [row] = await manager.query<[DoorCounts]>(
    `SELECT count(*) FILTER (WHERE status = '${REGISTERED}')::integer AS registered,
       count(checked_in_at)::integer AS "checkedIn"
     FROM events.event_registrations WHERE event_id = $1`,
    [eventId],
  );
  return row;
}

export async function eventsOfOthers(
  manager: EntityManager,
  eventId: string,
  ids: string[],
): Promise<Map<string, string>> {
  const rows = await manager.query<{ id: string; title: string }[]>(
    `SELECT r.id, event.title FROM events.event_registrations AS r JOIN events.events AS event ON event.id = r.event_id
     WHERE r.id = ANY ($1) AND r.event_id <> $2`,
    [ids, eventId],
  );
  return new Map(rows.map(({ id, title }) => [id, title]));
}

export async function countEmails(manager: EntityManager, linkId: string): Promise<number> {
  const [row] = await manager.query<[{ mails: number }]>(
    "SELECT count(*)::integer AS mails FROM events.check_ins WHERE link_id = $1 AND mailed_at > now() - interval '24 hours'",
    [linkId],
  );
  return row.mails;
}

export async function keepRefusals(
  manager: EntityManager,
  { id, eventId }: LinkRow,
  reason: 'revoked' | 'expired',
  items: { key: string; registrationIds: string[]; at: Date; name?: string; email?: string | null }[],
): Promise<void> {
  await manager.query(
    `INSERT INTO events.door_refusals (link_id, key, at, reason, registration_id, guest_name, guest_email)
     SELECT $1, key, at, $3, (SELECT id FROM events.event_registrations
       WHERE id::text = ANY (string_to_array(ids, ' ')) AND event_id = $2 LIMIT 1), name, email
     FROM unnest($4::uuid[], $5::timestamptz[], $6::text[], $7::text[], $8::text[]) AS item (key, at, ids, name, email)
     WHERE (SELECT count(*) FROM events.door_refusals WHERE link_id = $1) < ${LIMITS.listMax}
     ON CONFLICT (link_id, key) DO NOTHING`,
    [
      id,
      eventId,
      reason,
      items.map(({ key }) => key),
      items.map(({ at }) => at),
      items.map(({ registrationIds }) => registrationIds.join(' ')),
      items.map(({ name = null }) => name),
      items.map(({ email = null }) => email),
    ],
  );
}

export interface RefusalRow {
  linkId: string;
  name: string | null;
  walkIn: boolean;
  email: string | null;
  at: Date;
  receivedAt: Date;
  reason: 'revoked' | 'expired';
}

export const fetchRefusals = (manager: EntityManager, eventId: string): Promise<RefusalRow[]> =>
  manager.query(
    `SELECT refusal.link_id AS "linkId", refusal.at, refusal.received_at AS "receivedAt", refusal.reason,
       coalesce(refusal.guest_name, r.guest_name, r.added_as, m.first_name || ' ' || m.last_name) AS name,
       refusal.guest_name IS NOT NULL AS "walkIn", refusal.guest_email AS email
     FROM events.door_refusals AS refusal JOIN events.door_links AS link ON link.id = refusal.link_id
     LEFT JOIN events.event_registrations AS r ON r.id = refusal.registration_id
     LEFT JOIN auth.member_card AS m ON m.id = r.user_id
     WHERE link.event_id = $1 ORDER BY refusal.received_at DESC, refusal.at DESC, refusal.key LIMIT ${LIMITS.listMax}`,
    [eventId],
  );
