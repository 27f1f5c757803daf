import { migrations as admin } from '@meetmark/admin/migrations/index';
import { migrations as auth } from '@meetmark/auth/migrations/index';
import { migrations as events } from '@meetmark/events/migrations/index';
import { migrations as gateway } from '@meetmark/gateway/migrations/index';
import { BASELINE } from '@meetmark/platform/database/database-code';
import { migrate, type MigrationOwner } from '@meetmark/platform/database/migrate';
import { LEDGER_OF_1_0_0 } from './ledger-of-1.0.0.js';

/** In the order in which they are migrated: a schema that others refer to comes first. */
export const OWNERS = [auth, events, admin, gateway].map((owner) => ({
  ...owner,
  baseline: {
    version: '1.0.0',
    name: 'Baseline1795466548000',
    file: `${owner.code.folder}/${BASELINE}`,
    replaces: LEDGER_OF_1_0_0[owner.schema]!,
  },
})) satisfies MigrationOwner[];

/** Every schema that holds data of ours. */
export const SCHEMAS = OWNERS.map(({ schema }) => schema);

/** Every process that has a database role of its own; the worker owns no schema. */
export const DATABASE_PROCESSES = ['gateway', 'auth', 'events', 'admin', 'worker'] as const;
export type DatabaseProcess = (typeof DATABASE_PROCESSES)[number];

export const roleOf = (process: DatabaseProcess): string => `meetmark_${process}`;

/** Brings the database at `url` (its owner's connection string) up to date; returns the names of what was run. */
export async function migrateAll(url: string, passwords: Record<DatabaseProcess, string>): Promise<string[]> {
  const byRole = Object.fromEntries(
    DATABASE_PROCESSES.map((process) => [roleOf(process), passwords[process]]),
  );
  return migrate({ url, passwords: byRole, owners: OWNERS });
}
