import { verify } from '@node-rs/argon2';
import pg from 'pg';

interface Account {
  email: string;
  password: string;
}

/** The accounts as they can be printed: where the password has been changed since, that is said instead of the old one. */
export async function stillValid<Name extends string>(
  databaseUrl: string,
  accounts: Record<Name, Account>,
): Promise<Record<Name, Account>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const checked: Partial<Record<Name, Account>> = {};
    for (const [name, account] of Object.entries<Account>(accounts)) {
      const { rows } = await client.query<{ password_hash: string }>(
        'SELECT password_hash FROM auth.users WHERE lower(email) = lower($1)',
        [account.email],
      );
      const fits = rows[0] !== undefined && (await verify(rows[0].password_hash, account.password));
      checked[name as Name] = fits ? account : { ...account, password: '(the password you chose)' };
    }
    return checked as Record<Name, Account>;
  } finally {
    await client.end();
  }
}
