import { DomainError, LIMITS, normaliseEmail, WelcomeMail, type SignUpFields } from '@meetmark/contracts';
import type { OutboxWriter } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { UserEntity } from './user.entity.js';

export interface NewUser extends Omit<SignUpFields, 'password'> {
  /** Left out: a new one. */
  id?: string;
  passwordHash: string;
  isAdmin: boolean;
  /** An administrator or operator vouches for the address. */
  verified: boolean;
}

/** What a taken address is called where an account is made. */
export const EMAIL_EXISTS = { users_email_key: 'EMAIL_EXISTS' } as const;

/** Writes a new user in the caller's transaction, and the welcome mail unless the address must be verified first. */
export async function addUser(
  manager: EntityManager,
  outbox: OutboxWriter,
  user: NewUser,
): Promise<UserEntity> {
  const { id = uuid() } = user;
  await manager.insert(UserEntity, {
    id,
    email: normaliseEmail(user.email),
    passwordHash: user.passwordHash,
    firstName: user.firstName,
    lastName: user.lastName,
    linkedInUrl: normalisedUrl(user.linkedInUrl, 'linkedInUrl'),
    isAdmin: user.isAdmin,
    ...(user.verified && { emailVerifiedAt: () => 'now()' }),
  });
  if (user.verified) await outbox.add(manager, WelcomeMail, { userId: id });
  else await manager.query('INSERT INTO auth.unverified_accounts (user_id) VALUES ($1)', [id]);
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
