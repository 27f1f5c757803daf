import { randomUUID } from 'node:crypto';
import type { CommunitySettings } from '@meetmark/contracts';
import type { Queryable } from './users.js';

export async function insertSettings(owner: Queryable, settings: Partial<CommunitySettings>): Promise<void> {
  await owner.query(
    `INSERT INTO admin.community_settings (version, settings)
     SELECT 1, '{}' WHERE NOT EXISTS (SELECT FROM admin.community_settings)`,
  );
  await owner.query(
    `INSERT INTO admin.community_settings (version, settings, changed_by)
     SELECT max(version) + 1, $1, $2 FROM admin.community_settings`,
    [settings, randomUUID()],
  );
}
