import { FollowDeletedAccount, PromotedMail, PUBLIC_EVENTS_VERSION } from '@meetmark/contracts';
import { daysFromNow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import { workersForTests } from '../testing/test-worker.js';
import { LapsePlacesJob } from './lapse-places.js';

describe('places of members whose address is not verified', () => {
  const workers = workersForTests();
  beforeAll(async () => {
    await workers.start();
  });

  /** An event of one place, taken so many hours ago by a member whose address is not verified. */
  const taken = async (hours: number) => {
    const event = await insertEvent(workers.owner, {
      ...{ title: 'Search meetup', capacity: 1, startDate: daysFromNow(9), endDate: daysFromNow(10) },
    });
    const member = await insertUser(workers.owner, { emailVerifiedAt: null });
    const registeredAt = new Date(Date.now() - hours * 3_600_000);
    await insertRegistration(workers.owner, { eventId: event.id, userId: member.id, registeredAt });
    return { event, member };
  };
  const state = async (userId: string) => {
    const [row] = await workers.owner.query<{ status: string; ended: string | null }[]>(
      'SELECT status, ended_as AS ended FROM events.event_registrations WHERE user_id = $1',
      [userId],
    );
    return row;
  };

  it('lapse at several events when their moment has come, after which no cached answer is valid any more', async () => {
    const worker = await workers.start();
    const version = async () => Number((await workers.redis.get(PUBLIC_EVENTS_VERSION)) ?? 0);
    // before anything is due: the worker's own schedule may be first
    const before = await version();
    const due = [await taken(25), await taken(30)];
    const { member: early } = await taken(23);
    const job = worker.get(LapsePlacesJob);
    await Promise.all([job.handle(), job.handle()]);
    await workers.eventually('the new version', async () => (await version()) > before);
    for (const { member } of due)
      expect(await state(member.id)).toEqual({ status: 'cancelled', ended: 'lapsed' });
    expect(await state(early.id)).toEqual({ status: 'registered', ended: null });
    await workers.eventually('a run that ends nothing and raises nothing', async () => {
      const after = await version();
      await job.handle();
      return (await version()) === after;
    });
  });

  it('got from the waiting list are told by mail, once, with a link that keeps them and until when', async () => {
    const { event, member } = await taken(0);
    const [place] = await workers.owner.query<{ id: string; registeredAt: Date; lapsesAt: Date }[]>(
      `SELECT id, registered_at AS "registeredAt", lapses_at AS "lapsesAt" FROM events.event_registrations WHERE user_id = $1`,
      [member.id],
    );
    const told = { registrationId: place!.id, registeredAt: place!.registeredAt.toISOString() };
    workers.smtp.received.length = 0;
    await workers.ask('events', PromotedMail, told);
    const { mail, recipients } = await workers.onlyMail();
    expect([recipients, mail.subject]).toEqual([
      [member.email],
      `Confirm your address to keep your place at ${event.title}`,
    ]);
    expect(mail.text).toContain('https://meet.example/confirm#verify.');
    expect(mail.text).toContain('it is kept until ');
    expect(mail.text).not.toMatch(/\b\d{6}\b/);
    expect(mail.text).not.toContain(member.firstName);
  });
});

describe('a deleted account', () => {
  const workers = workersForTests();

  it('makes every cached answer invalid, also where the gateway could tell nobody of it', async () => {
    await workers.start();
    const version = async () => Number((await workers.redis.get(PUBLIC_EVENTS_VERSION)) ?? 0);
    const before = await version();
    await workers.ask('auth', FollowDeletedAccount, {});
    await workers.eventually('the new version', async () => (await version()) > before);
  });
});
