import { migrations as admin } from '@meetmark/admin/migrations/index';
import { migrations as auth } from '@meetmark/auth/migrations/index';
import { migrations as events } from '@meetmark/events/migrations/index';
import { migrations as gateway } from '@meetmark/gateway/migrations/index';
import { migrate, type MigrationOwner } from '@meetmark/platform/database/migrate';

/** In migration order: referenced schemas come first. */
export const OWNERS: MigrationOwner[] = [auth, events, admin, gateway];

export const SCHEMAS = OWNERS.map(({ schema }) => schema);

/** Processes with a database role; the worker owns no schema. */
export const DATABASE_PROCESSES = ['gateway', 'auth', 'events', 'admin', 'worker'] as const;
export type DatabaseProcess = (typeof DATABASE_PROCESSES)[number];

export const getDatabaseRole = (process: DatabaseProcess): string => `meetmark_${process}`;

export async function migrateAll(url: string, passwords: Record<DatabaseProcess, string>): Promise<string[]> {
  const byRole = Object.fromEntries(
    DATABASE_PROCESSES.map((process) => [getDatabaseRole(process), passwords[process]]),
  );
  return migrate({ url, passwords: byRole, owners: OWNERS });
}
