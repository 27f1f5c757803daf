import { BROWSER_DEADLINE, DomainError } from '@meetmark/contracts';
import { databaseOptions, OutboxWriter, RetryingDataSource, type StoreConfig } from '@meetmark/platform';
import type { DataSource } from 'typeorm';
import { Administrators, type Administrator, type Outcome } from './accounts/administrators.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { SecondFactorsRepository } from './second-factors/second-factors.repository.js';
import { endSecondFactors } from './second-factors/second-factors.service.js';
import { Verification } from './codes/verification.js';
import { SessionUserCache } from './users/session-user.cache.js';
import { AuditTrail, UserChanges } from './users/user-changes.js';
import { newSetupToken } from './accounts/setup.service.js';
import { UserEntity } from './users/user.entity.js';
import { findUserByEmail, lockPresent } from './users/users.repository.js';

/** @param config must have a databaseUrl for the role meetmark_auth */
export async function createAdministrator(
  config: StoreConfig,
  administrator: Administrator,
): Promise<Outcome> {
  return withAccounts(config, ({ dataSource, changes, outbox }) => {
    const hasher = new PasswordHasher();
    const verification = new Verification(outbox, new SecondFactorsRepository(dataSource));
    return new Administrators(dataSource, hasher, changes, verification, outbox).ensure(administrator);
  });
}

/**
 * Also ends the member's sessions and emails the member. The audit log names the member as the actor.
 * @param config must have a databaseUrl for the role meetmark_auth
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
 * @param config must have a databaseUrl for the role meetmark_auth
 * @throws DomainError NOT_FOUND if the installation already has an owner
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

/** Waits longer for a connection than a service does, because a command blocks no other calls. */
async function withAccounts<T>(config: StoreConfig, work: (accounts: Accounts) => Promise<T>): Promise<T> {
  const patient = { ...config, databasePoolWait: BROWSER_DEADLINE };
  const options = databaseOptions(patient, { schema: 'auth', entities: [UserEntity] });
  const dataSource = new RetryingDataSource(options);
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
