import type { CommunitySettings, SettingChange } from '@meetmark/contracts';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';

// The statements about the versions of the settings. Each runs with the manager of its caller.

export interface VersionRow {
  version: number;
  settings: CommunitySettings;
  changes: SettingChange[];
  /** Null: it is the first version. */
  changedBy: string | null;
  changedAt: Date;
}

/** Versions that are listed, and of those that a conflict names. */
const LISTED = 20;
/** The advisory lock of changes. */
const CHANGES = 795_390;
const INVALID_PARAMETER_VALUE = '22023';

const VERSIONS = `SELECT version, settings, changes, changed_by AS "changedBy", changed_at AS "changedAt"
  FROM admin.community_settings`;

/** Until the transaction ends, no other one changes the settings. */
export const lockSettings = (manager: EntityManager) => manager.sql`SELECT pg_advisory_xact_lock(${CHANGES})`;

/** Undefined until something is changed for the first time. */
export const newestVersion = async (manager: EntityManager): Promise<VersionRow | undefined> =>
  (await manager.query<VersionRow[]>(`${VERSIONS} ORDER BY version DESC LIMIT 1`))[0];

/** The newest first. */
export const versionsAfter = (manager: EntityManager, version: number): Promise<VersionRow[]> =>
  manager.query(`${VERSIONS} WHERE version > $1 ORDER BY version DESC LIMIT ${LISTED}`, [version]);

/** Keeps, as the first version, what the first change begins from. Does nothing where there is a version. */
export const keepBeginning = (manager: EntityManager, settings: CommunitySettings) =>
  manager.sql`
    INSERT INTO admin.community_settings (version, settings)
    SELECT 1, ${settings} WHERE NOT EXISTS (SELECT FROM admin.community_settings)`;

/** Adds a version, and its entry to the audit log. */
export async function addVersion(
  manager: EntityManager,
  { version, settings, changes, changedBy }: Omit<VersionRow, 'changedAt'>,
): Promise<void> {
  await manager.sql`
    INSERT INTO admin.community_settings (version, settings, changes, changed_by)
    VALUES (${version}, ${settings}, ${JSON.stringify(changes)}, ${changedBy})`;
  await manager.sql`
    INSERT INTO admin.audit_log (id, action, actor_id, changed, at)
    VALUES (${uuid()}, 'settings.changed', ${changedBy}, ${changes.map(({ name }) => name)}, now())`;
}

/** Not in a transaction: a zone that PostgreSQL does not know would end it. */
export async function isKnownZone(manager: EntityManager, timeZone: string): Promise<boolean> {
  try {
    await manager.query('SELECT now() AT TIME ZONE $1', [timeZone]);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== INVALID_PARAMETER_VALUE) throw error;
    return false;
  }
}
