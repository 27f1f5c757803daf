import { DigestMail } from '@meetmark/contracts';
import { daysFromNow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertUser, type UserRow } from '@meetmark/testing/factories/users';
import { DateTime } from 'luxon';
import { handlersForTests, stoppedBy } from '../testing/test-worker.js';
import { digestDue, PlanDigestJob } from './digest.js';

describe('digestDue', () => {
  it.each([
    ['2027-03-29T06:59:59Z', 'Europe/London', null],
    ['2027-03-29T07:00:00Z', 'Europe/London', '2027-03-29'],
    ['2027-03-29T22:59:59Z', 'Europe/London', '2027-03-29'],
    ['2027-03-29T23:00:00Z', 'Europe/London', null],
    ['2027-01-04T07:59:59Z', 'Europe/London', null],
    ['2027-01-04T08:00:00Z', 'Europe/London', '2027-01-04'],
    ['2027-03-30T03:59:59Z', 'America/New_York', '2027-03-29'],
    ['2027-03-28T20:59:59Z', 'Australia/Lord_Howe', null],
    ['2027-03-28T21:00:00Z', 'Australia/Lord_Howe', '2027-03-29'],
    ['2027-03-29T02:15:00Z', 'Asia/Kathmandu', '2027-03-29'],
    ['2027-03-30T12:00:00Z', 'Europe/London', null],
  ])('returns the date on Mondays from 8:00, at %s in %s: %s', (now, timeZone, date) => {
    expect(digestDue(new Date(now), timeZone)).toBe(date);
  });
});

