import { DeleteClosedAccounts } from '@meetmark/contracts';
import { daysFromNow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertAdministrator, insertUser } from '@meetmark/testing/factories/users';
import { handlersForTests } from '../testing/test-worker.js';

describe('closed accounts', () => {
  const workers = handlersForTests();
  let administratorId: string;
  beforeAll(async () => {
    administratorId = (await insertAdministrator(workers.owner)).id;
  });

  const insertMember = async () => (await insertUser(workers.owner)).id;
  const closeFor = async (days: number, id: string) => {
    await workers.update('auth.users', id, { closedAt: daysFromNow(-days) });
    return id;
  };
  const listLeft = async (ids: string[]) => {
    const rows = await workers.owner.query<{ id: string }[]>(
      'SELECT id FROM auth.users WHERE id = ANY ($1) ORDER BY id',
      [ids],
    );
    return rows.map(({ id }) => id);
  };

  it('are deleted after a week', async () => {
    const [open, recent] = [await insertMember(), await closeFor(6.9, await insertMember())];
    const due = [await closeFor(7.1, await insertMember()), await closeFor(7.1, await insertMember())];
    await workers.run('auth', DeleteClosedAccounts, {});
    expect(await listLeft([open, recent, ...due])).toEqual([open, recent].toSorted());
  });

  it('are all deleted even if the job is interrupted after the first one', async () => {
    const due = [await insertMember(), await insertMember(), await insertMember()];
    const eventIds: string[] = [];
    for (const [index, userId] of due.entries()) {
      const given = { startDate: daysFromNow(-20), createdById: administratorId };
      const { id: eventId } = await insertEvent(workers.owner, given);
      await insertRegistration(workers.owner, { eventId, userId, registeredAt: daysFromNow(-60) });
      await closeFor(10 - index, userId);
      eventIds.push(eventId);
    }
    await workers.runInterrupted(
      'auth',
      DeleteClosedAccounts,
      {},
      {
        lock: `SELECT FROM events.events WHERE id = '${eventIds[1]}' FOR UPDATE`,
        halfway: async () => expect(await listLeft(due)).toHaveLength(2),
      },
    );
    expect(await listLeft(due)).toEqual([]);
    const counts = await workers.owner.query(
      'SELECT registration_count AS count FROM events.events WHERE id = ANY ($1)',
      [eventIds],
    );
    expect(counts).toEqual([{ count: 1 }, { count: 1 }, { count: 1 }]);
  });
});
