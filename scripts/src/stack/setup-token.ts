import { createSetupToken } from '@meetmark/auth/operator-commands';
import { DomainError } from '@meetmark/contracts';
import type { StoreConfig } from '@meetmark/platform';

/** Of the link with which the first owner is made; undefined where there is an owner. */
export async function setupTokenOf(store: StoreConfig): Promise<string | undefined> {
  try {
    return await createSetupToken(store);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
