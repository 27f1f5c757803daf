import { DomainError, type ErrorCode, type Identity, type ServiceName } from '@meetmark/contracts';
import type { DataSource, EntityManager } from 'typeorm';

/** By the schema that a process owns, which for a service is its name. */
const databases = new Map<string, DataSource>();

/** From now on the right of an administrator who sends this service a message is looked up there. */
export function readRightsFrom(schema: string, database: DataSource): void {
  databases.set(schema, database);
}

/**
 * A token tells what was so up to a minute ago, and a cache of the gateway what was so before a failover of Redis: the database tells what
 * is so. What changes something asks once more in its own transaction.
 * @throws DomainError FORBIDDEN
 */
export async function confirmAdministrator(service: ServiceName, userId: string): Promise<void> {
  const found: unknown[] | undefined = await databases
    .get(service)
    ?.query('SELECT FROM auth.administrator WHERE id = $1', [userId]);
  if (found?.length === 0) throw new DomainError('FORBIDDEN');
}

/** On whose behalf an administrator's command runs, as the token says. */
export type CallingAdministrator = Pick<Identity, 'sub' | 'epoch'>;

/**
 * Asks again inside the transaction of an administrator's command. The caller's account stays locked, so that what is decided here still
 * holds at the commit.
 * @throws DomainError UNAUTHORIZED when the account is gone or its sessions were ended since the token was signed, FORBIDDEN
 */
export async function requireAdministrator(
  manager: EntityManager,
  { sub, epoch }: CallingAdministrator,
): Promise<void> {
  const [row] = await manager.query<{ refusal: ErrorCode | null }[]>(
    'SELECT auth.administrator_refusal($1, $2) AS refusal',
    [sub, epoch],
  );
  if (row!.refusal !== null) throw new DomainError(row!.refusal);
}
