import { createAdministrator } from '@meetmark/auth/create-administrator';
import { StoreConfig } from '@meetmark/platform';
import { loadCommunity } from '@meetmark/platform/community/community';
import { roleOf } from '../migrations.js';
import { seedDemo } from '../seed/seed-demo.js';
import { communityFileOf, urlForRole } from '../stack/environment.js';
import type { Secrets } from '../stack/secrets.js';
import type { Settings } from './settings.js';

/** Seeds an empty database; in one that is filled already, an administrator named by the user is made when missing. */
export async function prepareCommunity(
  urls: { databaseUrl: string; redisUrl: string },
  secrets: Secrets,
  { root, environment, administrator }: Settings,
  note: (message: string, source: string) => void,
): Promise<{ memberEmail: string }> {
  const account = { email: secrets.adminEmail, password: secrets.adminPassword };
  const { timeZone } = loadCommunity(communityFileOf(root, environment));
  const { seeded, memberEmail } = await seedDemo(urls.databaseUrl, {
    administrator: account,
    memberPassword: secrets.memberPassword,
    timeZone,
  });
  if (seeded) {
    note('the demo community is in', 'seed');
  } else if (administrator.email !== undefined) {
    const databaseUrl = urlForRole(urls.databaseUrl, roleOf('auth'), secrets.databasePasswords.auth);
    const outcome = await createAdministrator(
      Object.assign(new StoreConfig(), { ...urls, databaseUrl }),
      account,
    );
    note(`administrator ${account.email}: ${outcome}`, 'seed');
  }
  return { memberEmail };
}
