import { DomainError, LIMITS, normaliseEmail, WelcomeMail, type SignUpRequest } from '@meetmark/contracts';
import type { OutboxWriter } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { UserEntity } from './user.entity.js';

export interface NewUser extends Omit<SignUpRequest, 'password'> {
  passwordHash: string;
  isAdmin: boolean;
}

/** What a taken address is called where an account is made. */
export const EMAIL_EXISTS = { users_email_key: 'EMAIL_EXISTS' } as const;

/** Writes a new user and the welcome mail in the caller's transaction. */
export async function addUser(
  manager: EntityManager,
  outbox: OutboxWriter,
  user: NewUser,
): Promise<UserEntity> {
  const id = uuid();
  await manager.insert(UserEntity, {
    id,
    email: normaliseEmail(user.email),
    passwordHash: user.passwordHash,
    firstName: user.firstName,
    lastName: user.lastName,
    linkedInUrl: normalisedUrl(user.linkedInUrl, 'linkedInUrl'),
    isAdmin: user.isAdmin,
  });
  await outbox.add(manager, WelcomeMail, { userId: id });
  return manager.findOneByOrFail(UserEntity, { id });
}

/**
 * The address as browsers understand it, which is what they will follow: 'HTTPS:example.com' is 'https://example.com/'.
 * @throws DomainError VALIDATION_FAILED when that is longer than what was typed may be
 */
export function normalisedUrl(url: string | null, field: string): string | null {
  if (url === null) return null;
  const { href } = new URL(url);
  if (href.length > LIMITS.linkedInUrl)
    throw new DomainError('VALIDATION_FAILED', { fields: { [field]: [`${field} is too long`] } });
  return href;
}
