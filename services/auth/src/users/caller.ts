import { DomainError, type Identity } from '@meetmark/contracts';
import type { Call } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import type { AuthConfig } from '../auth.config.js';
import { lockUser } from './users.repository.js';
import { UserEntity } from './user.entity.js';

/** Who makes the call. */
export function identityOf(call: Call): Identity {
  if (call.identity === null) throw new DomainError('UNAUTHORIZED');
  return call.identity;
}

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

/**
 * The calling administrator as the database has them now. No right changes before the transaction has ended, so what is
 * decided here still holds at the commit.
 * @throws DomainError UNAUTHORIZED, FORBIDDEN, SECOND_FACTOR_SETUP_REQUIRED
 */
export async function requireAdministrator(
  manager: EntityManager,
  call: Call,
  { adminSecondFactor }: Pick<AuthConfig, 'adminSecondFactor'>,
): Promise<UserEntity> {
  const { sub, epoch } = identityOf(call);
  await manager.query('SELECT auth.lock_administrators()');
  const user = await manager.findOneBy(UserEntity, { id: sub });
  if (user === null || user.sessionEpoch !== epoch) throw new DomainError('UNAUTHORIZED');
  if (!user.isAdmin) throw new DomainError('FORBIDDEN');
  if (adminSecondFactor === 'required' && !user.secondFactor)
    throw new DomainError('SECOND_FACTOR_SETUP_REQUIRED');
  return user;
}
