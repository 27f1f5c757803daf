import { Controller } from '@nestjs/common';
import {
  ChangePassword,
  type ChangePasswordRequest,
  DomainError,
  LIMITS,
  normalisePassword,
  PasswordChangedMail,
  type SessionUser,
} from '@meetmark/contracts';
import { type Call, callerId, Handles, OutboxWriter } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { endFlows } from '../flows/code-flows.repository.js';
import { UserChanges } from '../users/user-changes.js';
import { UserEntity } from '../users/user.entity.js';
import { PasswordHasher } from './password-hasher.js';

@Controller()
export class PasswordsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hasher: PasswordHasher,
    private readonly changes: UserChanges,
    private readonly outbox: OutboxWriter,
  ) {}

  @Handles(ChangePassword)
  async change({ currentPassword, newPassword }: ChangePasswordRequest, call: Call): Promise<SessionUser> {
    refuseShortPassword(newPassword);
    const sub = callerId(call);
    const before = await this.dataSource.manager.findOneBy(UserEntity, { id: sub });
    if (before === null) throw new DomainError('UNAUTHORIZED');
    if (!(await this.hasher.verify(before.passwordHash ?? undefined, currentPassword)))
      throw new DomainError('CURRENT_PASSWORD_INCORRECT');
    if (normalisePassword(newPassword) === normalisePassword(currentPassword))
      throw new DomainError('PASSWORD_UNCHANGED');
    const passwordHash = await this.hasher.hash(newPassword);

    const { user } = await this.changes.commitOwn(call, async (manager, locked) => {
      // a concurrent change has replaced the password that was checked above
      if (locked.passwordHash !== before.passwordHash) throw new DomainError('CURRENT_PASSWORD_INCORRECT');
      await setPassword(manager, this.outbox, sub, passwordHash);
    });
    return user;
  }
}

/** Also ends sessions, calendar feeds and open codes, and emails the member. */
export async function setPassword(
  manager: EntityManager,
  outbox: OutboxWriter,
  userId: string,
  passwordHash: string,
): Promise<void> {
  await manager.update(
    UserEntity,
    { id: userId },
    { passwordHash, sessionEpoch: () => 'session_epoch + 1', feedsEndedAt: () => 'now()' },
  );
  await endFlows(manager, userId);
  await outbox.add(manager, PasswordChangedMail, { userId, at: new Date().toISOString() });
}

export function refuseShortPassword(password: string): void {
  if (normalisePassword(password).length < LIMITS.passwordMin) throw new DomainError('PASSWORD_TOO_SHORT');
}
