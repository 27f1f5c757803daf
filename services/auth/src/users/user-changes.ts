import { Injectable, Logger } from '@nestjs/common';
import {
  type AuditAction,
  type AuditValues,
  DomainError,
  type ErrorCode,
  RecordAudit,
  type SessionUser,
} from '@meetmark/contracts';
import { type Call, currentCall, requireIdentity, inTransaction, OutboxWriter } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { lockCaller } from './caller.js';
import { type Marker, SessionUserCache } from './session-user.cache.js';
import { auditValues, presentSessionUser, UserEntity } from './user.entity.js';
import { lockUser } from './users.repository.js';

export interface Changed<T> {
  result: T;
  user: SessionUser | null;
}

const CONSTRAINTS: Record<string, ErrorCode> = {
  users_email_key: 'EMAIL_TAKEN',
  users_last_administrator: 'LAST_ADMINISTRATOR',
  second_factors_limit: 'SECOND_FACTOR_LIMIT',
  second_factors_verified: 'EMAIL_PROOF_REQUIRED',
  second_factors_credential_id_key: 'SECOND_FACTOR_INVALID',
};

/** Audited columns, with their names in the audit log. */
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
      subjectName: null, // the audit log reads names from accounts, so that names disappear with the accounts
      changed,
      values,
      at: new Date().toISOString(),
    });
  }
}

/** Use it for every change of an existing user, so that the next request on any replica sees the change. */
@Injectable()
export class UserChanges {
  private readonly logger = new Logger(UserChanges.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly cache: SessionUserCache,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Audits changes that members make to their own account. Callers audit changes by administrators.
   * @throws DomainError EMAIL_TAKEN, LAST_ADMINISTRATOR, or errors of `work`
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
        // locks the row, so that concurrent changes of the user set their markers in commit order
        const row = await lockUser(manager, userId);
        if (before !== null && row !== null) await this.recordSelfService(manager, before, row);
        // if the commit fails, the marker stays, because the change may be stored after all. Gateways ask
        // this service until the marker expires.
        marker = await this.cache.markChanging(userId);
        return { result, user: row && presentSessionUser(row) };
      },
      { ...CONSTRAINTS, ...constraints },
    );
    if (marker !== undefined) await this.publish(userId, marker, changed.user);
    return changed;
  }

  /** @throws DomainError UNAUTHORIZED, or any error of `commit` */
  async commitOwn<T>(
    call: Call,
    work: (manager: EntityManager, caller: UserEntity) => Promise<T>,
  ): Promise<{ result: T; user: SessionUser }> {
    const { result, user } = await this.commit(requireIdentity(call).sub, async (manager) =>
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
      // only a new password changes both: ending sessions keeps the hash, and rehashing keeps the epoch
      .filter((key) => key !== 'sessionEpoch' || before.passwordHash !== after.passwordHash)
      .map((key) => AUDITED[key]);
    if (changed.length > 0)
      await this.audit.record(manager, 'account.updated', after, after, changed, auditValues(before, after));
  }

  private async publish(userId: string, marker: Marker, user: SessionUser | null): Promise<void> {
    try {
      await this.cache.publish(userId, marker, user);
    } catch (err) {
      // the change is committed. Gateways ask this service until the cache has retried the write.
      this.logger.warn({ err, msg: 'Could not write a changed user to the cache' });
    }
  }
}

/** Whether members change their own account, by session, code or link. False for server commands. */
function isSelfService(userId: string): boolean {
  const call = currentCall();
  return call !== undefined && (call.identity === null || call.identity.sub === userId);
}
