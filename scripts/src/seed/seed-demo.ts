import { withClient } from '../with-client.js';
import { DEMO_MEMBERS, getEmail } from './demo-members.js';

export interface DemoAccounts {
  administrator: { email: string; password: string };
  memberPassword: string;
  timeZone: string;
}

/** Email address for signing in to the demo as a member. */
export const DEMO_MEMBER_EMAIL = getEmail(DEMO_MEMBERS[0]!);

/** Fills an empty database in one transaction. If there are users, only returns false. */
export const seedDemo = (databaseUrl: string, accounts: () => Promise<DemoAccounts>): Promise<boolean> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ empty: boolean }>(
      'SELECT NOT EXISTS (SELECT FROM auth.users) AS empty',
    );
    if (!rows[0]?.empty) return false;
    const { fill } = await import('./fill-demo.js');
    await fill(client, await accounts());
    return true;
  });
