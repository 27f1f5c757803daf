import {
  DomainError,
  type EventStatus,
  type Identity,
  type Import,
  type ImportedEvent,
  type ImportFileFields,
  type ImportOutcome,
  type ImportProblem,
  type ImportRow,
  type ImportRowFields,
  type ImportRowFilter,
  type ImportState,
  type ImportVerdict,
  LIMITS,
  type Page,
} from '@meetmark/contracts';
import { IMPORTS } from '@meetmark/contracts/import-limits';
import { cutPage, decodeCursor, lockSubject } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';

/** Imports and undone rows per request, so that it stays within the deadline. */
export const ROWS_PER_STEP = 40;
const LISTED = 10;

export type Judgement =
  | { verdict: Exclude<ImportVerdict, 'problem'>; problems: [] }
  | { verdict: 'problem'; problems: ImportProblem[] };

/**
 * Lets one request at a time change imports. So a batch sees everything that other imports have done, and an
 * import takes little of the database's time.
 */
export const lockImports = (manager: EntityManager) => lockSubject(manager, 'events.imports');

interface StoredImport extends Omit<Import, 'createdAt'> {
  createdAt: Date;
}

async function fetchImports(manager: EntityManager, ownerId: string, id: string | null): Promise<Import[]> {
  const rows = await manager.sql<StoredImport[]>`
    SELECT import.id, file_name AS "fileName", state, created_at AS "createdAt", counted.*
    FROM (SELECT * FROM events.imports
      WHERE created_by_id = ${ownerId} AND (${id}::uuid IS NULL OR id = ${id}::uuid)
      ORDER BY created_at DESC, id DESC LIMIT ${LISTED}) AS import
    CROSS JOIN LATERAL (SELECT count(*)::integer AS rows,
        json_build_object('new', count(*) FILTER (WHERE verdict = 'new'),
          'changed', count(*) FILTER (WHERE verdict = 'changed'),
          'unchanged', count(*) FILTER (WHERE verdict = 'unchanged'),
          'problem', count(*) FILTER (WHERE verdict = 'problem')) AS verdicts,
        json_build_object('created', count(*) FILTER (WHERE outcome = 'created'),
          'updated', count(*) FILTER (WHERE outcome = 'updated'),
          'undone', count(*) FILTER (WHERE outcome = 'undone'),
          'kept', count(*) FILTER (WHERE outcome = 'kept')) AS outcomes
      FROM events.import_rows WHERE import_id = import.id) AS counted
    ORDER BY created_at DESC, id DESC`;
  return rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() }));
}

export const listImports = (manager: EntityManager, ownerId: string) => fetchImports(manager, ownerId, null);

/** @throws DomainError IMPORT_NOT_FOUND */
export async function findImport(manager: EntityManager, ownerId: string, id: string): Promise<Import> {
  const [found] = await fetchImports(manager, ownerId, id);
  if (found === undefined) throw new DomainError('IMPORT_NOT_FOUND');
  return found;
}

export async function insertImport(
  manager: EntityManager,
  ownerId: string,
  id: string,
  { fileName }: ImportFileFields,
): Promise<void> {
  await manager.sql`DELETE FROM events.imports WHERE created_by_id = ${ownerId} AND state = 'preview'`;
  await manager.sql`INSERT INTO events.imports (id, created_by_id, file_name) VALUES (${id}, ${ownerId}, ${fileName})`;
}

export async function setState(manager: EntityManager, id: string, state: ImportState): Promise<void> {
  await manager.sql`UPDATE events.imports SET state = ${state} WHERE id = ${id}`;
}

export interface KnownEvent {
  key: string;
  eventId: string;
  fields: ImportedEvent;
  status: EventStatus;
  mayManage: boolean;
  /** Whether nobody has edited the event or registered for it since its last import. */
  isUntouched: boolean;
}

const UNTOUCHED = `imported.version = event.version
  AND NOT EXISTS (SELECT FROM events.event_registrations AS place WHERE place.event_id = event.id)`;

