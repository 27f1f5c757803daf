import { Column, Entity, PrimaryColumn } from 'typeorm';
import {
  ACCOUNT_CLOSED_FOR,
  type AuditValues,
  type LegalVersions,
  maskedEmail,
  PENDING_EMAIL_LIFETIME,
  pictureUrl,
  type Role,
  type SessionUser,
  type ShowMe,
  type User,
} from '@meetmark/contracts';
import { isLocale, type ProductLocale } from '@meetmark/i18n/locales';

/** PostgreSQL returns bigint as text; versions stay far below 2^53. */
const bigint = { to: (value: number) => value, from: (value: string) => Number(value) };

@Entity({ schema: 'auth', name: 'users' })
export class UserEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  email!: string;

  /** Null for an account that signs in with emailed codes only. */
  @Column('text', { nullable: true })
  passwordHash!: string | null;

  @Column('text')
  firstName!: string;

  @Column('text')
  lastName!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('text', { nullable: true })
  linkedInUrl!: string | null;

  @Column('text', { nullable: true })
  profilePictureHash!: string | null;

  @Column('boolean')
  isAdmin!: boolean;

  @Column('boolean')
  isOrganiser!: boolean;

  @Column('boolean')
  eventUpdates!: boolean;

  @Column('boolean')
  reminders!: boolean;

  @Column('boolean')
  messages!: boolean;

  @Column('boolean')
  announcements!: boolean;

  @Column('boolean')
  digest!: boolean;

  @Column('text')
  showMe!: ShowMe;

  @Column('text', { nullable: true })
  locale!: ProductLocale | null;

  @Column('timestamptz', { nullable: true })
  emailVerifiedAt!: Date | null;

  @Column('text', { nullable: true })
  pendingEmail!: string | null;

  @Column('timestamptz', { nullable: true })
  pendingEmailAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  feedsEndedAt!: Date | null;

  /** When the member deleted the account, which can still be restored. */
  @Column('timestamptz', { nullable: true })
  closedAt!: Date | null;
  @Column('jsonb')
  acceptedPages!: LegalVersions;

  /** Sessions with a lower epoch are invalid. */
  @Column('integer')
  sessionEpoch!: number;

  @Column({ type: 'boolean', insert: false, update: false })
  secondFactor!: boolean;

  @Column({ type: 'bigint', transformer: bigint, insert: false, update: false })
  version!: number;

  @Column({ type: 'integer', insert: false, update: false })
  profileVersion!: number;

  @Column({ type: 'timestamptz', insert: false, update: false })
  createdAt!: Date;

  @Column({ type: 'timestamptz', insert: false, update: false })
  updatedAt!: Date;
}

/** Lists each field, so that a new column is never exposed by accident. */
export const presentUser = (row: UserEntity): User => ({
  id: row.id,
  email: row.email,
  firstName: row.firstName,
  lastName: row.lastName,
  profileImageUrl: row.profilePictureHash === null ? null : pictureUrl('avatars', row.profilePictureHash),
  description: row.description,
  linkedInUrl: row.linkedInUrl,
  role: getRole(row),
  isAdmin: row.isAdmin,
  hasSecondFactor: row.secondFactor,
  emailVerifiedAt: row.emailVerifiedAt?.toISOString() ?? null,
  pendingEmail: isPending(row) ? row.pendingEmail : null,
  hasPassword: row.passwordHash !== null,
  showMe: row.showMe,
  locale: isLocale(row.locale) ? row.locale : null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  version: row.profileVersion,
});

const getRole = ({ isAdmin, isOrganiser }: Pick<UserEntity, 'isAdmin' | 'isOrganiser'>): Role =>
  isAdmin ? 'owner' : isOrganiser ? 'organiser' : 'member';

const isPending = ({ pendingEmailAt }: UserEntity) =>
  pendingEmailAt !== null && pendingEmailAt.getTime() > Date.now() - PENDING_EMAIL_LIFETIME;

export const presentSessionUser = (row: UserEntity): SessionUser => ({
  user: presentUser(row),
  epoch: row.sessionEpoch,
  version: row.version,
  ...(row.closedAt !== null && {
    deletedAt: new Date(row.closedAt.getTime() + ACCOUNT_CLOSED_FOR).toISOString(),
  }),
  accepted: row.acceptedPages,
});

export function auditValues(before: UserEntity, after: UserEntity): AuditValues {
  const values: AuditValues = {};
  if (getRole(before) !== getRole(after)) values['role'] = { before: getRole(before), after: getRole(after) };
  if (before.email !== after.email)
    values['email'] = { before: maskedEmail(before.email), after: maskedEmail(after.email) };
  return values;
}

export const fullName = (row: Pick<UserEntity, 'firstName' | 'lastName'>) =>
  `${row.firstName} ${row.lastName}`;
