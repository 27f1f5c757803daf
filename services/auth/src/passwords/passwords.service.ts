import { Injectable } from '@nestjs/common';
import {
  type ChangePasswordRequest,
  DomainError,
  LIMITS,
  PasswordChangedMail,
  type SessionUser,
} from '@meetmark/contracts';
import { type Call, identityOf, OutboxWriter } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { endFlows } from '../flows/code-flows.repository.js';
import { UserChanges } from '../users/user-changes.js';
import { UserEntity } from '../users/user.entity.js';
import { PasswordHasher } from './password-hasher.js';

@Injectable()
export class PasswordsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hasher: PasswordHasher,
    private readonly changes: UserChanges,
    private readonly outbox: OutboxWriter,
  ) {}

  /** Changes the caller's own password and ends every other session of theirs. */
  async change({ currentPassword, newPassword }: ChangePasswordRequest, call: Call): Promise<SessionUser> {
    refuseShortPassword(newPassword);
    const { sub } = identityOf(call);
    const before = await this.dataSource.manager.findOneBy(UserEntity, { id: sub });
    if (before === null) throw new DomainError('UNAUTHORIZED');
    if (!(await this.hasher.verify(before.passwordHash ?? undefined, currentPassword)))
      throw new DomainError('CURRENT_PASSWORD_INCORRECT');
    if (newPassword === currentPassword) throw new DomainError('PASSWORD_UNCHANGED');
    const passwordHash = await this.hasher.hash(newPassword);

    const { user } = await this.changes.commitOwn(call, async (manager, locked) => {
      // Somebody else changed it while this was hashing: the password just checked is no longer the current one.
      if (locked.passwordHash !== before.passwordHash) throw new DomainError('CURRENT_PASSWORD_INCORRECT');
      await this.set(manager, sub, passwordHash);
    });
    return user;
  }

  /** Sets the password in the caller's transaction, ends all sessions, mailed codes and the secret calendar address, and asks for a mail that says so. */
  async set(manager: EntityManager, userId: string, passwordHash: string): Promise<void> {
    await manager.update(
      UserEntity,
      { id: userId },
      { passwordHash, sessionEpoch: () => 'session_epoch + 1', feedsEndedAt: () => 'now()' },
    );
    await endFlows(manager, userId);
    await this.outbox.add(manager, PasswordChangedMail, { userId, at: new Date().toISOString() });
  }
}

/** @throws DomainError PASSWORD_TOO_SHORT */
export function refuseShortPassword(password: string): void {
  if (password.length < LIMITS.passwordMin) throw new DomainError('PASSWORD_TOO_SHORT');
}
