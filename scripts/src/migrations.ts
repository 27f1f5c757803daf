import { migrations as admin } from '@meetmark/admin/migrations/index';
import { migrations as auth } from '@meetmark/auth/migrations/index';
import { migrations as events } from '@meetmark/events/migrations/index';
import { migrations as gateway } from '@meetmark/gateway/migrations/index';
import { migrate, type MigrationOwner } from '@meetmark/platform/database/migrate';

/** In the order of migration. Each schema comes after the schemas that it references. */
export const OWNERS: MigrationOwner[] = [auth, events, admin, gateway];

export const SCHEMAS = OWNERS.map(({ schema }) => schema);

/** Processes with a database role. All except the worker also have a schema. */
export const DATABASE_PROCESSES = ['gateway', 'auth', 'events', 'admin', 'worker'] as const;
export type DatabaseProcess = (typeof DATABASE_PROCESSES)[number];

export const getDatabaseRole = (process: DatabaseProcess): string => `meetmark_${process}`;

export async function migrateAll(url: string, passwords: Record<DatabaseProcess, string>): Promise<string[]> {
  const byRole = Object.fromEntries(
    DATABASE_PROCESSES.map((process) => [getDatabaseRole(process), passwords[process]]),
  );
  return migrate({ url, passwords: byRole, owners: OWNERS });
}
