import { DomainError } from '@meetmark/contracts';
import type { EntityManager } from 'typeorm';
import { type UserEntity } from './user.entity.js';
import { fullName, presentUser } from './user.presenter.js';

/** Edits that a refusal names. */
const NAMED = 20;

interface Row {
  editorId: string | null;
  firstName: string | null;
  lastName: string | null;
  at: Date;
  changed: string[];
}

export type ProfileValues = Partial<
  Pick<
    UserEntity,
    'email' | 'firstName' | 'lastName' | 'description' | 'linkedInUrl' | 'profilePictureHash' | 'isAdmin'
  >
>;

/**
 * For a change to `after` that began from `version`; one that names none, or changes nothing (a repeated one), is never stale.
 * A member is not told which administrator it was.
 * @throws DomainError EDIT_CONFLICT that says who changed what since then
 */
export async function refuseStale(
  manager: EntityManager,
  present: UserEntity,
  version: number | null | undefined,
  after: ProfileValues,
  reader: UserEntity,
): Promise<void> {
  const isStale = (version ?? present.profileVersion) !== present.profileVersion;
  if (!isStale || !differs(present, after)) return;
  const rows = await manager.query<Row[]>(
    `SELECT edits.editor_id AS "editorId", edits.edited_at AS at, edits.changed,
       editor.first_name AS "firstName", editor.last_name AS "lastName"
     FROM auth.profile_edits AS edits LEFT JOIN auth.users AS editor ON editor.id = edits.editor_id
     WHERE edits.user_id = $1 AND edits.version > $2 ORDER BY edits.version DESC LIMIT ${NAMED}`,
    [present.id, version],
  );
  throw new DomainError('EDIT_CONFLICT', {
    present: presentUser(present),
    edits: rows.map(({ editorId, firstName, lastName, at, changed }) => {
      const mayKnow = reader.isAdmin || editorId === reader.id;
      return {
        by: mayKnow && firstName !== null && lastName !== null ? fullName({ firstName, lastName }) : null,
        own: editorId === reader.id,
        at: at.toISOString(),
        changed,
      };
    }),
  });
}

const differs = (present: UserEntity, after: ProfileValues) =>
  (Object.keys(after) as (keyof ProfileValues)[]).some(
    (name) => after[name] !== undefined && after[name] !== present[name],
  );
