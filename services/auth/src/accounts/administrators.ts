import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { inTransaction, OutboxWriter } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { setPassword } from '../passwords/passwords.service.js';
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

/** Creates administrators for the operator. Checks no rights, because operator commands have no caller. */
@Injectable()
export class Administrators {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hasher: PasswordHasher,
    private readonly changes: UserChanges,
    private readonly verification: Verification,
    private readonly outbox: OutboxWriter,
  ) {}

  /**
   * Creates the first administrator. Does nothing if there is one, even if several replicas start at the same
   * time.
   */
  async ensureFirst(administrator: Administrator): Promise<Outcome> {
    if (await isOwned(this.dataSource.manager)) return 'unchanged';
    return this.ensure(administrator, async (manager) => !(await isOwned(manager)));
  }

  /**
   * Creates an administrator, or promotes the account with this email address. Promotion verifies the email
   * address, ends all earlier access to the account, and restores a closed one. Does nothing if the user is already an administrator.
   */
  async ensure(
    { email, password }: Administrator,
    wanted = (_manager: EntityManager): Promise<boolean> => Promise.resolve(true),
  ): Promise<Outcome> {
    const passwordHash = await this.hasher.hash(password);
    const present = await findUserByEmail(this.dataSource.manager, email);
    if (present?.isAdmin && present.closedAt === null) return 'unchanged';
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
      await manager.update(UserEntity, { id: present.id }, { closedAt: null });
      await this.verification.proved(manager, await lockPresent(manager, present.id), {
        byItsOwner: false,
        withPassword: true,
      });
      await manager.update(UserEntity, { id: present.id }, { isAdmin: true });
      await setPassword(manager, this.outbox, present.id, passwordHash);
      return 'promoted';
    });
    return result;
  }
}

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
    if (outcome !== 'unchanged') this.logger.log(`First owner ${outcome} from ADMIN_EMAIL`);
  }
}
