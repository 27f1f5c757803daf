import { seedDemo } from '../seed/seed-demo.js';
import type { Secrets } from '../stack/secrets.js';
import { type DemoAccounts, demoAccounts } from './demo-accounts.js';

// A process of its own: what it takes to fill a database would stay with the supervisor for as long as Meetmark runs.

export interface Preparation {
  urls: { databaseUrl: string; redisUrl: string };
  secrets: Secrets;
  /** Path. Null: the installation stays empty. */
  communityFile: string | null;
  /** Whether the user said who it is. */
  hasNamedAdministrator: boolean;
}

export interface Prepared {
  /** Said to the user, in this order. */
  notes: string[];
  /** Of the demo community, with passwords that can be printed. */
  accounts?: DemoAccounts;
  /** Of the link with which the first owner is made, where nobody owns the installation. */
  setupToken?: string;
}

export type PreparationAnswer = { prepared: Prepared } | { failed: { message: string; code?: string } };

process.once('message', (preparation: Preparation) => void answerTo(preparation));

/** Never rejects: what fails is the answer. */
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
 * Seeds an empty database, unless it is to stay empty; in one that is filled already, an administrator named by the user is made when
 * missing.
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
    return [`administrator ${owner.email}: ${await createAdministrator(await store(), owner)}`];
  };
  if (communityFile === null) {
    const { setupTokenOf } = await import('../stack/setup-token.js');
    return { notes: await nameAdministrator(), setupToken: await setupTokenOf(await store()) };
  }
  const { memberPassword } = secrets;
  const seeded = await seedDemo(urls.databaseUrl, async () => {
    const { loadCommunity } = await import('@meetmark/platform/community/community');
    return { administrator: owner, memberPassword, timeZone: loadCommunity(communityFile).timeZone };
  });
  return {
    notes: seeded ? ['the demo community is in'] : await nameAdministrator(),
    accounts: (await demoAccounts(urls.databaseUrl, secrets)) ?? undefined,
  };
}
