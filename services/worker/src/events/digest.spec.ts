import { DigestMail } from '@meetmark/contracts';
import { daysFromNow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertUser, type UserRow } from '@meetmark/testing/factories/users';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { v7 as uuid } from 'uuid';
import { workersForTests } from '../testing/test-worker.js';
import { digestDue, PlanDigestJob } from './digest.js';

describe('digestDue', () => {
  // Zones with different clock changes. Lord Howe shifts by half an hour, Kathmandu never changes, and
  // Asuncion changes at midnight before a Monday.
  const zones = [
    'Europe/London',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'America/Asuncion',
  ];
  const zone = fc.constantFrom(...zones);
  const instant = fc.date({
    min: new Date('2024-01-01T00:00:00Z'),
    max: new Date('2030-12-31T00:00:00Z'),
    noInvalidDate: true,
  });

  it('returns the date on Mondays from 8:00 in the community’s time zone', () => {
    fc.assert(
      fc.property(instant, zone, (now, timeZone) => {
        const parts = new Intl.DateTimeFormat('en-GB', {
          ...{ timeZone, weekday: 'short', hour: '2-digit', hourCycle: 'h23' },
          ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
        }).formatToParts(now);
        const said = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
        const isDue = said.weekday === 'Mon' && Number(said.hour) >= 8;
        expect(digestDue(now, timeZone)).toBe(isDue ? `${said.year}-${said.month}-${said.day}` : null);
      }),
      { numRuns: 2_000 },
    );
  });

  it('starts at 8:00 on each Monday, even if the clocks change', () => {
    fc.assert(
      fc.property(instant, zone, (some, timeZone) => {
        const monday = DateTime.fromJSDate(some, { zone: timeZone }).startOf('week');
        // Tests every quarter of an hour on Monday, and every hour on other days.
        const minutes = Array.from({ length: 7 * 24 * 4 }, (_, n) => 15 * n).filter(
          (at) => at < 26 * 60 || at % 60 === 0,
        );
        const week = minutes.map((at) => monday.plus({ minutes: at }));
        const weeks = week.map((moment) => digestDue(moment.toJSDate(), timeZone));
        const due = week.filter((_, n) => weeks[n] !== null);
        expect(new Set(weeks)).toEqual(new Set([null, monday.toISODate()]));
        expect(due[0]!.toFormat('ccc HH:mm')).toBe('Mon 08:00');
        expect(due.at(-1)!.toFormat('ccc HH:mm')).toBe('Mon 23:45');
      }),
      { numRuns: 100 },
    );
  });

  it('returns the date only from 8:00 to midnight on Monday', () => {
    expect(digestDue(new Date('2027-03-29T06:59:59Z'), 'Europe/London')).toBeNull();
    expect(digestDue(new Date('2027-03-29T07:00:00Z'), 'Europe/London')).toBe('2027-03-29');
    expect(digestDue(new Date('2027-03-29T22:59:59Z'), 'Europe/London')).toBe('2027-03-29');
    expect(digestDue(new Date('2027-03-29T23:00:00Z'), 'Europe/London')).toBeNull();
  });
});