export async function knownEvents(
  manager: EntityManager,
  { sub, isAdmin }: Identity,
  keys: string[],
): Promise<Map<string, KnownEvent>> {
  const rows = await manager.query<KnownEvent[]>(
    `SELECT imported.source_key AS key, event.id AS "eventId", imported.fields, event.status,
       events.management_refusal($2, event.id, $3) IS NULL AS "mayManage", ${UNTOUCHED} AS "isUntouched"
     FROM events.imported_events AS imported JOIN events.events AS event ON event.id = imported.event_id
     WHERE imported.source_key = ANY ($1)`,
    [keys, sub, isAdmin],
  );
  return new Map(rows.map((row) => [row.key, row]));
}

/** Of these rows, returns those whose numbers are new, and the keys that earlier rows have. */
export async function unseenRows(
  manager: EntityManager,
  importId: string,
  rows: ImportRowFields[],
): Promise<{ unseen: ImportRowFields[]; keys: Set<string> }> {
  const stored = await manager.query<{ number: number; key: string }[]>(
    `SELECT number, source_key AS key FROM events.import_rows
     WHERE import_id = $1 AND (number = ANY ($2) OR source_key = ANY ($3))`,
    [importId, rows.map(({ number }) => number), rows.map(({ key }) => key)],
  );
  const numbers = new Set(stored.map(({ number }) => number));
  return {
    unseen: rows.filter(({ number }) => !numbers.has(number) && numbers.add(number)),
    keys: new Set(stored.map(({ key }) => key)),
  };
}

export type NewRow = Pick<ImportRowFields, 'number' | 'key' | 'assumedEnd' | 'repeats'> &
  Judgement & { fields: object };

export async function insertRows(manager: EntityManager, importId: string, rows: NewRow[]): Promise<void> {
  await manager.query(
    `INSERT INTO events.import_rows
       (import_id, number, source_key, verdict, fields, problems, assumed_end, repeats)
     SELECT $1, number, key, verdict, fields, problems, coalesce("assumedEnd", false), coalesce(repeats, false)
     FROM jsonb_to_recordset($2::jsonb) AS row (number integer, key text, verdict text, fields jsonb, problems jsonb,
       "assumedEnd" boolean, repeats boolean)`,
    [importId, JSON.stringify(rows)],
  );
}

interface StoredRow extends Omit<ImportRow, 'title' | 'startDate' | 'isAllDay' | 'timeZone'> {
  fields: Partial<Pick<ImportRow, 'title' | 'startDate' | 'isAllDay' | 'timeZone'>>;
}

const ORDER = 'number';

/** @throws DomainError MALFORMED_CURSOR */
export async function pageOfRows(
  manager: EntityManager,
  importId: string,
  { verdict, outcome, limit: size = LIMITS.listMax, cursor }: ImportRowFilter,
): Promise<Page<ImportRow>> {
  const after = cursor === undefined ? 0 : Number(decodeCursor(cursor, ORDER, 'text').key);
  if (!Number.isSafeInteger(after) || after > IMPORTS.rows) throw new DomainError('MALFORMED_CURSOR');
  const matching = `FROM events.import_rows WHERE import_id = $1
    AND ($2::text IS NULL OR verdict = $2) AND ($3::text IS NULL OR outcome = $3)`;
  const rows = await manager.query<StoredRow[]>(
    `SELECT number, fields, verdict, problems, assumed_end AS "assumedEnd", repeats, outcome, event_id AS "eventId"
     ${matching} AND number > $4 ORDER BY number LIMIT $5`,
    [importId, verdict, outcome, after, size + 1],
  );
  const [{ total }] = await manager.query<[{ total: number }]>(
    `SELECT count(*)::integer AS total ${matching}`,
    [importId, verdict, outcome],
  );
  const { items, nextCursor } = cutPage(rows, size, ORDER, ({ number }) => ({
    key: String(number),
    id: importId,
  }));
  return { items: items.map(presentRow), total, nextCursor };
}

const presentRow = ({ number, fields, ...row }: StoredRow): ImportRow => ({
  number,
  title: fields.title ?? null,
  startDate: fields.startDate ?? null,
  isAllDay: fields.isAllDay ?? false,
  timeZone: fields.timeZone ?? null,
  ...row,
});

