import { verify } from '@node-rs/argon2';
import { DEMO_MEMBER_EMAIL, seedDemo } from '../seed/seed-demo.js';
import type { Secrets } from '../stack/secrets.js';
import { withClient } from '../with-client.js';

// A process of its own: what it takes to fill a database would stay with the supervisor for as long as Meetmark runs. It loads what only a first
// start needs when it needs it: that takes 1.5 s of processor time, for which the others would wait at every start.

interface Account {
  email: string;
  password: string;
}

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
  accounts?: { member: Account; administrator: Account };
  /** Of the link with which the first owner is made, where nobody owns the installation. */
  setupToken?: string;
}

export type PreparationAnswer = { prepared: Prepared } | { failed: { message: string; code?: string } };

process.once('message', async (preparation: Preparation) => {
  let answer: PreparationAnswer;
  try {
    answer = { prepared: await prepare(preparation) };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    answer = { failed: { message, code } };
  }
  process.send?.(answer, () => process.disconnect());
});

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
    accounts: {
      member: await printable(urls.databaseUrl, { email: DEMO_MEMBER_EMAIL, password: memberPassword }),
      administrator: await printable(urls.databaseUrl, owner),
    },
  };
}

/** As it can be printed: a password that has been changed since is not the old one. */
async function printable(databaseUrl: string, { email, password }: Account): Promise<Account> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ password_hash: string }>(
      'SELECT password_hash FROM auth.users WHERE lower(email) = lower($1)',
      [email],
    ),
  );
  const stored = rows[0]?.password_hash;
  if (stored === undefined) return { email, password: '(no such account in this database)' };
  return { email, password: (await verify(stored, password)) ? password : '(the password you chose)' };
}