describe('the weekly digest', () => {
  const workers = workersForTests();
  let ada: UserRow;
  let organiserId: string;
  const week = DateTime.fromJSDate(new Date(), { zone: 'Europe/London' }).startOf('week').toISODate()!;

  beforeEach(async () => {
    await workers.reset('events.events', 'events.topics', 'events.digests', 'auth.users');
    ada = await insertUser(workers.owner);
    organiserId = (await insertUser(workers.owner)).id;
    await workers.owner.query('UPDATE auth.users SET digest = false WHERE id = $1', [organiserId]);
  });

  const anEvent = (title: string, daysAgo: number, given: Parameters<typeof insertEvent>[1] = {}) =>
    insertEvent(workers.owner, {
      ...{ title, createdAt: daysFromNow(-daysAgo), createdById: organiserId },
      ...{ startDate: daysFromNow(10) },
      ...given,
    });
  const plan = async () => {
    await workers.stopWorkers();
    const worker = await workers.start();
    await worker.get(PlanDigestJob).plan(week);
    await workers.allDone();
  };
  const planned = () =>
    workers.owner.query<{ id: string }[]>('SELECT id FROM events.outbox WHERE job = $1', [DigestMail.name]);
  const only = async () => (await workers.onlyMail()).mail.text ?? '';
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
    for (let taken = 0; taken < 4; taken += 1) {
      const { id } = await insertUser(workers.owner);
      await workers.owner.query('UPDATE auth.users SET digest = false WHERE id = $1', [id]);
      await insertRegistration(workers.owner, { eventId: full.id, userId: id });
    }
    await anEvent('Long known', 30);
    await plan();
    const text = await only();
    inOrder(text, 'Your week', 'Mine', 'New', 'Brand new', 'Nearly full', 'Popular');
    expect(text).not.toContain('Long known');
    expect(text.split('Brand new')).toHaveLength(2);
    expect((await workers.onlyMail()).mail.headers.some(({ key }) => key === 'list-unsubscribe')).toBe(true);
  });

  it('includes a running event of the member but not a past one', async () => {
    for (const [title, start, end] of [
      ['Running', -1, 1],
      ['Over', -2, -1],
    ] as const) {
      const { id: eventId } = await anEvent(title, 30, {
        startDate: daysFromNow(start),
        endDate: daysFromNow(end),
      });
      await insertRegistration(workers.owner, { eventId, userId: ada.id });
    }
    await plan();
    const text = await only();
    inOrder(text, 'Your week', 'Running');
    expect(text).not.toContain('Over');
  });

  it('lists events on followed topics first', async () => {
    const topicId = uuid();
    await workers.owner.query(
      `INSERT INTO events.topics (id, slug, name, place) VALUES ($1, 'search', 'Search', 1)`,
      [topicId],
    );
    await workers.owner.query('INSERT INTO events.topic_follows (topic_id, user_id) VALUES ($1, $2)', [
      topicId,
      ada.id,
    ]);
    await anEvent('Soon', 1, { startDate: daysFromNow(2) });
    const { id } = await anEvent('Followed', 1, { startDate: daysFromNow(20) });
    await workers.owner.query(
      'INSERT INTO events.event_topics (event_id, topic_id, position) VALUES ($1, $2, 1)',
      [id, topicId],
    );
    await plan();
    inOrder(await only(), 'Followed', 'Soon');
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
        await workers.owner.query('UPDATE events.events SET registration_count = 999 WHERE id = $1', [id]);
      },
    ],
  ])('sends no digest for %s alone', async (_, make) => {
    await make();
    await plan();
    expect(await planned()).toEqual([]);
    expect(workers.smtp.received).toEqual([]);
  });

  it('sends the digest to subscribers without an account', async () => {
    await anEvent('Brand new', 1);
    await workers.owner.query('UPDATE auth.users SET digest = false');
    for (const digest of [true, false])
      await workers.owner.query(
        `INSERT INTO events.subscriptions (email, announcements, digest) VALUES ($2, true, $1)`,
        [digest, `reader-${digest}@example.org`],
      );
    await plan();
    expect(await only()).toContain('because you signed up for it');
    expect(workers.smtp.received[0]!.recipients).toEqual(['reader-true@example.org']);
    await workers.owner.query('DELETE FROM events.subscriptions');
  });

  it('uses the language of the page where a visitor signed up', async () => {
    await anEvent('Brand new', 1);
    await workers.owner.query('UPDATE auth.users SET digest = false');
    await workers.owner.query(
      `INSERT INTO events.subscriptions (email, announcements, digest, locale) VALUES ('vera@example.org', false, true, 'de')`,
    );
    await plan();
    expect(await only()).toContain('weil Sie sie bei');
    await workers.owner.query('DELETE FROM events.subscriptions');
  });

  it('includes an old draft that was just published', async () => {
    const { id } = await anEvent('At last', 90, { status: 'draft' });
    await workers.owner.query(`UPDATE events.events SET status = 'published' WHERE id = $1`, [id]);
    // Wait, because the digest contains only events that were published before it is planned.
    await new Promise((resolve) => setTimeout(resolve, 20));
    await plan();
    expect(await only()).toContain('At last');
  });

  it('sends one digest when several workers plan it, even after restarts', async () => {
    await anEvent('New', 1);
    const [one, other] = [await workers.start(), await workers.start()];
    const plans = [one, other, one].map((worker) => worker.get(PlanDigestJob).plan(week));
    await Promise.allSettled(plans);
    await plan();
    await plan();
    expect(workers.smtp.received).toHaveLength(1);
    expect(await workers.owner.query('SELECT recipients FROM events.digests')).toEqual([{ recipients: 1 }]);
  });

  it('sends no digest after an opt-out or when its only event was cancelled', async () => {
    const { id } = await anEvent('Called off', 1);
    const stopped = await insertUser(workers.owner);
    workers.smtp.manners = 'not-now';
    const worker = await workers.start();
    await worker.get(PlanDigestJob).plan(week);
    await workers.triedInVain(DigestMail, 2);
    await workers.owner.query('UPDATE auth.users SET digest = false WHERE id = $1', [stopped.id]);
    await workers.owner.query(
      `UPDATE events.events SET status = 'cancelled', cancelled_at = now() WHERE id = $1`,
      [id],
    );
    await workers.start();
    await workers.allDone();
    expect(workers.smtp.received).toEqual([]);
  });

  it('queues a digest for each of 5,000 members', async () => {
    await anEvent('New', 1);
    await workers.owner.query(
      `INSERT INTO auth.users (id, email, password_hash, first_name, last_name, email_verified_at, digest)
       SELECT gen_random_uuid(), 'reader' || n || '@example.org', '$argon2id$v=19$m=1', 'Reader', 'No ' || n, now(), n <= 5000
       FROM generate_series(1, 6000) AS n`,
    );
    const job = new PlanDigestJob(workers.asWorker, { timeZone: 'Europe/London' });
    await job.plan(week);
    expect(await planned()).toHaveLength(5_001);
  });
});
