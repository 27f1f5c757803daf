import {
  DomainError,
  invalidFields,
  type LegalVersions,
  LIMITS,
  MAIL_LISTS,
  normaliseEmail,
  type SignUpFields,
  type UnsubscribeRequest,
  WelcomeMail,
} from '@meetmark/contracts';
import { type ProductLocale } from '@meetmark/i18n/locales';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { OutboxWriter } from '@meetmark/platform';
import { v7 as uuid } from 'uuid';
import { Injectable } from '@nestjs/common';
import { fullName, presentUser, UserEntity } from './user.entity.js';

/** Stored email addresses are ASCII, as the index on lower(email) requires. */
export const findUserByEmail = (manager: EntityManager, email: string): Promise<UserEntity | null> =>
  manager
    .createQueryBuilder(UserEntity, 'u')
    .where('lower(u.email) = :email', { email: normaliseEmail(email) })
    .getOne();

export const lockUser = (manager: EntityManager, id: string): Promise<UserEntity | null> =>
  manager.findOne(UserEntity, { where: { id }, lock: { mode: 'for_no_key_update' } });

export async function lockPresent(manager: EntityManager, id: string): Promise<UserEntity> {
  const user = await lockUser(manager, id);
  if (user === null || user.closedAt !== null) throw new DomainError('USER_NOT_FOUND');
  return user;
}

/** Takes the strongest lock, because upgrading a weaker one later could deadlock with a registration. */
export async function lockForDeletion(manager: EntityManager, id: string): Promise<UserEntity> {
  const user = await manager.findOne(UserEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
  if (user === null) throw new DomainError('USER_NOT_FOUND');
  return user;
}

export const closeAccount = (manager: EntityManager, userId: string) =>
  manager.sql`
    UPDATE auth.users SET closed_at = now(), session_epoch = session_epoch + 1, feeds_ended_at = now(),
      pending_email = NULL, pending_email_at = NULL WHERE id = ${userId}`;

export const lockAdministrators = (manager: EntityManager) =>
  manager.query('SELECT auth.lock_administrators()');

export const isOwned = (manager: EntityManager) =>
  manager.existsBy(UserEntity, { isAdmin: true, closedAt: IsNull() });

/** Refuses new accounts until there is an owner, whose email address a stranger could otherwise take. */
@Injectable()
export class Ownership {
  /** cached, because an installation always keeps an administrator */
  private isOwned = false;

  constructor(private readonly dataSource: DataSource) {}

  /** @throws DomainError NOT_SET_UP */
  async required(): Promise<void> {
    this.isOwned ||= await isOwned(this.dataSource.manager);
    if (!this.isOwned) throw new DomainError('NOT_SET_UP');
  }
}

export interface NewUser extends Omit<SignUpFields, 'password'> {
  id?: string;
  passwordHash: string | null;
  locale?: ProductLocale | null;
  isAdmin: boolean;
  isOrganiser?: boolean;
  /** An administrator or operator vouches for the email address. */
  verified: boolean;
  /** Whether this is the first owner, who gets no welcome email because the community has no name yet. */
  isFirst?: boolean;
  accepted?: LegalVersions;
}

export const EMAIL_EXISTS = { users_email_key: 'EMAIL_EXISTS' } as const;

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
    isOrganiser: user.isOrganiser ?? false,
    locale: user.locale ?? null,
    ...(user.verified && { emailVerifiedAt: () => 'now()' }),
  });
  if (user.accepted) await acceptPages(manager, id, user.accepted);
  if (user.verified && !user.isFirst) await outbox.add(manager, WelcomeMail, { userId: id });
  return manager.findOneByOrFail(UserEntity, { id });
}

export const acceptPages = (manager: EntityManager, userId: string, versions: LegalVersions) =>
  manager.query(
    `WITH accepted AS (
       INSERT INTO auth.consents (user_id, page, version) SELECT $1, key, value FROM jsonb_each_text($2) ON CONFLICT DO NOTHING
     )
     UPDATE auth.users SET accepted_pages = accepted_pages || $2 WHERE id = $1`,
    [userId, versions],
  );

