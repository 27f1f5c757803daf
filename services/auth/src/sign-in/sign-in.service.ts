import { Injectable } from '@nestjs/common';
import {
  DomainError,
  type KeyedSignUpRequest,
  type SessionUser,
  type SignInRequest,
  type SignUpRequest,
} from '@meetmark/contracts';
import { inTransaction, OutboxWriter } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { UserChanges } from '../session-users/user-changes.js';
import { findUserByEmail } from '../users/find-user.js';
import { addUser, EMAIL_EXISTS } from '../users/new-user.js';
import { EarlierSignUps } from './earlier-sign-ups.js';
import { UserEntity } from '../users/user.entity.js';
import { presentSessionUser } from '../users/user.presenter.js';

@Injectable()
export class SignInService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hasher: PasswordHasher,
    private readonly changes: UserChanges,
    private readonly outbox: OutboxWriter,
    private readonly earlier: EarlierSignUps,
  ) {}

  async signUp({ idempotencyKey: key, ...request }: KeyedSignUpRequest): Promise<SessionUser> {
    const user = key === undefined ? await this.makeMember(request) : await this.makeMemberOnce(key, request);
    return presentSessionUser(user);
  }

  /** Whichever of several at the same moment is not the first finds its address taken, and then what the first has made. */
  private async makeMemberOnce(key: string, request: SignUpRequest): Promise<UserEntity> {
    const found = await this.earlier.find(key, request);
    if (found !== null) return found;
    try {
      return await this.makeMember(request, key);
    } catch (error) {
      const mayBeDone =
        error instanceof DomainError && ['EMAIL_EXISTS', 'IDEMPOTENCY_CONFLICT'].includes(error.code);
      const made = mayBeDone ? await this.earlier.find(key, request) : null;
      if (made === null) throw error;
      return made;
    }
  }

  /** Hashes before it looks whether the address is taken: the answer comes as late either way. */
  private async makeMember(request: SignUpRequest, key?: string): Promise<UserEntity> {
    const { password, ...fields } = request;
    const passwordHash = await this.hasher.hash(password);
    return inTransaction(
      this.dataSource,
      async (manager) => {
        const user = await addUser(manager, this.outbox, { ...fields, passwordHash, isAdmin: false });
        if (key !== undefined && !(await this.earlier.keep(manager, key, request, user.id)))
          throw new DomainError('IDEMPOTENCY_CONFLICT');
        return user;
      },
      EMAIL_EXISTS,
    );
  }

  async signIn({ email, password }: SignInRequest): Promise<SessionUser> {
    this.hasher.refuseWhenFull();
    const user = await findUserByEmail(this.dataSource.manager, email);
    const fits = await this.hasher.verify(user?.passwordHash, password);
    if (user === null || !fits) throw new DomainError('CREDENTIALS_INCORRECT');
    if (!this.hasher.isOutdated(user.passwordHash)) return presentSessionUser(user);
    return this.rehash(user, password);
  }

  /** The epoch stays: it is the same password. */
  private async rehash(user: UserEntity, password: string): Promise<SessionUser> {
    const passwordHash = await this.hasher.hash(password);
    const changed = await this.changes.commit(user.id, (manager) =>
      manager.update(UserEntity, { id: user.id, passwordHash: user.passwordHash }, { passwordHash }),
    );
    if (changed.user === null) throw new DomainError('CREDENTIALS_INCORRECT');
    // A password that changed meanwhile has raised the epoch: this session then ends with the others.
    return { ...changed.user, epoch: user.sessionEpoch };
  }
}