export interface PendingRow {
  number: number;
  key: string;
  fields: ImportedEvent;
}

export const pendingRows = (manager: EntityManager, importId: string) =>
  manager.sql<PendingRow[]>`
    SELECT number, source_key AS key, fields FROM events.import_rows
    WHERE import_id = ${importId} AND verdict IN ('new', 'changed') AND outcome IS NULL
    ORDER BY number LIMIT ${ROWS_PER_STEP}`;

export interface DoneRow {
  number: number;
  key: string;
  eventId: string | null;
  previous: ImportedEvent | null;
  isUntouched: boolean | null;
}

export const doneRows = (manager: EntityManager, importId: string) =>
  manager.query<DoneRow[]>(
    `SELECT number, row.source_key AS key, row.event_id AS "eventId", previous, ${UNTOUCHED} AS "isUntouched"
     FROM events.import_rows AS row
     LEFT JOIN events.imported_events AS imported ON imported.event_id = row.event_id
     LEFT JOIN events.events AS event ON event.id = row.event_id
     WHERE row.import_id = $1 AND outcome IN ('created', 'updated') ORDER BY number LIMIT ${ROWS_PER_STEP}`,
    [importId],
  );

/** Locks events in id order, to prevent deadlocks. */
export async function lockEvents(
  manager: EntityManager,
  ids: string[],
  strength: 'FOR NO KEY UPDATE' | 'FOR UPDATE',
): Promise<void> {
  if (ids.length === 0) return;
  await manager.query(`SELECT FROM events.events WHERE id = ANY ($1) ORDER BY id ${strength}`, [ids]);
}

export async function rejudge(
  manager: EntityManager,
  importId: string,
  number: number,
  { verdict, problems }: Judgement,
): Promise<void> {
  await manager.query(
    'UPDATE events.import_rows SET verdict = $3, problems = $4 WHERE import_id = $1 AND number = $2',
    [importId, number, verdict, JSON.stringify(problems)],
  );
}

export interface CreatedRow extends Omit<PendingRow, 'key'> {
  eventId: string;
  status: 'draft' | 'published';
}

export async function noteCreated(
  manager: EntityManager,
  importId: string,
  rows: Pick<CreatedRow, 'number' | 'eventId'>[],
): Promise<void> {
  await manager.query(
    `WITH created AS (
       SELECT number, event_id FROM unnest($2::integer[], $3::uuid[]) AS given (number, event_id)
     ), imported AS (
       INSERT INTO events.imported_events (source_key, event_id, fields, version)
       SELECT source_key, event.id, fields, event.version FROM events.import_rows AS row
       JOIN created USING (number) JOIN events.events AS event ON event.id = created.event_id WHERE import_id = $1
     )
     UPDATE events.import_rows AS row SET outcome = 'created', verdict = 'new', event_id = created.event_id
     FROM created WHERE import_id = $1 AND row.number = created.number`,
    [importId, rows.map(({ number }) => number), rows.map(({ eventId }) => eventId)],
  );
}

export async function noteOutcome(
  manager: EntityManager,
  importId: string,
  number: number,
  {
    outcome,
    eventId = null,
    previous = null,
  }: { outcome: ImportOutcome; eventId?: string | null; previous?: ImportedEvent | null },
): Promise<void> {
  await manager.query(
    `UPDATE events.import_rows SET outcome = $3, event_id = coalesce($4, event_id), previous = coalesce($5, previous),
       verdict = CASE $3 WHEN 'updated' THEN 'changed' ELSE verdict END
     WHERE import_id = $1 AND number = $2`,
    [importId, number, outcome, eventId, previous === null ? null : JSON.stringify(previous)],
  );
}

export async function keepImported(
  manager: EntityManager,
  key: string,
  eventId: string,
  fields: ImportedEvent,
): Promise<void> {
  await manager.query(
    `INSERT INTO events.imported_events (source_key, event_id, fields, version)
     SELECT $1, id, $3, version FROM events.events WHERE id = $2
     ON CONFLICT (source_key) DO UPDATE SET fields = excluded.fields, version = excluded.version`,
    [key, eventId, JSON.stringify(fields)],
  );
}
