import { Injectable, Logger } from '@nestjs/common';
import {
  type AuditAction,
  type AuditValues,
  DomainError,
  type ErrorCode,
  RecordAudit,
  type SessionUser,
} from '@meetmark/contracts';
import { type Call, currentCall, identityOf, inTransaction, OutboxWriter } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { lockCaller } from './caller.js';
import { type Marker, SessionUserCache } from './session-user.cache.js';
import { auditValues, presentSessionUser, UserEntity } from './user.entity.js';
import { lockUser } from './users.repository.js';

export interface Changed<T> {
  result: T;
  /** The user after the change, null when it deleted them. */
  user: SessionUser | null;
}

/** Refusals that the constraints of auth.users mean. */
const CONSTRAINTS: Record<string, ErrorCode> = {
  users_email_key: 'EMAIL_TAKEN',
  users_last_administrator: 'LAST_ADMINISTRATOR',
  second_factors_limit: 'SECOND_FACTOR_LIMIT',
  second_factors_verified: 'EMAIL_PROOF_REQUIRED',
  second_factors_credential_id_key: 'SECOND_FACTOR_INVALID',
  // The events service's table refers to its creators.
  events_created_by_id_fkey: 'USER_HAS_EVENTS',
};

/** What the audit log calls a column; what is not here is derived. */
const AUDITED = {
  email: 'email',
  pendingEmail: 'pendingEmail',
  emailVerifiedAt: 'emailVerified',
  firstName: 'firstName',
  lastName: 'lastName',
  description: 'description',
  linkedInUrl: 'linkedInUrl',
  profilePictureHash: 'profileImageUrl',
  showMe: 'showMe',
  locale: 'locale',
  eventUpdates: 'eventUpdates',
  reminders: 'reminders',
  messages: 'messages',
  announcements: 'announcements',
  digest: 'digest',
  secondFactor: 'secondFactor',
  sessionEpoch: 'password',
} as const satisfies Partial<Record<keyof UserEntity, string>>;

/** Asks, in the transaction of what was done, for its line in the audit log. */
@Injectable()
export class AuditTrail {
  constructor(private readonly outbox: OutboxWriter) {}

  async record(
    manager: EntityManager,
    action: AuditAction,
    actor: UserEntity,
    subject: UserEntity | null,
    changed: string[] = [],
    values: AuditValues = {},
  ): Promise<void> {
    await this.outbox.add(manager, RecordAudit, {
      action,
      actorId: actor.id,
      subjectId: subject?.id ?? null,
      subjectName: null, // an entry points to people by id: their names stand with the accounts, and go with them
      changed,
      values,
      at: new Date().toISOString(),
    });
  }
}

/** Every change of an existing user goes through here, so that it holds from their next request on, on every replica. */
@Injectable()
export class UserChanges {
  private readonly logger = new Logger(UserChanges.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly cache: SessionUserCache,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * One transaction that changes one user. What somebody changes of their own account gets its audit entry here, whichever way it came;
   * what an administrator does to another's has one of its own.
   * @throws DomainError EMAIL_TAKEN, LAST_ADMINISTRATOR, USER_HAS_EVENTS, or what `work` refuses
   */
  async commit<T>(
    userId: string,
    work: (manager: EntityManager) => Promise<T>,
    constraints: Record<string, ErrorCode> = {},
  ): Promise<Changed<T>> {
    let marker: Marker | undefined;
    const changed = await inTransaction(
      this.dataSource,
      async (manager): Promise<Changed<T>> => {
        const before = isSelfService(userId) ? await manager.findOneBy(UserEntity, { id: userId }) : null;
        const result = await work(manager);
        // Locked, so that changes of one user set their markers in the order of their commits.
        const row = await lockUser(manager, userId);
        if (before !== null && row !== null) await this.recordSelfService(manager, before, row);
        // Not taken back when the commit fails: it may still have happened. Until the marker ends, gateways ask.
        marker = await this.cache.markChanging(userId);
        return { result, user: row && presentSessionUser(row) };
      },
      { ...CONSTRAINTS, ...constraints },
    );
    if (marker !== undefined) await this.publish(userId, marker, changed.user);
    return changed;
  }

  /** A change that callers make of their own account, whose row is locked. @throws DomainError UNAUTHORIZED, and as `commit` */
  async commitOwn<T>(
    call: Call,
    work: (manager: EntityManager, caller: UserEntity) => Promise<T>,
  ): Promise<{ result: T; user: SessionUser }> {
    const { result, user } = await this.commit(identityOf(call).sub, async (manager) =>
      work(manager, await lockCaller(manager, call)),
    );
    if (user === null) throw new DomainError('UNAUTHORIZED');
    return { result, user };
  }

  private async recordSelfService(
    manager: EntityManager,
    before: UserEntity,
    after: UserEntity,
  ): Promise<void> {
    const changed = (Object.keys(AUDITED) as (keyof typeof AUDITED)[])
      .filter((key) => before[key]?.valueOf() !== after[key]?.valueOf())
      // signing everybody out raises the epoch as well, and the same password may be hashed anew
      .filter((key) => key !== 'sessionEpoch' || before.passwordHash !== after.passwordHash)
      .map((key) => AUDITED[key]);
    if (changed.length > 0)
      await this.audit.record(manager, 'account.updated', after, after, changed, auditValues(before, after));
  }

  private async publish(userId: string, marker: Marker, user: SessionUser | null): Promise<void> {
    try {
      await this.cache.publish(userId, marker, user);
    } catch (err) {
      // The change stands, the marker still makes gateways ask, and the cache tells of it once Redis is there.
      this.logger.warn({ err, msg: 'a changed user could not be written to the cache' });
    }
  }
}

/** Whether the member makes the change, or somebody with a code or link that only the member has; a command on the server is neither. */
function isSelfService(userId: string): boolean {
  const call = currentCall();
  return call !== undefined && (call.identity === null || call.identity.sub === userId);
}
