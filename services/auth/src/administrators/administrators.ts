import { Injectable } from '@nestjs/common';
import { inTransaction, OutboxWriter } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { UserChanges } from '../session-users/user-changes.js';
import { findUserByEmail } from '../users/find-user.js';
import { addUser, EMAIL_EXISTS } from '../users/new-user.js';
import { UserEntity } from '../users/user.entity.js';

export interface Administrator {
  email: string;
  password: string;
}

export type Outcome = 'created' | 'promoted' | 'unchanged';

const NAME = { firstName: 'Community', lastName: 'Administrator' } as const;

/** Makes administrators for whoever runs the system: there is nobody yet whose right could be checked. */
@Injectable()
export class Administrators {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hasher: PasswordHasher,
    private readonly passwords: PasswordsService,
    private readonly changes: UserChanges,
    private readonly outbox: OutboxWriter,
  ) {}

  /** Does nothing when there is an administrator already; safe on several replicas at once. */
  async ensureFirst(administrator: Administrator): Promise<Outcome> {
    if (await this.exists(this.dataSource.manager)) return 'unchanged';
    return this.ensure(administrator, async (manager) => !(await this.exists(manager)));
  }

  /**
   * The account with this address becomes an administrator's. One that was a member's takes the password too: nobody has
   * shown yet that the address is really theirs. One that is an administrator's stays as it is.
   */
  async ensure(
    { email, password }: Administrator,
    wanted = (_manager: EntityManager): Promise<boolean> => Promise.resolve(true),
  ): Promise<Outcome> {
    const passwordHash = await this.hasher.hash(password);
    const present = await findUserByEmail(this.dataSource.manager, email);
    if (present?.isAdmin) return 'unchanged';
    if (present === null) {
      return inTransaction(
        this.dataSource,
        (manager) => this.create(manager, email, passwordHash, wanted),
        EMAIL_EXISTS,
      );
    }
    const { result } = await this.changes.commit(present.id, async (manager): Promise<Outcome> => {
      await lockAdministrators(manager);
      if (!(await wanted(manager))) return 'unchanged';
      await manager.update(
        UserEntity,
        { id: present.id },
        { isAdmin: true, emailVerifiedAt: () => 'coalesce(email_verified_at, now())' },
      );
      await this.passwords.set(manager, present.id, passwordHash);
      return 'promoted';
    });
    return result;
  }

  private async create(
    manager: EntityManager,
    email: string,
    passwordHash: string,
    wanted: (manager: EntityManager) => Promise<boolean>,
  ): Promise<Outcome> {
    await lockAdministrators(manager);
    if (!(await wanted(manager))) return 'unchanged';
    await addUser(manager, this.outbox, {
      ...NAME,
      email,
      passwordHash,
      linkedInUrl: null,
      isAdmin: true,
      verified: true,
    });
    return 'created';
  }

  private exists = (manager: EntityManager) => manager.existsBy(UserEntity, { isAdmin: true });
}

const lockAdministrators = (manager: EntityManager) => manager.query('SELECT auth.lock_administrators()');
