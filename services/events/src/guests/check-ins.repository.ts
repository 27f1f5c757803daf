import type { RegistrationStatus } from '@meetmark/contracts';
import type { EntityManager } from 'typeorm';

/** Selects no personal data except the name, which is empty for a former member. */
const NAMED = `r.id, r.event_id AS "eventId", r.status AS state, r.checked_in_at AS "checkedInAt",
  coalesce(r.guest_name, r.added_as, m.first_name || ' ' || m.last_name, '') AS name
  FROM events.event_registrations AS r LEFT JOIN auth.member_card AS m ON m.id = r.user_id`;

export interface NamedGuest {
  id: string;
  eventId: string;
  name: string;
  state: RegistrationStatus;
  checkedInAt: Date | null;
}

/** Leaves out former members. */
export const namedGuests = (manager: EntityManager, eventId: string): Promise<NamedGuest[]> =>
  manager.query(
    `SELECT ${NAMED} WHERE r.event_id = $1 AND (r.guest_name IS NOT NULL OR m.id IS NOT NULL) ORDER BY name, r.id`,
    [eventId],
  );

/** Keeps other transactions from checking in or removing the guests. Locks in id order against deadlocks. */
export const lockGuests = (manager: EntityManager, eventId: string, ids: string[]): Promise<NamedGuest[]> =>
  manager.query(
    `SELECT ${NAMED} WHERE r.id = ANY ($1) AND r.event_id = $2 ORDER BY r.id FOR NO KEY UPDATE OF r`,
    [ids, eventId],
  );

export interface CheckInRow {
  key: string;
  registrationId: string;
  at: Date;
  undone: boolean;
  letIn: boolean;
  /** Time on the phone's clock, or null if no phone sent the check-in. */
  phoneAt: Date | null;
}

type Source = { eventId: string } & ({ linkId: string; mails?: boolean } | { by: 'self' | 'organiser' });

export const fetchCheckIns = (
  manager: EntityManager,
  eventId: string,
  { keys, registrationIds }: { keys: string[]; registrationIds: string[] },
): Promise<CheckInRow[]> =>
  manager.query(
    `SELECT key, registration_id AS "registrationId", at, undone_at IS NOT NULL AS undone, coalesce(let_in, true) AS "letIn",
       phone_at AS "phoneAt"
     FROM events.check_ins
     WHERE event_id = $1 AND (key = ANY ($2) OR registration_id = ANY ($3)
       OR registration_id IN (SELECT registration_id FROM events.check_ins WHERE event_id = $1 AND key = ANY ($2)))`,
    [eventId, keys, registrationIds],
  );

export async function insertCheckIns(
  manager: EntityManager,
  source: Source,
  made: CheckInRow[],
): Promise<void> {
  await manager.query(
    `INSERT INTO events.check_ins (event_id, link_id, by_organiser, mailed_at, key, registration_id, at, undone_at, let_in, phone_at)
     SELECT $1, $2, $3, CASE WHEN $4 THEN now() END, key, registration_id, at, CASE WHEN undone THEN now() END, let_in, phone_at
     FROM unnest($5::uuid[], $6::uuid[], $7::timestamptz[], $8::boolean[], $9::boolean[], $10::timestamptz[])
       AS made (key, registration_id, at, undone, let_in, phone_at)
     ON CONFLICT (event_id, key) DO NOTHING`,
    [
      source.eventId,
      'linkId' in source ? source.linkId : null,
      'by' in source && source.by === 'organiser',
      'linkId' in source && source.mails === true,
      made.map(({ key }) => key),
      made.map(({ registrationId }) => registrationId),
      made.map(({ at }) => at),
      made.map(({ undone }) => undone),
      made.map(({ letIn }) => letIn),
      made.map(({ phoneAt }) => phoneAt),
    ],
  );
}

export async function undoCheckIns(manager: EntityManager, eventId: string, keys: string[]): Promise<void> {
  await manager.query(
    'UPDATE events.check_ins SET undone_at = now() WHERE event_id = $1 AND key = ANY ($2) AND undone_at IS NULL',
    [eventId, keys],
  );
}
