import { WelcomeMail } from '@meetmark/contracts';
import type { DataSource } from 'typeorm';
import { inTransaction } from '../database/transaction.js';
import { runInCall, StartedCall } from '../call/call.js';
import { databaseForTests } from '../testing/database-for-tests.js';
import { OUTBOX_CHANNEL, OutboxWriter } from './outbox.repository.js';

const ID = '018f4d6e-0000-7000-8000-000000000001';

describe('the outbox', () => {
  const outbox = new OutboxWriter('auth');
  let dataSource: DataSource;
  const notifications: (string | undefined)[] = [];
  const database = databaseForTests();
  beforeAll(async () => {
    dataSource = await database.connect('auth');
    database.owner.on('notification', ({ payload }) => notifications.push(payload));
    await database.owner.query(`listen ${OUTBOX_CHANNEL}`);
  });

  const rows = async () => (await database.owner.query('select * from auth.outbox order by created_at')).rows;

  it('stores a job and notifies the relay when the transaction commits', async () => {
    const call = new StartedCall({ requestId: 'request-1', timeLeft: 1_000 });
    const notBefore = new Date(Date.now() + 60_000);
    const id = await runInCall(call, () =>
      inTransaction(dataSource, (manager) =>
        outbox.add(manager, WelcomeMail, { userId: 'u1' }, { notBefore }),
      ),
    );
    const job = { id, job: 'mail.welcome', payload: { userId: 'u1' } };
    expect(await rows()).toMatchObject([{ ...job, request_id: 'request-1', available_at: notBefore }]);
    expect(notifications).toEqual(['auth']);
  });

  it('neither stores a job nor notifies the relay if the transaction fails', async () => {
    const work = inTransaction(dataSource, async (manager) => {
      await outbox.add(manager, WelcomeMail, { userId: 'u2' });
      throw new Error('changed our mind');
    });
    await expect(work).rejects.toThrow('changed our mind');
    expect(await rows()).toHaveLength(1);
    expect(notifications).toHaveLength(1);
  });

  it('stores only one job under a given id', async () => {
    const add = () =>
      inTransaction(dataSource, (manager) => outbox.add(manager, WelcomeMail, { userId: 'u3' }, { id: ID }));
    expect([await add(), await add()]).toEqual([ID, ID]);
    expect((await rows()).filter(({ id }) => id === ID)).toHaveLength(1);
  });
});
