import { Injectable } from '@nestjs/common';
import { DomainError, type SessionUser, type SignInRequest, type SignUpRequest } from '@meetmark/contracts';
import { inTransaction, OutboxWriter } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { UserChanges } from '../session-users/user-changes.js';
import { findUserByEmail } from '../users/find-user.js';
import { addUser, EMAIL_EXISTS } from '../users/new-user.js';
import { UserEntity } from '../users/user.entity.js';
import { presentSessionUser } from '../users/user.presenter.js';

@Injectable()
export class SignInService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hasher: PasswordHasher,
    private readonly changes: UserChanges,
    private readonly outbox: OutboxWriter,
  ) {}

  /** Hashes before it looks whether the address is taken: the answer comes as late either way. */
  async signUp({ password, ...fields }: SignUpRequest): Promise<SessionUser> {
    const passwordHash = await this.hasher.hash(password);
    const user = await inTransaction(
      this.dataSource,
      (manager) => addUser(manager, this.outbox, { ...fields, passwordHash, isAdmin: false }),
      EMAIL_EXISTS,
    );
    return presentSessionUser(user);
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
