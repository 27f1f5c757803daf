import { DomainError, type ServiceName } from '@meetmark/contracts';
import type { DataSource } from 'typeorm';

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
