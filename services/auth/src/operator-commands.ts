import { BROWSER_DEADLINE, DomainError } from '@meetmark/contracts';
import { databaseOptions, OutboxWriter, type StoreConfig } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { Administrators, type Administrator, type Outcome } from './accounts/administrators.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { PasswordsService } from './passwords/passwords.service.js';
import { SecondFactorsRepository } from './second-factors/second-factors.repository.js';
import { endSecondFactors } from './second-factors/second-factors.service.js';
import { Verification } from './codes/verification.js';
import { SessionUserCache } from './users/session-user.cache.js';
import { AuditTrail, UserChanges } from './users/user-changes.js';
import { newSetupToken } from './accounts/setup.service.js';
import { UserEntity } from './users/user.entity.js';
import { findUserByEmail, lockPresent } from './users/users.repository.js';

/**
 * Makes the account with this address an administrator's, whether or not it exists; safe to repeat. For the command line: the
 * running service does the same at its first start from ADMIN_EMAIL and ADMIN_PASSWORD.
 * @param config databaseUrl is that of the role meetmark_auth
 */
export async function createAdministrator(
  config: StoreConfig,
  administrator: Administrator,
): Promise<Outcome> {
  return withAccounts(config, ({ dataSource, changes, outbox }) => {
    const hasher = new PasswordHasher();
    const verification = new Verification(outbox, new SecondFactorsRepository(dataSource));
    const passwords = new PasswordsService(dataSource, hasher, changes, outbox);
    return new Administrators(dataSource, hasher, passwords, changes, verification, outbox).ensure(
      administrator,
    );
  });
}

/**
 * For a person who lost their second factors where no administrator can remove them. Their sessions end, they are mailed, and the audit
 * log has an entry in their own name, since no administrator acted.
 * @param config databaseUrl is that of the role meetmark_auth
 * @throws DomainError USER_NOT_FOUND, SECOND_FACTOR_NOT_FOUND
 */
export async function removeSecondFactors(config: StoreConfig, email: string): Promise<void> {
  await withAccounts(config, async ({ dataSource, changes, outbox, audit }) => {
    const found = await findUserByEmail(dataSource.manager, email);
    if (found === null) throw new DomainError('USER_NOT_FOUND');
    await changes.commit(found.id, async (manager) => {
      const user = await lockPresent(manager, found.id);
      await endSecondFactors(manager, new SecondFactorsRepository(dataSource), outbox, user.id);
      await audit.record(manager, 'user.secondFactorsRemoved', user, user);
    });
  });
}

/**
 * The secret of a link with which the first owner is made and the community set up; an earlier one ends.
 * @param config databaseUrl is that of the role meetmark_auth
 * @throws DomainError NOT_FOUND when there is an owner
 */
export function createSetupToken(config: StoreConfig): Promise<string> {
  return withAccounts(config, ({ dataSource }) => newSetupToken(dataSource));
}

interface Accounts {
  dataSource: DataSource;
  changes: UserChanges;
  outbox: OutboxWriter;
  audit: AuditTrail;
}

/**
 * What a command changes accounts with, while `work` runs. It waits for a connection as long as a person would: no call waits behind it.
 * @throws the reason why there is none
 */
async function withAccounts<T>(config: StoreConfig, work: (accounts: Accounts) => Promise<T>): Promise<T> {
  const patient = { ...config, databasePoolWait: BROWSER_DEADLINE };
  const dataSource = new DataSource(databaseOptions(patient, { schema: 'auth', entities: [UserEntity] }));
  await dataSource.initialize();
  const cache = new SessionUserCache(config);
  try {
    await cache.connected();
    const outbox = new OutboxWriter('auth');
    const audit = new AuditTrail(outbox);
    return await work({ dataSource, changes: new UserChanges(dataSource, cache, audit), outbox, audit });
  } finally {
    cache.onApplicationShutdown();
    await dataSource.destroy();
  }
}