export const verifyEmail = (manager: EntityManager, userId: string, email?: string) =>
  manager.query(
    `UPDATE auth.users SET email = coalesce($2, email), email_verified_at = now()
       ${email === undefined ? '' : ', pending_email = NULL, pending_email_at = NULL'} WHERE id = $1`,
    [userId, email ?? null],
  );

export const endAccess = (manager: EntityManager, userId: string) =>
  manager.sql`
    UPDATE auth.users SET password_hash = NULL, session_epoch = session_epoch + 1, feeds_ended_at = now(),
      pending_email = NULL, pending_email_at = NULL WHERE id = ${userId}`;

export const setPendingEmail = (manager: EntityManager, userId: string, email: string) =>
  manager.sql`UPDATE auth.users SET pending_email = ${email}, pending_email_at = now() WHERE id = ${userId}`;

export const forgetPendingEmail = (manager: EntityManager, userId: string) =>
  manager.sql`
    UPDATE auth.users SET pending_email = NULL, pending_email_at = NULL WHERE id = ${userId} AND pending_email IS NOT NULL`;

export const chooseMailLists = (manager: EntityManager, { userId, ...lists }: UnsubscribeRequest) =>
  manager.query(
    `UPDATE auth.users SET event_updates = coalesce($2, event_updates), reminders = coalesce($3, reminders),
       messages = coalesce($4, messages), announcements = coalesce($5, announcements), digest = coalesce($6, digest)
     WHERE id = $1`,
    [userId, ...MAIL_LISTS.map((list) => lists[list] ?? null)],
  );

/** Turns 'HTTPS://Example.com' into 'https://example.com/'. */
export function normalisedUrl(url: string | null, field: string): string | null {
  if (url === null) return null;
  const { href } = new URL(url);
  if (href.length > LIMITS.linkedInUrl) throw invalidFields([field, 'is too long']);
  return href;
}

const NAMED = 20;

interface Row {
  editorId: string | null;
  firstName: string | null;
  lastName: string | null;
  at: Date;
  changed: string[];
}

export type ProfileValues = Partial<
  Pick<
    UserEntity,
    | 'email'
    | 'firstName'
    | 'lastName'
    | 'description'
    | 'linkedInUrl'
    | 'profilePictureHash'
    | 'isAdmin'
    | 'isOrganiser'
    | 'showMe'
  >
>;

/** Accepts an outdated `version` if nothing changes. Hides from members which administrator made an edit. */
export async function refuseStale(
  manager: EntityManager,
  present: UserEntity,
  version: number | null | undefined,
  after: ProfileValues,
  reader: UserEntity,
): Promise<void> {
  const isStale = (version ?? present.profileVersion) !== present.profileVersion;
  if (!isStale || !differs(present, after)) return;
  const rows = await manager.query<Row[]>(
    `SELECT edits.editor_id AS "editorId", edits.edited_at AS at, edits.changed,
       editor.first_name AS "firstName", editor.last_name AS "lastName"
     FROM auth.profile_edits AS edits LEFT JOIN auth.users AS editor ON editor.id = edits.editor_id
     WHERE edits.user_id = $1 AND edits.version > $2 ORDER BY edits.version DESC LIMIT ${NAMED}`,
    [present.id, version],
  );
  throw new DomainError('EDIT_CONFLICT', {
    present: presentUser(present),
    edits: rows.map(({ editorId, firstName, lastName, at, changed }) => {
      const mayKnow = reader.isAdmin || editorId === reader.id;
      return {
        by: mayKnow && firstName !== null && lastName !== null ? fullName({ firstName, lastName }) : null,
        own: editorId === reader.id,
        at: at.toISOString(),
        changed,
      };
    }),
  });
}

const differs = (present: UserEntity, after: ProfileValues) =>
  (Object.keys(after) as (keyof ProfileValues)[]).some(
    (name) => after[name] !== undefined && after[name] !== present[name],
  );