describe('the weekly digest', () => {
  const workers = handlersForTests();
  let ada: UserRow;
  let organiserId: string;
  const week = DateTime.fromJSDate(new Date(), { zone: 'Europe/London' }).startOf('week').toISODate()!;

  beforeEach(async () => {
    await workers.reset('auth.users', 'events.topics', 'events.digests', 'events.subscriptions');
    ada = await insertUser(workers.owner);
    organiserId = await withoutDigest();
  });

  const withoutDigest = async () => {
    const { id } = await insertUser(workers.owner);
    await workers.update('auth.users', id, { digest: false });
    return id;
  };
  const anEvent = (title: string, daysAgo: number, given: Parameters<typeof insertEvent>[1] = {}) =>
    insertEvent(workers.owner, {
      ...{ title, createdAt: daysFromNow(-daysAgo), createdById: organiserId },
      ...{ startDate: daysFromNow(10) },
      ...given,
    });
  const plan = () => new PlanDigestJob(workers.asWorker, { timeZone: 'Europe/London' }).plan(week);
  const planned = () =>
    workers.owner.query<{ id: string }[]>('SELECT id FROM events.outbox WHERE job = $1', [DigestMail.name]);
  const only = async () => {
    await plan();
    const received = await workers.onlyMail();
    return { ...received, text: received.mail.text ?? '' };
  };
  const inOrder = (text: string, ...words: string[]) => {
    const places = words.map((word) => text.indexOf(word));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((one, other) => one - other));
  };

  it('lists the member’s events, new events and nearly full events', async () => {
    const own = await anEvent('Mine', 1, { startDate: new Date(Date.now() + 60_000) });
    await insertRegistration(workers.owner, { eventId: own.id, userId: ada.id });
    await anEvent('Brand new', 2);
    const full = await anEvent('Popular', 30, { capacity: 5 });
    for (let taken = 0; taken < 4; taken += 1)
      await insertRegistration(workers.owner, { eventId: full.id, userId: await withoutDigest() });
    await anEvent('Long known', 30);
    const { text, ...received } = await only();
    inOrder(text, 'Your week', 'Mine', 'New', 'Brand new', 'Nearly full', 'Popular');
    expect(text).not.toContain('Long known');
    expect(text.split('Brand new')).toHaveLength(2);
    expect(stoppedBy(received)).toEqual({ userId: ada.id, list: 'digest' });
  });

  it('includes a running event of the member but not a past one', async () => {
    for (const [title, start, end] of [
      ['Running', -1, 1],
      ['Over', -2, -1],
    ] as const) {
      const { id: eventId } = await anEvent(title, 30, {
        ...{ startDate: daysFromNow(start), endDate: daysFromNow(end) },
      });
      await insertRegistration(workers.owner, { eventId, userId: ada.id });
    }
    const { text } = await only();
    inOrder(text, 'Your week', 'Running');
    expect(text).not.toContain('Over');
  });

  it('shows times in the zone of each event', async () => {
    const { id } = await anEvent('Abroad', 2);
    await workers.update('events.events', id, { timeZone: 'Asia/Tokyo' });
    const { text } = await only();
    expect(text).toMatch(/Abroad\n.+ GMT\+9\n/);
  });

  it('lists events on followed topics first', async () => {
    await anEvent('Soon', 1, { startDate: daysFromNow(2) });
    const { id } = await anEvent('Followed', 1, { startDate: daysFromNow(20) });
    await workers.insertTopic([id], [ada.id]);
    inOrder((await only()).text, 'Followed', 'Soon');
  });

  it.each<[string, () => Promise<unknown>]>([
    ['drafts', () => anEvent('Hidden', 1, { status: 'draft' })],
    ['unlisted events', () => anEvent('Hidden', 1, { visibility: 'unlisted' })],
    ['cancelled events', () => anEvent('Hidden', 1, { status: 'cancelled' })],
    ['past events', () => anEvent('Hidden', 1, { startDate: daysFromNow(-1) })],
    ['events from before the last digest', () => anEvent('Hidden', 8)],
    [
      'a nearly full event with closed registration',
      async () => {
        const { id } = await anEvent('Hidden', 30, { capacity: 1_000, registrationClosesAt: new Date() });
        await workers.update('events.events', id, { registrationCount: 999 });
      },
    ],
  ])('sends no digest for %s alone', async (_, make) => {
    await make();
    await plan();
    expect(await planned()).toEqual([]);
  });

  it('sends the digest to subscribers without an account, in their language', async () => {
    await anEvent('Brand new', 1);
    await workers.update('auth.users', ada.id, { digest: false });
    for (const digest of [true, false])
      await workers.insert('events.subscriptions', {
        ...{ email: `reader-${digest}@example.org`, announcements: true, digest, locale: 'de' },
      });
    const { text, recipients } = await only();
    expect(text).toContain('weil Sie sie bei');
    expect(recipients).toEqual(['reader-true@example.org']);
  });

  it('includes an old draft that was just published', async () => {
    const { id } = await anEvent('At last', 90, { status: 'draft' });
    await workers.update('events.events', id, { status: 'published' });
    // The database rounds the time, so it may be after the digest is planned.
    await workers.owner.query(`UPDATE events.events SET published_at = published_at - interval '1 ms'`);
    expect((await only()).text).toContain('At last');
  });

  it('sends one digest when several workers plan it at the same time or again', async () => {
    await anEvent('New', 1);
    await Promise.allSettled([plan(), plan(), plan()]);
    await only();
    expect(await workers.owner.query('SELECT recipients FROM events.digests')).toEqual([{ recipients: 1 }]);
  });

  it('sends no digest after an opt-out or when its only event was cancelled', async () => {
    const { id } = await anEvent('Called off', 1);
    const stopped = await insertUser(workers.owner);
    await plan();
    await workers.failOnce(DigestMail, 2);
    await workers.update('auth.users', stopped.id, { digest: false });
    await workers.update('events.events', id, { status: 'cancelled', cancelledAt: new Date() });
    await workers.allDone();
    expect(workers.smtp.received).toEqual([]);
  });

  it('queues a digest for each member, in several batches', async () => {
    await anEvent('New', 1);
    const [stopped] = await workers.insertMembers(2_001);
    await workers.update('auth.users', stopped!, { digest: false });
    await plan();
    expect(await planned()).toHaveLength(2_001);
  });
});
