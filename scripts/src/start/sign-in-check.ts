import { verify } from '@node-rs/argon2';
import { withClient } from '../with-client.js';

interface Account {
  email: string;
  password: string;
}

/** The accounts as they can be printed: where the password has been changed since, that is said instead of the old one. */
export async function stillValid<Name extends string>(
  databaseUrl: string,
  accounts: Record<Name, Account>,
): Promise<Record<Name, Account>> {
  return withClient(databaseUrl, async (client) => {
    const checked: Partial<Record<Name, Account>> = {};
    for (const [name, account] of Object.entries<Account>(accounts)) {
      const { rows } = await client.query<{ password_hash: string }>(
        'SELECT password_hash FROM auth.users WHERE lower(email) = lower($1)',
        [account.email],
      );
      const stored = rows[0]?.password_hash;
      checked[name as Name] = { ...account, password: await printable(stored, account.password) };
    }
    return checked as Record<Name, Account>;
  });
}

async function printable(stored: string | undefined, password: string): Promise<string> {
  if (stored === undefined) return '(no such account in this database)';
  return (await verify(stored, password)) ? password : '(the password you chose)';
}
