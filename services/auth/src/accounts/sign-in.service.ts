import { createHash } from 'node:crypto';
import { Controller } from '@nestjs/common';
import {
  DomainError,
  type KeyedSignUpRequest,
  type SessionUser,
  SignIn,
  type SignInRequest,
  SignUp,
  type SignUpRequest,
} from '@meetmark/contracts';
import { Handles, inTransaction, OutboxWriter } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { CodeFlows } from '../flows/code-flows.js';
import { UserChanges } from '../users/user-changes.js';
import { presentSessionUser, UserEntity } from '../users/user.entity.js';
import { addUser, EMAIL_EXISTS, findUserByEmail, Ownership } from '../users/users.repository.js';
import { keepSignUp, fetchSignUp } from './accounts.repository.js';
import { PasswordHasher } from '../passwords/password-hasher.js';

@Controller()
export class SignInService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hasher: PasswordHasher,
    private readonly changes: UserChanges,
    private readonly outbox: OutboxWriter,
    private readonly flows: CodeFlows,
    private readonly ownership: Ownership,
  ) {}

  @Handles(SignUp)
  async signUp({ idempotencyKey: key, ...request }: KeyedSignUpRequest): Promise<SessionUser> {
    await this.ownership.required();
    const user = key === undefined ? await this.makeMember(request) : await this.makeMemberOnce(key, request);
    return presentSessionUser(user);
  }

  /**
   * If requests with the same key run at the same time, one of them creates the account. The others fail
   * because the email address exists, and then return the same account.
   */
  private async makeMemberOnce(key: string, request: SignUpRequest): Promise<UserEntity> {
    const found = await this.madeBefore(key, request);
    if (found !== null) return found;
    try {
      return await this.makeMember(request, key);
    } catch (error) {
      const mayBeDone =
        error instanceof DomainError && ['EMAIL_EXISTS', 'IDEMPOTENCY_CONFLICT'].includes(error.code);
      const made = mayBeDone ? await this.madeBefore(key, request) : null;
      if (made === null) throw error;
      return made;
    }
  }

  /**
   * Returns the account of an earlier request with this key. The new request must contain the account's
   * current password, because it signs the caller in.
   */
  private async madeBefore(key: string, request: SignUpRequest): Promise<UserEntity | null> {
    const { manager } = this.dataSource;
    const made = await fetchSignUp(manager, sha256(key));
    if (made === null) return null;
    if (!made.requestHash.equals(hashContent(request))) throw new DomainError('IDEMPOTENCY_CONFLICT');
    const user = await manager.findOneBy(UserEntity, { id: made.userId });
    const fits = await this.hasher.verify(user?.passwordHash ?? undefined, request.password);
    if (user === null || !fits || user.isAdmin || user.secondFactor)
      throw new DomainError('IDEMPOTENCY_CONFLICT');
    return user;
  }

  /** Hashes the password first, so that the response time doesn't reveal accounts. */
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
          accepted: asker.legal,
        });
        const signUp = { requestHash: hashContent(request), userId: added.id };
        if (key !== undefined && !(await keepSignUp(manager, sha256(key), signUp)))
          throw new DomainError('IDEMPOTENCY_CONFLICT');
        await this.flows.open(manager, { purpose: 'verify', email: added.email, userId: added.id, asker });
        return added;
      },
      EMAIL_EXISTS,
    );
  }

  @Handles(SignIn)
  async signIn({ email, password }: SignInRequest): Promise<SessionUser> {
    this.hasher.refuseWhenFull();
    const user = await findUserByEmail(this.dataSource.manager, email);
    // takes the same time if there is no account or no password
    const fits = await this.hasher.verify(user?.passwordHash ?? undefined, password);
    if (user === null || user.passwordHash === null || !fits) throw new DomainError('CREDENTIALS_INCORRECT');
    if (!this.hasher.isOutdated(user.passwordHash)) return presentSessionUser(user);
    return this.rehash(user, password);
  }

  /** Stores a new hash of the same password. Sessions continue. */
  private async rehash(user: UserEntity, password: string): Promise<SessionUser> {
    const passwordHash = await this.hasher.hash(password);
    const changed = await this.changes.commit(user.id, (manager) =>
      manager.update(UserEntity, { id: user.id, passwordHash: user.passwordHash! }, { passwordHash }),
    );
    if (changed.user === null) throw new DomainError('CREDENTIALS_INCORRECT');
    // Returns the epoch from before the hashing, so that a concurrent password change also ends this session.
    return { ...changed.user, epoch: user.sessionEpoch };
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** Leaves out the password, because a fast hash of a password must not be stored. */
const hashContent = ({ email, firstName, lastName, linkedInUrl }: SignUpRequest) =>
  sha256(JSON.stringify([email, firstName, lastName, linkedInUrl]));
