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
import { CodeFlows } from '../flows/code-flows.js';
import { UserChanges } from '../users/user-changes.js';
import { presentSessionUser, UserEntity } from '../users/user.entity.js';
import { addUser, EMAIL_EXISTS, findUserByEmail, Ownership } from '../users/users.repository.js';
import { EarlierSignUps } from './earlier-sign-ups.js';
import { PasswordHasher } from '../passwords/password-hasher.js';

@Injectable()
export class SignInService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hasher: PasswordHasher,
    private readonly changes: UserChanges,
    private readonly outbox: OutboxWriter,
    private readonly earlier: EarlierSignUps,
    private readonly flows: CodeFlows,
    private readonly ownership: Ownership,
  ) {}

  async signUp({ idempotencyKey: key, ...request }: KeyedSignUpRequest): Promise<SessionUser> {
    await this.ownership.required();
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
    const { password, asker, ...fields } = request;
    const passwordHash = await this.hasher.hash(password);
    return inTransaction(
      this.dataSource,
      async (manager) => {
        const added = await addUser(manager, this.outbox, {
          ...fields,
          passwordHash,
          locale: asker.locale,
          isAdmin: false,
          verified: false,
        });
        if (key !== undefined && !(await this.earlier.keep(manager, key, request, added.id)))
          throw new DomainError('IDEMPOTENCY_CONFLICT');
        await this.flows.open(manager, { purpose: 'verify', email: added.email, userId: added.id, asker });
        return added;
      },
      EMAIL_EXISTS,
    );
  }

  async signIn({ email, password }: SignInRequest): Promise<SessionUser> {
    this.hasher.refuseWhenFull();
    const user = await findUserByEmail(this.dataSource.manager, email);
    // An account without a password answers as for a wrong one, in the same time.
    const fits = await this.hasher.verify(user?.passwordHash ?? undefined, password);
    if (user === null || user.passwordHash === null || !fits) throw new DomainError('CREDENTIALS_INCORRECT');
    if (user.emailVerifiedAt === null) await this.noteUse(user.id);
    if (!this.hasher.isOutdated(user.passwordHash)) return presentSessionUser(user);
    return this.rehash(user, password);
  }

  /** What is used stays, although its address is not verified. */
  private async noteUse(userId: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE auth.unverified_accounts SET signed_in_at = now(), warned_at = NULL WHERE user_id = $1`,
      [userId],
    );
  }

  /** The epoch stays: it is the same password. */
  private async rehash(user: UserEntity, password: string): Promise<SessionUser> {
    const passwordHash = await this.hasher.hash(password);
    const changed = await this.changes.commit(user.id, (manager) =>
      manager.update(UserEntity, { id: user.id, passwordHash: user.passwordHash! }, { passwordHash }),
    );
    if (changed.user === null) throw new DomainError('CREDENTIALS_INCORRECT');
    // A password that changed meanwhile has raised the epoch: this session then ends with the others.
    return { ...changed.user, epoch: user.sessionEpoch };
  }
}
