import type { CommunitySettings, SettingChange } from '@meetmark/contracts';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';

export interface VersionRow {
  version: number;
  settings: CommunitySettings;
  changes: SettingChange[];
  /** Null for version 1, which contains the settings from the file. */
  changedBy: string | null;
  changedAt: Date;
}

const LISTED = 20;
const CHANGES = 795_390;
const INVALID_PARAMETER_VALUE = '22023';

const VERSIONS = `SELECT version, settings, changes, changed_by AS "changedBy", changed_at AS "changedAt"
  FROM admin.community_settings`;

export const lockSettings = (manager: EntityManager) => manager.sql`SELECT pg_advisory_xact_lock(${CHANGES})`;

export const newestVersion = async (manager: EntityManager): Promise<VersionRow | undefined> =>
  (await manager.query<VersionRow[]>(`${VERSIONS} ORDER BY version DESC LIMIT 1`))[0];

export const versionsAfter = (manager: EntityManager, version: number): Promise<VersionRow[]> =>
  manager.query(`${VERSIONS} WHERE version > $1 ORDER BY version DESC LIMIT ${LISTED}`, [version]);

/** On the first change, stores the previous settings as version 1. */
export const keepBeginning = (manager: EntityManager, settings: CommunitySettings) =>
  manager.sql`
    INSERT INTO admin.community_settings (version, settings)
    SELECT 1, ${settings} WHERE NOT EXISTS (SELECT FROM admin.community_settings)`;

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

/** Call this outside a transaction, because an unknown time zone would abort the transaction. */
export async function isKnownZone(manager: EntityManager, timeZone: string): Promise<boolean> {
  try {
    await manager.query('SELECT now() AT TIME ZONE $1', [timeZone]);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== INVALID_PARAMETER_VALUE) throw error;
    return false;
  }
}
