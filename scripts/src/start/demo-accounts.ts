import { verify } from '@node-rs/argon2';
import { DEMO_MEMBER_EMAIL } from '../seed/seed-demo.js';
import type { Secrets } from '../stack/secrets.js';
import { withClient } from '../with-client.js';

interface Account {
  email: string;
  password: string;
}

export interface DemoAccounts {
  member: Account;
  administrator: Account;
}

/** Returns the accounts to print, or null if there are no users. Omits passwords that users have changed. */
export async function demoAccounts(
  databaseUrl: string,
  { adminEmail, adminPassword, memberPassword }: Secrets,
): Promise<DemoAccounts | null> {
  const [stored, isEmpty] = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ email: string; hash: string }>(
      'SELECT lower(email) AS email, password_hash AS hash FROM auth.users WHERE lower(email) = ANY ($1)',
      [[adminEmail, DEMO_MEMBER_EMAIL].map((email) => email.toLowerCase())],
    );
    const some = rows.length > 0 || (await client.query('SELECT FROM auth.users LIMIT 1')).rowCount === 1;
    return [new Map(rows.map(({ email, hash }) => [email, hash])), !some] as const;
  });
  if (isEmpty) return null;
  const printable = async (email: string, password: string): Promise<Account> => {
    const hash = stored.get(email.toLowerCase());
    if (hash === undefined) return { email, password: '(no such account in this database)' };
    return { email, password: (await verify(hash, password)) ? password : '(the password you chose)' };
  };
  return {
    member: await printable(DEMO_MEMBER_EMAIL, memberPassword),
    administrator: await printable(adminEmail, adminPassword),
  };
}
