import { DeleteClosedAccounts } from '@meetmark/contracts';
import { daysFromNow } from '@meetmark/testing/factories/events';
import { insertAdministrator, insertUser } from '@meetmark/testing/factories/users';
import { handlersForTests } from '../testing/test-worker.js';

describe('closed accounts', () => {
  const workers = handlersForTests();

  it('are deleted after a week', async () => {
    await insertAdministrator(workers.owner);
    const [open, recent, ...due] = [
      await insertUser(workers.owner),
      await insertUser(workers.owner),
      await insertUser(workers.owner),
      await insertUser(workers.owner),
    ];
    await workers.update('auth.users', recent!.id, { closedAt: daysFromNow(-6.9) });
    for (const { id } of due) await workers.update('auth.users', id, { closedAt: daysFromNow(-7.1) });
    await workers.run('auth', DeleteClosedAccounts, {});
    const rows = await workers.owner.query<{ id: string }[]>(
      'SELECT id FROM auth.users WHERE id = ANY ($1) ORDER BY id',
      [[open, recent, ...due].map((user) => user!.id)],
    );
    expect(rows.map(({ id }) => id)).toEqual([open!.id, recent!.id].toSorted());
  });
});
