import {
  CheckMail,
  CheckMailRecords,
  type CheckMailRequest,
  DomainError,
  GetSetupState,
  type Nothing,
  SendTestMail,
  type SessionUser,
  SetUp,
  type SetUpRequest,
  type SetupState,
  TestMail,
} from '@meetmark/contracts';
import { type Call, Handles, inTransaction, OutboxWriter } from '@meetmark/platform';
import { Controller } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { hashSecret, newLink } from '../flows/code-secrets.js';
import { actingAdministrator } from '../users/caller.js';
import { AuditTrail } from '../users/user-changes.js';
import { presentSessionUser, UserEntity } from '../users/user.entity.js';
import { addUser, EMAIL_EXISTS, isOwned, lockAdministrators } from '../users/users.repository.js';
import { replaceSetupLink, fetchSetupLink, useSetupLink } from './accounts.repository.js';

/** Returns the token of a new setup link, which replaces the previous link. Stores only the token's hash. */
export function newSetupToken(dataSource: DataSource): Promise<string> {
  return inTransaction(dataSource, async (manager) => {
    await lockAdministrators(manager);
    if (await isOwned(manager)) throw new DomainError('NOT_FOUND');
    const token = newLink();
    await replaceSetupLink(manager, hashSecret(token));
    return token;
  });
}

@Controller()
export class SetupService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hasher: PasswordHasher,
    private readonly outbox: OutboxWriter,
    private readonly audit: AuditTrail,
  ) {}

  @Handles(GetSetupState)
  async state(): Promise<SetupState> {
    return { open: !(await isOwned(this.dataSource.manager)) };
  }

  @Handles(SetUp)
  async setUp(request: SetUpRequest): Promise<SessionUser> {
    const { manager } = this.dataSource;
    const link = await fetchSetupLink(manager, hashSecret(request.token));
    if (link?.ownerId != null) return this.again(link.ownerId, request);
    if (await isOwned(manager)) throw new DomainError('NOT_FOUND');
    if (link === null || link.expired) throw new DomainError('SETUP_LINK_INVALID');
    const made = await this.make(request);
    return made ?? this.setUp(request);
  }

  private async make({ token, owner }: SetUpRequest): Promise<SessionUser | null> {
    const { password, ...person } = owner;
    const passwordHash = await this.hasher.hash(password);
    return inTransaction(
      this.dataSource,
      async (manager) => {
        if (!(await this.mayBeOwned(manager, token))) return null;
        const rights = { linkedInUrl: null, isAdmin: true, verified: true, isFirst: true };
        const user = await addUser(manager, this.outbox, { ...person, ...rights, passwordHash });
        await useSetupLink(manager, user.id);
        await this.audit.record(manager, 'user.created', user, user);
        return presentSessionUser(user);
      },
      EMAIL_EXISTS,
    );
  }

  private async mayBeOwned(manager: EntityManager, token: string): Promise<boolean> {
    await lockAdministrators(manager);
    if (await isOwned(manager)) return false;
    const link = await fetchSetupLink(manager, hashSecret(token));
    if (link === null || link.expired) throw new DomainError('SETUP_LINK_INVALID');
    return true;
  }

  /** Answers a repeated request. Link, email address and password prove that the caller is the new owner. */
  private async again(ownerId: string, { owner }: SetUpRequest): Promise<SessionUser> {
    const user = await this.dataSource.manager.findOneBy(UserEntity, { id: ownerId });
    const fits = await this.hasher.verify(user?.passwordHash ?? undefined, owner.password);
    if (user === null || !fits || user.email !== owner.email || !user.isAdmin || user.sessionEpoch !== 1)
      throw new DomainError('NOT_FOUND');
    return presentSessionUser(user);
  }

  @Handles(SendTestMail)
  sendTestMail(_: Nothing, call: Call): Promise<void> {
    return inTransaction(this.dataSource, async (manager) => {
      const actor = await actingAdministrator(manager, call);
      await this.outbox.add(manager, TestMail, { userId: actor.id });
      await this.audit.record(manager, 'mail.testSent', actor, actor);
    });
  }

  @Handles(CheckMail)
  checkMail({ selector }: CheckMailRequest, call: Call): Promise<void> {
    return inTransaction(this.dataSource, async (manager) => {
      await actingAdministrator(manager, call);
      await this.outbox.add(manager, CheckMailRecords, { selector });
    });
  }
}
