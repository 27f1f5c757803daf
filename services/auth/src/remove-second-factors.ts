import { DomainError } from '@meetmark/contracts';
import type { StoreConfig } from '@meetmark/platform';
import { withAccounts } from './create-administrator.js';
import { SecondFactorsRepository } from './second-factors/second-factors.repository.js';
import { endSecondFactors } from './second-factors/second-factors.service.js';
import { findUserByEmail, lockUser } from './users/users.repository.js';

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
      const user = await lockUser(manager, found.id);
      if (user === null) throw new DomainError('USER_NOT_FOUND');
      await endSecondFactors(manager, new SecondFactorsRepository(dataSource), outbox, user.id);
      await audit.record(manager, 'user.secondFactorsRemoved', user, user);
    });
  });
}
