import { DomainError, type SetupState, type SetUpRequest, type SessionUser } from '@meetmark/contracts';
import { inTransaction, OutboxWriter } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { hashSecret, newLink } from '../flows/code-secrets.js';
import { Verification } from '../codes/verification.js';
import { AuditTrail, UserChanges } from '../users/user-changes.js';
import { auditValues, presentSessionUser, UserEntity } from '../users/user.entity.js';
import {
  addUser,
  EMAIL_EXISTS,
  findUserByEmail,
  isOwned,
  lockAdministrators,
  lockPresent,
} from '../users/users.repository.js';
import { replaceSetupLink, setupLinkOf, useSetupLink } from './accounts.repository.js';

/**
 * Makes a new link to set up an installation without an owner; an earlier link ends. The database keeps a hash of its secret.
 * @throws DomainError NOT_FOUND when there is an owner
 */
export function newSetupToken(dataSource: DataSource): Promise<string> {
  return inTransaction(dataSource, async (manager) => {
    await lockAdministrators(manager);
    if (await isOwned(manager)) throw new DomainError('NOT_FOUND');
    const token = newLink();
    await replaceSetupLink(manager, hashSecret(token));
    return token;
  });
}

/** Makes the first owner for a person who has the link. */
@Injectable()
export class SetupService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hasher: PasswordHasher,
    private readonly outbox: OutboxWriter,
    private readonly audit: AuditTrail,
    private readonly changes: UserChanges,
    private readonly passwords: PasswordsService,
    private readonly verification: Verification,
  ) {}

  async state(): Promise<SetupState> {
    return { open: !(await isOwned(this.dataSource.manager)) };
  }

  async setUp(request: SetUpRequest): Promise<SessionUser> {
    const { manager } = this.dataSource;
    const link = await setupLinkOf(manager, hashSecret(request.token));
    if (link?.ownerId != null) return this.again(link.ownerId, request);
    if (await isOwned(manager)) throw new DomainError('NOT_FOUND');
    if (link === null || link.expired) throw new DomainError('SETUP_LINK_INVALID');
    const made = await this.make(request);
    return made ?? this.setUp(request);
  }

  /** Null: somebody else has used the link at the same moment. */
  private async make({ token, owner }: SetUpRequest): Promise<SessionUser | null> {
    const { password, ...person } = owner;
    const passwordHash = await this.hasher.hash(password);
    const present = await findUserByEmail(this.dataSource.manager, person.email);
    if (present !== null) return this.takeOver(present.id, token, person, passwordHash);
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

  /** Somebody has an account with the owner's address from a version that let anybody sign up before: it is the owner's alone now. */
  private async takeOver(
    userId: string,
    token: string,
    { firstName, lastName }: Omit<SetUpRequest['owner'], 'password'>,
    passwordHash: string,
  ): Promise<SessionUser | null> {
    const { user, result } = await this.changes.commit(userId, async (manager) => {
      if (!(await this.mayBeOwned(manager, token))) return false;
      const present = await lockPresent(manager, userId);
      await this.verification.proved(manager, present, { byItsOwner: false, withPassword: true });
      await this.passwords.set(manager, userId, passwordHash);
      await manager.update(UserEntity, { id: userId }, { firstName, lastName, isAdmin: true });
      await useSetupLink(manager, userId);
      const values = auditValues(present, { ...present, isAdmin: true });
      await this.audit.record(manager, 'user.promoted', present, present, [], values);
      return true;
    });
    return result ? user : null;
  }

  /** False when there is an owner by now. @throws DomainError SETUP_LINK_INVALID */
  private async mayBeOwned(manager: EntityManager, token: string): Promise<boolean> {
    await lockAdministrators(manager);
    if (await isOwned(manager)) return false;
    const link = await setupLinkOf(manager, hashSecret(token));
    if (link === null || link.expired) throw new DomainError('SETUP_LINK_INVALID');
    return true;
  }

  /** Answers a repeated request, whose answer was lost: link, address and password prove that it comes from the owner who was made. */
  private async again(ownerId: string, { owner }: SetUpRequest): Promise<SessionUser> {
    const user = await this.dataSource.manager.findOneBy(UserEntity, { id: ownerId });
    const fits = await this.hasher.verify(user?.passwordHash ?? undefined, owner.password);
    if (user === null || !fits || user.email !== owner.email || !user.isAdmin || user.sessionEpoch !== 1)
      throw new DomainError('NOT_FOUND');
    return presentSessionUser(user);
  }
}
