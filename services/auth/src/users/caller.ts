import { DomainError } from '@meetmark/contracts';
import { type Call, requireIdentity, requireAdministrator } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import { lockAdministrators, lockUser } from './users.repository.js';
import { UserEntity } from './user.entity.js';

export async function lockCaller(manager: EntityManager, call: Call): Promise<UserEntity> {
  const { sub, epoch } = requireIdentity(call);
  const user = await lockUser(manager, sub);
  if (user === null || user.sessionEpoch !== epoch) throw new DomainError('UNAUTHORIZED');
  return user;
}

export function refuseOwnAccount(userId: string, call: Call): void {
  if (requireIdentity(call).sub.toLowerCase() === userId.toLowerCase()) throw new DomainError('OWN_ACCOUNT');
}

/**
 * Lets only one administrator at a time change accounts, to prevent deadlocks.
 * @throws DomainError UNAUTHORIZED, FORBIDDEN, SECOND_FACTOR_SETUP_REQUIRED
 */
export async function actingAdministrator(manager: EntityManager, call: Call): Promise<UserEntity> {
  const identity = requireIdentity(call);
  await lockAdministrators(manager);
  await requireAdministrator(manager, identity);
  const user = await manager.findOneByOrFail(UserEntity, { id: identity.sub });
  if (identity.adminSecondFactorRequired && !user.secondFactor)
    throw new DomainError('SECOND_FACTOR_SETUP_REQUIRED');
  return user;
}
