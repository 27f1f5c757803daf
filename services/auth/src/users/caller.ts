import { DomainError } from '@meetmark/contracts';
import { type Call, identityOf, requireAdministrator } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import type { AuthConfig } from '../auth.config.js';
import { lockAdministrators, lockUser } from './users.repository.js';
import { UserEntity } from './user.entity.js';

/**
 * The caller's own row, locked.
 * @throws DomainError UNAUTHORIZED when the account is gone or its sessions were ended since the token was signed
 */
export async function lockCaller(manager: EntityManager, call: Call): Promise<UserEntity> {
  const { sub, epoch } = identityOf(call);
  const user = await lockUser(manager, sub);
  if (user === null || user.sessionEpoch !== epoch) throw new DomainError('UNAUTHORIZED');
  return user;
}

/** Ids come in any letter case. @throws DomainError OWN_ACCOUNT */
export function refuseOwnAccount(userId: string, call: Call): void {
  if (identityOf(call).sub.toLowerCase() === userId.toLowerCase()) throw new DomainError('OWN_ACCOUNT');
}

/**
 * The calling administrator as the database has them now. Commands on accounts run one after the other: two administrators who change
 * each other would otherwise each wait for the other's row.
 * @throws DomainError UNAUTHORIZED, FORBIDDEN, SECOND_FACTOR_SETUP_REQUIRED
 */
export async function actingAdministrator(
  manager: EntityManager,
  call: Call,
  { adminSecondFactor }: Pick<AuthConfig, 'adminSecondFactor'>,
): Promise<UserEntity> {
  const identity = identityOf(call);
  await lockAdministrators(manager);
  await requireAdministrator(manager, identity);
  const user = await manager.findOneByOrFail(UserEntity, { id: identity.sub });
  if (adminSecondFactor === 'required' && !user.secondFactor)
    throw new DomainError('SECOND_FACTOR_SETUP_REQUIRED');
  return user;
}
