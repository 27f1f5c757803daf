import type { Edit } from '@meetmark/contracts';
import type { EntityManager } from 'typeorm';

/** Edits that a refusal names. */
const NAMED = 20;

interface Row {
  editorId: string | null;
  name: string | null;
  at: Date;
  changed: string[];
}

/** Who changed what of an event since it had a version, the latest first. */
export async function editsSince(
  manager: EntityManager,
  eventId: string,
  version: number,
  readerId: string,
): Promise<Edit[]> {
  const rows = await manager.query<Row[]>(
    `SELECT edits.editor_id AS "editorId", edits.edited_at AS at, edits.changed,
       editor.first_name || ' ' || editor.last_name AS name
     FROM events.event_edits AS edits LEFT JOIN auth.member_card AS editor ON editor.id = edits.editor_id
     WHERE edits.event_id = $1 AND edits.version > $2 ORDER BY edits.version DESC LIMIT ${NAMED}`,
    [eventId, version],
  );
  return rows.map(({ editorId, name, at, changed }) => ({
    by: name,
    own: editorId === readerId,
    at: at.toISOString(),
    changed,
  }));
}
