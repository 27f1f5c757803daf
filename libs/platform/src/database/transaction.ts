import type { ErrorCode } from '@meetmark/contracts';
import type { DataSource, EntityManager } from 'typeorm';
import { mapDatabaseError } from './database-errors.js';

/**
 * One READ COMMITTED transaction: everything through the given manager, committed when `work` resolves. A violated
 * constraint becomes the refusal that `constraints` names for it: `{ users_email_key: 'EMAIL_EXISTS' }`.
 * @throws DomainError
 */
export async function inTransaction<T>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<T>,
  constraints: Record<string, ErrorCode> = {},
): Promise<T> {
  try {
    return await dataSource.transaction(work);
  } catch (error) {
    throw mapDatabaseError(error, constraints);
  }
}

/** Sets the user on whose behalf the transaction changes rows, for the triggers that record who changed what. */
export async function editAs(manager: EntityManager, userId: string): Promise<void> {
  await manager.query("SELECT set_config('meetmark.editor', $1, true)", [userId]);
}
