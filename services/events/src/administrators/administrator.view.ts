import { DomainError } from '@meetmark/contracts';
import { ViewColumn, ViewEntity, type EntityManager } from 'typeorm';

/** Published by the auth service: the ids of those who are administrators at this moment. */
@ViewEntity({ schema: 'auth', name: 'administrator', synchronize: false })
export class AdministratorView {
  @ViewColumn()
  id!: string;
}

/**
 * Asks again, inside the transaction of an administrative change: the caller's token may be up to a minute older than a
 * demotion.
 * @throws DomainError FORBIDDEN
 */
export async function requireAdministrator(manager: EntityManager, userId: string): Promise<void> {
  if (!(await manager.existsBy(AdministratorView, { id: userId }))) throw new DomainError('FORBIDDEN');
}
