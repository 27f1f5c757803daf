import { createSetupToken } from '@meetmark/auth/operator-commands';
import { DomainError } from '@meetmark/contracts';
import { StoreConfig } from '@meetmark/platform';
import { getDatabaseRole } from '../migrations.js';
import { urlForRole } from './environment.js';
import type { Secrets } from './secrets.js';

export const storeOfAuth = (
  { databaseUrl, redisUrl }: { databaseUrl: string; redisUrl: string },
  { databasePasswords }: Secrets,
): StoreConfig =>
  Object.assign(new StoreConfig(), {
    databaseUrl: urlForRole(databaseUrl, getDatabaseRole('auth'), databasePasswords.auth),
    redisUrl,
  });

/** Returns the token of the first owner's setup link, or undefined if there is an owner. */
export async function issueSetupToken(store: StoreConfig): Promise<string | undefined> {
  try {
    return await createSetupToken(store);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
