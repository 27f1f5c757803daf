import { PENDING_EMAIL_LIFETIME, pictureUrl, type SessionUser, type User } from '@meetmark/contracts';
import type { UserEntity } from './user.entity.js';

/** What may be shown of a user (D20): field by field, so that a new column never leaves by accident. */
export const presentUser = (row: UserEntity): User => ({
  id: row.id,
  email: row.email,
  firstName: row.firstName,
  lastName: row.lastName,
  profileImageUrl: row.profilePictureHash === null ? null : pictureUrl('avatars', row.profilePictureHash),
  description: row.description,
  linkedInUrl: row.linkedInUrl,
  isAdmin: row.isAdmin,
  hasSecondFactor: row.secondFactor,
  emailVerifiedAt: row.emailVerifiedAt?.toISOString() ?? null,
  pendingEmail: isPending(row) ? row.pendingEmail : null,
  hasPassword: row.passwordHash !== null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  version: row.profileVersion,
});

const isPending = ({ pendingEmailAt }: UserEntity) =>
  pendingEmailAt !== null && pendingEmailAt.getTime() > Date.now() - PENDING_EMAIL_LIFETIME;

export const presentSessionUser = (row: UserEntity): SessionUser => ({
  user: presentUser(row),
  epoch: row.sessionEpoch,
  version: row.version,
});

export const fullName = (row: Pick<UserEntity, 'firstName' | 'lastName'>) =>
  `${row.firstName} ${row.lastName}`;
