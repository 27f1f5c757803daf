import { type PayloadOf, ReminderMail } from '@meetmark/contracts';
import { insertEvent, insertRegistration, type RegistrationRow } from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import { workersForTests } from '../testing/test-worker.js';
import { PlanRemindersJob } from './plan-reminders.js';

const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR);

describe('planning reminders', () => {
  const workers = workersForTests();
  beforeEach(() => workers.reset('events.events'));

  const plan = () => new PlanRemindersJob(workers.asWorker).handle();
  const planned = async (): Promise<PayloadOf<typeof ReminderMail>[]> => {
    const rows = await workers.owner.query<{ payload: PayloadOf<typeof ReminderMail> }[]>(
      'SELECT payload FROM events.outbox WHERE job = $1',
      [ReminderMail.name],
    );
    return rows.map(({ payload }) => payload);
  };
  const place = async (startDate: Date, changes: Partial<RegistrationRow> = {}) => {
    const { id: eventId } = await insertEvent(workers.owner, { startDate });
    const { id: userId } = await insertUser(workers.owner);
    return insertRegistration(workers.owner, { eventId, userId, registeredAt: inHours(-72), ...changes });
  };

  it('creates a reminder for a registration when the event starts within a day', async () => {
    const startDate = inHours(23);
    const { id } = await place(startDate);
    await plan();
    expect(await planned()).toEqual([{ registrationId: id, startDate: startDate.toISOString() }]);
  });

  it('creates one reminder when the job runs repeatedly and concurrently', async () => {
    await place(inHours(5));
    await Promise.all([plan(), plan(), plan()]);
    await plan();
    expect(await planned()).toHaveLength(1);
  });

  it.each<[string, Date, Partial<RegistrationRow>]>([
    ['the event starts later', inHours(25), {}],
    ['the event has started', inHours(-1), {}],
    ['the registration was cancelled', inHours(5), { status: 'cancelled' }],
    ['the registration was made less than a day before the event', inHours(5), { registeredAt: inHours(-1) }],
  ])('creates no reminder when %s', async (_, startDate, changes) => {
    await place(startDate, changes);
    await plan();
    expect(await planned()).toEqual([]);
  });

  it('creates no reminder for a cancelled event', async () => {
    const { eventId } = await place(inHours(5));
    await workers.update('events.events', eventId, { status: 'cancelled', cancelledAt: new Date() });
    await plan();
    expect(await planned()).toEqual([]);
  });

  it('creates another reminder when the event is rescheduled', async () => {
    const { eventId } = await place(inHours(5));
    await plan();
    await workers.owner.query(
      `UPDATE events.events SET start_date = start_date + interval '3 hours', end_date = end_date + interval '3 hours'
       WHERE id = $1`,
      [eventId],
    );
    await plan();
    expect(await planned()).toHaveLength(2);
  });
});
