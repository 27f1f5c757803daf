import {
  AccountClosedMail,
  BeginRestoring,
  CloseAccount,
  DomainError,
  FollowDeletedAccount,
  type Nothing,
  RestoreAccount,
  type RestoreAccountRequest,
  type SessionUser,
  type UserIdRequest,
} from '@meetmark/contracts';
import { type Call, Handles, OutboxWriter, requireIdentity } from '@meetmark/platform';
import { Controller } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { hashSecret } from '../flows/code-secrets.js';
import { newToken } from '../second-factors/codes.js';
import { SecondFactorsRepository } from '../second-factors/second-factors.repository.js';
import { AuditTrail, UserChanges } from '../users/user-changes.js';
import { UserEntity } from '../users/user.entity.js';
import { closeAccount, lockAdministrators, lockForDeletion, lockUser } from '../users/users.repository.js';

/** Members delete their account by closing it. The worker deletes it a week later. */
@Controller()
export class ClosingService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: UserChanges,
    private readonly outbox: OutboxWriter,
    private readonly audit: AuditTrail,
    private readonly pending: SecondFactorsRepository,
  ) {}

  /** Triggers end registrations and hand over events. Locks like the deletion by an administrator. */
  @Handles(CloseAccount)
  async close(_: Nothing, call: Call): Promise<void> {
    const { sub, epoch } = requireIdentity(call);
    await this.changes.commit(sub, async (manager) => {
      await lockAdministrators(manager);
      const user = await lockForDeletion(manager, sub);
      if (user.sessionEpoch !== epoch) throw new DomainError('UNAUTHORIZED');
      await closeAccount(manager, sub);
      // ends an export that is being written; no file remains that nobody can download
      await manager.query('DELETE FROM auth.data_exports WHERE user_id = $1', [sub]);
      await this.audit.record(manager, 'account.closed', user, user);
      await this.outbox.add(manager, AccountClosedMail, { userId: sub });
      await this.outbox.add(manager, FollowDeletedAccount, {});
    });
  }

  @Handles(BeginRestoring)
  async beginRestoring({ userId }: UserIdRequest): Promise<{ token: string } | null> {
    const user = await this.dataSource.manager.findOneBy(UserEntity, { id: userId });
    if (user === null) throw new DomainError('UNAUTHORIZED');
    if (user.closedAt === null) return null;
    const token = newToken();
    await this.pending.beginRestoring(hashSecret(token), user);
    return { token };
  }

  @Handles(RestoreAccount)
  async restore({ token }: RestoreAccountRequest): Promise<SessionUser> {
    const hash = hashSecret(token);
    const pending = await this.pending.userToRestore(hash);
    if (pending === null) throw new DomainError('SECOND_FACTOR_EXPIRED');
    const { user } = await this.changes.commit(pending.userId, async (manager) => {
      const closed = await lockUser(manager, pending.userId);
      if (
        closed === null ||
        closed.sessionEpoch !== pending.epoch ||
        !(await this.pending.finish(manager, hash))
      )
        throw new DomainError('SECOND_FACTOR_EXPIRED');
      await manager.update(UserEntity, { id: closed.id }, { closedAt: null });
      await this.audit.record(manager, 'account.restored', closed, closed);
      await this.outbox.add(manager, FollowDeletedAccount, {});
    });
    if (user === null) throw new DomainError('SECOND_FACTOR_EXPIRED');
    return user;
  }
}
