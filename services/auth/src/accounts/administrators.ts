import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { inTransaction, OutboxWriter } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { AuthConfig } from '../auth.config.js';
import { Verification } from '../codes/verification.js';
import { UserChanges } from '../users/user-changes.js';
import { UserEntity } from '../users/user.entity.js';
import {
  addUser,
  EMAIL_EXISTS,
  findUserByEmail,
  isOwned,
  lockAdministrators,
  lockPresent,
} from '../users/users.repository.js';

export interface Administrator {
  email: string;
  password: string;
}

export type Outcome = 'created' | 'promoted' | 'unchanged';

const NAME = { firstName: 'Community', lastName: 'Admin' } as const;

/** Makes administrators for the operator: there is no caller yet whose right could be checked. */
@Injectable()
export class Administrators {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hasher: PasswordHasher,
    private readonly passwords: PasswordsService,
    private readonly changes: UserChanges,
    private readonly verification: Verification,
    private readonly outbox: OutboxWriter,
  ) {}

  /** Does nothing when there is an administrator already; safe on several replicas at once. */
  async ensureFirst(administrator: Administrator): Promise<Outcome> {
    if (await isOwned(this.dataSource.manager)) return 'unchanged';
    return this.ensure(administrator, async (manager) => !(await isOwned(manager)));
  }

  /**
   * The account with this address becomes an administrator's, and takes the password. The operator vouches for the address: what was set
   * before somebody had proved it ends. One that is an administrator's stays as it is.
   */
  async ensure(
    { email, password }: Administrator,
    wanted = (_manager: EntityManager): Promise<boolean> => Promise.resolve(true),
  ): Promise<Outcome> {
    const passwordHash = await this.hasher.hash(password);
    const present = await findUserByEmail(this.dataSource.manager, email);
    if (present?.isAdmin) return 'unchanged';
    if (present === null)
      return inTransaction(
        this.dataSource,
        async (manager): Promise<Outcome> => {
          await lockAdministrators(manager);
          if (!(await wanted(manager))) return 'unchanged';
          const rights = { linkedInUrl: null, isAdmin: true, verified: true };
          await addUser(manager, this.outbox, { ...NAME, ...rights, email, passwordHash });
          return 'created';
        },
        EMAIL_EXISTS,
      );
    const { result } = await this.changes.commit(present.id, async (manager): Promise<Outcome> => {
      await lockAdministrators(manager);
      if (!(await wanted(manager))) return 'unchanged';
      await this.verification.proved(manager, await lockPresent(manager, present.id), {
        byItsOwner: false,
        withPassword: true,
      });
      await manager.update(UserEntity, { id: present.id }, { isAdmin: true });
      await this.passwords.set(manager, present.id, passwordHash);
      return 'promoted';
    });
    return result;
  }
}

/** ADMIN_EMAIL and ADMIN_PASSWORD at first start make the first administrator. */
@Injectable()
export class FirstAdministrator implements OnApplicationBootstrap {
  private readonly logger = new Logger(FirstAdministrator.name);

  constructor(
    private readonly config: AuthConfig,
    private readonly administrators: Administrators,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { adminEmail: email, adminPassword: password } = this.config;
    if (email === undefined || password === undefined) return;
    const outcome = await this.administrators.ensureFirst({ email, password });
    if (outcome !== 'unchanged') this.logger.log(`the first administrator was ${outcome}`);
  }
}
