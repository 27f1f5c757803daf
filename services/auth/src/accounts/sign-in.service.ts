import { createHash } from 'node:crypto';
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
import { addUser, EMAIL_EXISTS, findUserByEmail, noteUse, Ownership } from '../users/users.repository.js';
import { keepSignUp, signUpOf } from './accounts.repository.js';
import { PasswordHasher } from '../passwords/password-hasher.js';

@Injectable()
export class SignInService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hasher: PasswordHasher,
    private readonly changes: UserChanges,
    private readonly outbox: OutboxWriter,
    private readonly flows: CodeFlows,
    private readonly ownership: Ownership,
  ) {}

  async signUp({ idempotencyKey: key, ...request }: KeyedSignUpRequest): Promise<SessionUser> {
    await this.ownership.required();
    const user = key === undefined ? await this.makeMember(request) : await this.makeMemberOnce(key, request);
    return presentSessionUser(user);
  }

  /**
   * A sign-up whose answer was lost is repeated, and finds what it made. Whichever of several at the same moment is not the first finds its
   * address taken, and then what the first has made.
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
   * The account that the same request made under this key; null when there was none. It signs in, so the password is judged as
   * it is now, and nothing is repeated for an account that has become more than it was.
   * @throws DomainError IDEMPOTENCY_CONFLICT when it was another request
   */
  private async madeBefore(key: string, request: SignUpRequest): Promise<UserEntity | null> {
    const { manager } = this.dataSource;
    const made = await signUpOf(manager, sha256(key));
    if (made === null) return null;
    if (!made.requestHash.equals(contentOf(request))) throw new DomainError('IDEMPOTENCY_CONFLICT');
    const user = await manager.findOneBy(UserEntity, { id: made.userId });
    const fits = await this.hasher.verify(user?.passwordHash ?? undefined, request.password);
    if (user === null || !fits || user.isAdmin || user.secondFactor)
      throw new DomainError('IDEMPOTENCY_CONFLICT');
    return user;
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
        const signUp = { requestHash: contentOf(request), userId: added.id };
        if (key !== undefined && !(await keepSignUp(manager, sha256(key), signUp)))
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
    if (user.emailVerifiedAt === null) await noteUse(this.dataSource.manager, user.id);
    if (!this.hasher.isOutdated(user.passwordHash)) return presentSessionUser(user);
    return this.rehash(user, password);
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

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** The hash of the request without the password: a fast hash of that must not be kept, and the account's own judges it. */
const contentOf = ({ email, firstName, lastName, linkedInUrl }: SignUpRequest) =>
  sha256(JSON.stringify([email, firstName, lastName, linkedInUrl]));
