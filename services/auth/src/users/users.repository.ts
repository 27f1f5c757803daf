import {
  DomainError,
  invalidFields,
  LIMITS,
  MAIL_LISTS,
  normaliseEmail,
  type ProductLocale,
  type SignUpFields,
  type UnsubscribeRequest,
  WelcomeMail,
} from '@meetmark/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { OutboxWriter } from '@meetmark/platform';
import { v7 as uuid } from 'uuid';
import { Injectable } from '@nestjs/common';
import { fullName, presentUser, UserEntity } from './user.entity.js';

/** Finds a user by address, however it is typed. Stored addresses are ASCII, so the index on lower(email) has this form too. */
export const findUserByEmail = (manager: EntityManager, email: string): Promise<UserEntity | null> =>
  manager
    .createQueryBuilder(UserEntity, 'u')
    .where('lower(u.email) = :email', { email: normaliseEmail(email) })
    .getOne();

/** The row, locked until the transaction ends. */
export const lockUser = (manager: EntityManager, id: string): Promise<UserEntity | null> =>
  manager.findOne(UserEntity, { where: { id }, lock: { mode: 'for_no_key_update' } });

/** @throws DomainError USER_NOT_FOUND */
export async function lockPresent(manager: EntityManager, id: string): Promise<UserEntity> {
  const user = await lockUser(manager, id);
  if (user === null) throw new DomainError('USER_NOT_FOUND');
  return user;
}

/** Its places become free, its events are the heir's. The foreign key of their creator is looked at when the transaction commits. */
export async function removeAccount(
  manager: EntityManager,
  { id }: UserEntity,
  heir: UserEntity,
): Promise<void> {
  await manager.query('SET CONSTRAINTS events.events_created_by_id_fkey DEFERRED');
  await manager.delete(UserEntity, { id });
  await manager.sql`SELECT events.hand_over_events(${id}, ${heir.id})`;
}

/** Transactions that make or change administrators take turns. */
export const lockAdministrators = (manager: EntityManager) =>
  manager.query('SELECT auth.lock_administrators()');

/** Whether the installation has an administrator. */
export const isOwned = (manager: EntityManager) => manager.existsBy(UserEntity, { isAdmin: true });

/** No account is made before there is an owner: it might be of the address that the owner will have. */
@Injectable()
export class Ownership {
  /** An installation that has an owner keeps one: the last administrator cannot go. */
  private isOwned = false;

  constructor(private readonly dataSource: DataSource) {}

  /** @throws DomainError NOT_SET_UP */
  async required(): Promise<void> {
    this.isOwned ||= await isOwned(this.dataSource.manager);
    if (!this.isOwned) throw new DomainError('NOT_SET_UP');
  }
}

export interface NewUser extends Omit<SignUpFields, 'password'> {
  /** Left out: a new one. */
  id?: string;
  /** Null: the account is opened by mailed codes alone. */
  passwordHash: string | null;
  /** The language that they chose before; left out: the community's. */
  locale?: ProductLocale | null;
  isAdmin: boolean;
  isOrganiser?: boolean;
  /** An administrator or operator vouches for the address. */
  verified: boolean;
  /** Makes the community: it has no name yet that a mail could welcome them to. */
  isFirst?: boolean;
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
    isOrganiser: user.isOrganiser ?? false,
    locale: user.locale ?? null,
    ...(user.verified && { emailVerifiedAt: () => 'now()' }),
  });
  if (user.verified) {
    if (!user.isFirst) await outbox.add(manager, WelcomeMail, { userId: id });
  } else await manager.query('INSERT INTO auth.unverified_accounts (user_id) VALUES ($1)', [id]);
  return manager.findOneByOrFail(UserEntity, { id });
}

/** The address counts as proved from now on; another one than the user has ends a change that is under way. */
export const verifyEmail = (manager: EntityManager, userId: string, email?: string) =>
  manager.query(
    `UPDATE auth.users SET email = coalesce($2, email), email_verified_at = now()
       ${email === undefined ? '' : ', pending_email = NULL, pending_email_at = NULL'} WHERE id = $1`,
    [userId, email ?? null],
  );

/** The account is no longer one that is removed unless its address is verified. */
export const noteVerified = (manager: EntityManager, userId: string) =>
  manager.sql`DELETE FROM auth.unverified_accounts WHERE user_id = ${userId}`;

/** What is used stays, although its address is not verified. */
export const noteUse = (manager: EntityManager, userId: string) =>
  manager.sql`UPDATE auth.unverified_accounts SET signed_in_at = now(), warned_at = NULL WHERE user_id = ${userId}`;

/** Ends password, sessions, feeds and a change of the address. */
export const endAccess = (manager: EntityManager, userId: string) =>
  manager.sql`
    UPDATE auth.users SET password_hash = NULL, session_epoch = session_epoch + 1, feeds_ended_at = now(),
      pending_email = NULL, pending_email_at = NULL WHERE id = ${userId}`;

export const setPendingEmail = (manager: EntityManager, userId: string, email: string) =>
  manager.sql`UPDATE auth.users SET pending_email = ${email}, pending_email_at = now() WHERE id = ${userId}`;

export const forgetPendingEmail = (manager: EntityManager, userId: string) =>
  manager.sql`
    UPDATE auth.users SET pending_email = NULL, pending_email_at = NULL WHERE id = ${userId} AND pending_email IS NOT NULL`;

/** Lists that are left out stay as they are. */
export const chooseMailLists = (manager: EntityManager, { userId, ...lists }: UnsubscribeRequest) =>
  manager.query(
    `UPDATE auth.users SET event_updates = coalesce($2, event_updates), reminders = coalesce($3, reminders),
       messages = coalesce($4, messages), announcements = coalesce($5, announcements), digest = coalesce($6, digest)
     WHERE id = $1`,
    [userId, ...MAIL_LISTS.map((list) => lists[list] ?? null)],
  );

/**
 * The address as browsers understand it, which is what they will follow: 'HTTPS:example.com' is 'https://example.com/'.
 * @throws DomainError VALIDATION_FAILED when that is longer than what was typed may be
 */
export function normalisedUrl(url: string | null, field: string): string | null {
  if (url === null) return null;
  const { href } = new URL(url);
  if (href.length > LIMITS.linkedInUrl) throw invalidFields([field, 'is too long']);
  return href;
}

/** Edits that a refusal names. */
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

/**
 * For a change to `after` that began from `version`; one that names none, or changes nothing (a repeated one), is never stale.
 * A member does not learn which administrator it was.
 * @throws DomainError EDIT_CONFLICT that says who changed what since then
 */
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
