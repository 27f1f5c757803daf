import { seedDemo } from '../seed/seed-demo.js';
import type { Secrets } from '../stack/secrets.js';
import { type DemoAccounts, demoAccounts } from './demo-accounts.js';

// Runs in a separate process, because its end frees the memory. The supervisor would keep it.

export interface Preparation {
  urls: { databaseUrl: string; redisUrl: string };
  secrets: Secrets;
  /** Path of the demo community's settings. If null, the installation stays empty. */
  communityFile: string | null;
  hasNamedAdministrator: boolean;
}

export interface Prepared {
  notes: string[];
  accounts?: DemoAccounts;
  setupToken?: string;
}

export type PreparationAnswer = { prepared: Prepared } | { failed: { message: string; code?: string } };

process.once('message', (preparation: Preparation) => void answerTo(preparation));

async function answerTo(preparation: Preparation): Promise<void> {
  let answer: PreparationAnswer;
  try {
    answer = { prepared: await prepare(preparation) };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    answer = { failed: { message, code } };
  }
  process.send?.(answer, () => process.disconnect());
}

/**
 * Adds the demo to an empty database, unless `communityFile` is null. If no demo is added, creates the
 * administrator that the user named, if any.
 */
async function prepare({
  urls,
  secrets,
  communityFile,
  hasNamedAdministrator,
}: Preparation): Promise<Prepared> {
  const owner = { email: secrets.adminEmail, password: secrets.adminPassword };
  const store = async () => (await import('../stack/setup-token.js')).storeOfAuth(urls, secrets);
  const nameAdministrator = async () => {
    if (!hasNamedAdministrator) return [];
    const { createAdministrator } = await import('@meetmark/auth/operator-commands');
    return [`Owner ${owner.email}: ${await createAdministrator(await store(), owner)}`];
  };
  if (communityFile === null) {
    const { issueSetupToken } = await import('../stack/setup-token.js');
    return { notes: await nameAdministrator(), setupToken: await issueSetupToken(await store()) };
  }
  const { memberPassword } = secrets;
  const seeded = await seedDemo(urls.databaseUrl, async () => {
    const { loadCommunity } = await import('@meetmark/platform/community/community');
    return { administrator: owner, memberPassword, timeZone: loadCommunity(communityFile).timeZone };
  });
  return {
    notes: seeded ? ['The demo community was added'] : await nameAdministrator(),
    accounts: (await demoAccounts(urls.databaseUrl, secrets)) ?? undefined,
  };
}
