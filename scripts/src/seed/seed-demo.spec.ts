import { EventsService } from '@meetmark/events/events/core/events.service';
import { createCall, openEvents, type TestEvents } from '@meetmark/events/testing/open-events';
import { verify } from '@node-rs/argon2';
import { databaseForTests } from '@meetmark/platform/testing/database-for-tests';
import sharp from 'sharp';
import { DEMO_CONTENT, PAYMENT_NOTES } from './demo-content.js';
import { DEMO_EVENTS } from './demo-events.js';
import { seedDemo } from './seed-demo.js';
import { insertEvents, insertRegistrations, insertTonight } from './fill-demo.js';

describe('the demo community', () => {
  const accounts = {
    administrator: { email: 'boss@example.org', password: 'the-boss-knows' },
    memberPassword: 'members-know',
    timeZone: 'Europe/London',
  };
  const database = databaseForTests();
  const count = async (from: string): Promise<number> =>
    Number((await database.owner.query(`SELECT count(*) FROM ${from}`)).rows[0].count);

  beforeAll(async () => {
    // Simulates a worker that starts at the same time and inserts this week's digest first.
    await database.owner.query(
      `INSERT INTO events.digests (week, since, until)
       VALUES (date_trunc('week', now() AT TIME ZONE $1)::date, now() - interval '7 days', now())`,
      [accounts.timeZone],
    );
    expect(await seedDemo(database.url, async () => accounts)).toBe(true);
  });

  const TONIGHT =
    'events.events e JOIN events.event_registrations r ON r.event_id = e.id WHERE e.start_date < now() AND e.end_date > now() AND e.capacity = 60';
  const RECORDED =
    'events.event_registrations r JOIN events.events e ON e.id = r.event_id WHERE r.registered_at < e.created_at';
  const SERIES =
    '(SELECT FROM events.events WHERE series_id IS NOT NULL GROUP BY series_id HAVING count(*) = 3) series';
  const OUTSIDE = `events.event_contents JOIN events.events ON id = event_id,
    jsonb_to_recordset(agenda) AS item("startsAt" timestamptz, "endsAt" timestamptz)
    WHERE item."startsAt" < start_date OR coalesce(item."endsAt", item."startsAt") > end_date`;
  it.each([
    ["events.events WHERE status = 'draft'", 1],
    ["events.events WHERE status = 'cancelled' AND registration_count > 0", 1],
    ['events.events WHERE waiting_count > 0 AND registration_count = capacity', 2],
    [SERIES, 1],
    [TONIGHT, 60],
    [`${TONIGHT} AND checked_in_at BETWEEN e.start_date AND now()`, 41],
    ["events.messages WHERE state = 'sent' AND (recipients, sent, refused, skipped) = (39, 37, 1, 1)", 1],
    ['events.proposals WHERE decided_at IS NULL', 2],
    [OUTSIDE, 0],
    [RECORDED, 0],
  ] as [string, number][])('SELECT count(*) FROM %s returns %i', async (from, expected) => {
    expect(await count(from)).toBe(expected);
  });

  it('has content and payment notes only for events that exist', () => {
    const titles = DEMO_EVENTS.map(({ title }) => title);
    expect(titles).toEqual(
      expect.arrayContaining([...Object.keys(DEMO_CONTENT), ...Object.keys(PAYMENT_NOTES)]),
    );
  });

  it('uses the given passwords for the administrator and members', async () => {
    const { rows } = await database.owner.query(
      'SELECT DISTINCT is_admin, password_hash FROM auth.users ORDER BY is_admin',
    );
    expect(await verify(rows[0].password_hash, accounts.memberPassword)).toBe(true);
    expect(await verify(rows[1].password_hash, accounts.administrator.password)).toBe(true);
  });

  it('stores WebP images with their actual sizes', async () => {
    const { rows } = await database.owner.query<{ bytes: Buffer; width: number; height: number }>(
      'SELECT bytes, width, height FROM events.pictures UNION ALL SELECT bytes, width, height FROM auth.pictures',
    );
    for (const { bytes, width, height } of rows)
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width, height });
  });

  describe('in the event list', () => {
    let events: TestEvents;
    let memberIds: string[];
    beforeAll(async () => {
      events = await openEvents(database);
      const { rows } = await database.owner.query(
        'SELECT id FROM auth.users WHERE NOT is_admin ORDER BY created_at',
      );
      memberIds = rows.map(({ id }) => id as string);
      await database.owner.query(
        `CREATE SCHEMA clock; CREATE FUNCTION clock.now() RETURNS timestamptz STABLE LANGUAGE sql
           AS $$ SELECT current_setting('clock.now')::timestamptz $$`,
      );
    });
    afterAll(() => events.close());

    const move = (milliseconds: number) =>
      database.owner.query(`SET session_replication_role = replica;
        UPDATE events.events SET start_date = start_date + ${milliseconds} * interval '1 ms',
          end_date = end_date + ${milliseconds} * interval '1 ms';
        RESET session_replication_role`);

    const makeAt = async (moment: string) => {
      await events.empty();
      await database.owner.query(`SET search_path = clock, pg_catalog; SET clock.now = '${moment}'`);
      const { rows } = await database.owner.query('SELECT id FROM auth.users WHERE is_admin');
      const adminId = rows[0].id as string;
      const made = await insertEvents(database.owner, adminId, new Map(), accounts.timeZone);
      await insertRegistrations(database.owner, made, memberIds);
      await insertTonight(database.owner, { adminId, memberIds });
      await database.owner.query('RESET search_path');
      await move(Date.now() - Date.parse(moment));
    };

    const isShown = async () => {
      const viewer = createCall(memberIds[0]!);
      const list = async (time: 'upcoming' | 'past') =>
        (await events.get(EventsService).list({ time, limit: 12 }, viewer)).items;
      const [upcoming, [latest]] = [await list('upcoming'), await list('past')];
      const [next] = upcoming;
      expect([next?.registrationState, next?.registrations]).toEqual(['open', []]);
      const offered = upcoming.filter(({ registrations }) => registrations?.length === 0);
      expect(offered.map(({ registrationState }) => registrationState)).toEqual(
        expect.arrayContaining(['open', 'waitlist', 'full']),
      );
      expect(offered.some(({ price }) => Number(price) > 0)).toBe(true);
      expect(offered.some(({ registrationCount }) => registrationCount === 0)).toBe(true);
      expect(upcoming.some(({ isAllDay }) => isAllDay)).toBe(true);
      expect([latest?.registrationState, latest!.registrationCount > 0]).toEqual(['ended', true]);
      expect(offered.length).toBeLessThan(upcoming.length);
    };

    it('shows every registration state among the first twelve events', isShown);

    it.each([
      ['just after midnight, on a Monday', '2027-01-04T00:00:10Z'],
      ['just before midnight, on a Sunday', '2027-01-03T23:59:50Z'],
      ['in the evening before the clocks go forward', '2027-03-27T19:30:00Z'],
      ['in the hour that comes twice', '2027-10-31T01:30:00Z'],
    ])('shows every registration state if the demo was created %s, and a day later', async (_, moment) => {
      await makeAt(moment);
      await isShown();
      await move(-24 * 3_600_000);
      await isShown();
    });
  });
});
