import { createSetupToken } from '@meetmark/auth/operator-commands';
import { DomainError } from '@meetmark/contracts';
import { StoreConfig } from '@meetmark/platform';
import { roleOf } from '../migrations.js';
import { urlForRole } from './environment.js';
import type { Secrets } from './secrets.js';

/** As the auth service reaches what it stores. */
export const storeOfAuth = (
  { databaseUrl, redisUrl }: { databaseUrl: string; redisUrl: string },
  { databasePasswords }: Secrets,
): StoreConfig =>
  Object.assign(new StoreConfig(), {
    databaseUrl: urlForRole(databaseUrl, roleOf('auth'), databasePasswords.auth),
    redisUrl,
  });

/** Of the link with which the first owner is made; undefined where there is an owner. */
export async function setupTokenOf(store: StoreConfig): Promise<string | undefined> {
  try {
    return await createSetupToken(store);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
