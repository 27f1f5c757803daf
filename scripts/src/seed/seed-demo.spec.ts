import { ActivityRepository } from '@meetmark/admin/figures/activity.repository';
import { SendMessage } from '@meetmark/contracts';
import { EventsService } from '@meetmark/events/events/events.service';
import { openEvents, type TestEvents } from '@meetmark/events/testing/open-events';
import { verify } from '@node-rs/argon2';
import { testDatabase, type TestDatabase } from '@meetmark/testing';
import pg from 'pg';
import sharp from 'sharp';
import { DEMO_CONTENT, PAYMENT_NOTES } from './demo-content.js';
import { DEMO_EVENTS } from './demo-events.js';
import { seedDemo } from './seed-demo.js';
import { insertEvents, insertRegistrations, insertTonight } from './seed-rows.js';

describe('the demo community', () => {
  const accounts = {
    administrator: { email: 'boss@example.org', password: 'the-boss-knows' },
    memberPassword: 'members-know',
    timeZone: 'Europe/London',
  };
  let database: TestDatabase;
  let client: pg.Client;
  const count = async (from: string): Promise<number> =>
    Number((await client.query(`SELECT count(*) FROM ${from}`)).rows[0].count);

  beforeAll(async () => {
    database = await testDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    // on Mondays a worker that starts at the same time can be first
    await client.query(
      `INSERT INTO events.digests (week, since, until)
       VALUES (date_trunc('week', now() AT TIME ZONE $1)::date, now() - interval '7 days', now())`,
      [accounts.timeZone],
    );
    expect(await seedDemo(database.url, async () => accounts)).toBe(true);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('has 40 members with pictures, one administrator and one organiser, who co-hosts', async () => {
    expect(await count('auth.users WHERE NOT is_admin AND profile_picture_hash IS NOT NULL')).toBe(40);
    expect(await count('auth.users WHERE is_admin')).toBe(1);
    expect(await count('auth.users WHERE is_organiser')).toBe(1);
    expect(await count('events.event_people WHERE manages_agreed_at IS NOT NULL')).toBe(1);
  });

  it('has what events are made of: places, programmes, people, a link, how one pays, and what was', async () => {
    const kinds = {
      'event_contents WHERE venue_name IS NOT NULL': 15,
      'event_contents WHERE online_url IS NOT NULL': 1,
      'event_contents WHERE jsonb_array_length(agenda) > 2': 3,
      'event_contents WHERE recap IS NOT NULL AND jsonb_array_length(resources) > 0': 3,
      "event_people WHERE role = 'host' AND agreed_at IS NOT NULL": 3,
      "event_people WHERE role = 'speaker' AND user_id IS NULL": 2,
      "event_people WHERE role = 'speaker' AND agreed_at IS NOT NULL": 2,
      topics: 5,
      event_topics: 20,
      'topic_follows AS follow JOIN events.topics ON topics.id = follow.topic_id': 10,
      'events WHERE payment_note IS NOT NULL AND price > 0': 3,
      'events WHERE end_date < now() AND jsonb_array_length(gallery_pictures) = 3': 1,
      'events WHERE version = 1': DEMO_EVENTS.length - 1,
    };
    for (const [kind, least] of Object.entries(kinds))
      expect([kind, (await count(`events.${kind}`)) >= least]).toEqual([kind, true]);
    const { rows } = await client.query(
      `SELECT FROM events.event_contents JOIN events.events ON id = event_id, jsonb_to_recordset(agenda) AS item("startsAt" timestamptz, "endsAt" timestamptz)
       WHERE item."startsAt" < start_date OR coalesce(item."endsAt", item."startsAt") > end_date`,
    );
    expect(rows).toEqual([]);
    const titles = DEMO_EVENTS.map(({ title }) => title);
    expect(
      [...Object.keys(DEMO_CONTENT), ...Object.keys(PAYMENT_NOTES)].filter(
        (title) => !titles.includes(title),
      ),
    ).toEqual([]);
  });

  it('has at least 24 events, half of them with banners, past and upcoming, free and paid, here and online, some full, most not', async () => {
    expect(await count('events.events WHERE banner_hash IS NOT NULL')).toBeGreaterThanOrEqual(12);
    expect(await count('events.events WHERE banner_hash IS NULL')).toBeGreaterThanOrEqual(12);
    for (const kind of [
      'start_date > now()',
      'end_date < now()',
      'price IS NULL',
      'price > 0',
      "format = 'in_person'",
      "format = 'online'",
      "format = 'hybrid'",
      'registration_count = capacity',
    ]) {
      expect([kind, (await count(`events.events WHERE ${kind}`)) >= 3]).toEqual([kind, true]);
    }
    expect(await count('events.events WHERE registration_count < capacity')).toBeGreaterThan(10);
  });

  it('has an evening under way, with 41 of 60 in, some of them without an account', async () => {
    const tonight =
      'events.events e JOIN events.event_registrations r ON r.event_id = e.id WHERE e.start_date < now() AND e.end_date > now() AND e.capacity = 60';
    expect(await count(tonight)).toBe(60);
    expect(await count(`${tonight} AND checked_in_at BETWEEN e.start_date AND now()`)).toBe(41);
    expect(await count(`${tonight} AND user_id IS NULL`)).toBe(21);
    expect(await count(`${tonight} AND r.paid_at IS NOT NULL AND e.price > 0`)).toBe(31);
    expect(await count(`${tonight} AND r.note IS NOT NULL`)).toBe(3);
  });

  it('says who came to what is over, and who did not', async () => {
    const over =
      "events.event_registrations r JOIN events.events e ON e.id = event_id WHERE end_date < now() AND r.status = 'registered'";
    const [came, missed] = [
      await count(`${over} AND checked_in_at BETWEEN start_date AND end_date`),
      await count(`${over} AND checked_in_at IS NULL`),
    ];
    expect(came).toBeGreaterThan(200);
    expect(missed).toBeGreaterThan(came / 8);
    expect(missed).toBeLessThan(came / 4);
  });

  it('asks something of the evening’s guests, each of whom with an account has answered what needs an answer', async () => {
    const { rows } = await client.query(
      `SELECT question ->> 'kind' AS kind, count(*)::int AS answers, count(DISTINCT r.answers -> (question ->> 'id'))::int AS kinds
         FROM events.events e JOIN events.event_contents c ON c.event_id = e.id, jsonb_array_elements(c.questions) AS question,
           events.event_registrations r
        WHERE e.has_questions AND r.event_id = e.id AND r.answers ? (question ->> 'id') GROUP BY 1 ORDER BY 1`,
    );
    expect(rows).toEqual([
      { kind: 'choice', answers: 39, kinds: 3 },
      { kind: 'text', answers: 20, kinds: 5 },
      { kind: 'yesNo', answers: 39, kinds: 2 },
    ]);
  });

  it('has a message that was sent, with what became of each mail, and one that its job will send', async () => {
    const { rows } = await client.query(
      'SELECT state, recipients, sent, refused, skipped FROM events.messages ORDER BY send_at',
    );
    expect(rows).toEqual([
      { state: 'sent', recipients: 39, sent: 37, refused: 1, skipped: 1 },
      { state: 'scheduled', recipients: 0, sent: 0, refused: 0, skipped: 0 },
    ]);
    expect(await count("events.message_recipients WHERE state = 'sent' AND at IS NOT NULL")).toBe(37);
    const job = `events.outbox o JOIN events.messages m ON m.id = (o.payload ->> 'messageId')::uuid
      WHERE o.job = '${SendMessage.name}' AND o.available_at = m.send_at AND (o.payload ->> 'sendAt')::timestamptz = m.send_at`;
    expect(await count(job)).toBe(1);
  });

  it('has proposals of members that are open, and one that was declined with words', async () => {
    expect(await count('events.proposals WHERE decided_at IS NULL')).toBe(2);
    expect(await count('events.proposals WHERE decided_at IS NOT NULL AND words IS NOT NULL')).toBe(1);
  });

  it('shows each state that an event can be in', async () => {
    const states = async (column: string) =>
      Object.fromEntries(
        (
          await client.query(
            `SELECT ${column} AS state, count(*)::int AS count FROM events.events GROUP BY 1`,
          )
        ).rows.map(({ state, count: events }) => [state, events]),
      );
    expect(await states('status')).toMatchObject({ draft: 1, cancelled: 1 });
    expect(await states('visibility')).toMatchObject({ unlisted: 1 });
    expect(await count('events.events WHERE waiting_count > 0 AND registration_count = capacity')).toBe(2);
    expect(await count("events.events WHERE status = 'cancelled' AND registration_count > 0")).toBe(1);
    const series =
      'SELECT FROM events.events WHERE series_id IS NOT NULL GROUP BY series_id HAVING count(*) = 3';
    expect(await count(`(${series}) AS series`)).toBe(1);
    expect(
      await count("events.events WHERE is_all_day AND end_date - start_date > interval '70 hours'"),
    ).toBe(1);
  });

  it('has people at its events who show their name, LinkedIn as well, or nothing', async () => {
    for (const shown of ['no', 'name', 'linkedin'])
      expect([shown, await count(`events.event_registrations WHERE show_me = '${shown}'`)]).not.toEqual([
        shown,
        0,
      ]);
  });

  it('has registrations on most of the last seven days, none before its event was announced', async () => {
    const days = 'SELECT DISTINCT registered_at::date FROM events.event_registrations';
    expect(await count(`(${days} WHERE registered_at > now() - interval '7 days') d`)).toBeGreaterThanOrEqual(
      5,
    );
    const early =
      'events.event_registrations r JOIN events.events e ON e.id = r.event_id WHERE r.registered_at < e.created_at';
    expect(await count(early)).toBe(0);
  });

  it('has the administrators’ chart of the week, without a worker that counts', async () => {
    const query = async (statement: string, values: unknown[]) =>
      (await client.query<{ registrations: number }>(statement, values)).rows;
    const days = await new ActivityRepository({ query } as never, accounts).lastDays();
    const sum = days.reduce((total, { registrations }) => total + registrations, 0);
    const today = "(now() AT TIME ZONE 'Europe/London')::date";
    expect(sum).toBe(
      await count(
        `events.event_registrations WHERE status = 'registered' AND (registered_at AT TIME ZONE 'Europe/London')::date > ${today} - 7`,
      ),
    );
    expect(sum).toBeGreaterThan(50);
  });

  it('starts its events at the same local time in summer and winter', async () => {
    const { rows } = await client.query(
      "SELECT DISTINCT extract(minute FROM start_date AT TIME ZONE 'Europe/London')::int AS minute FROM events.events",
    );
    expect(rows.map(({ minute }) => minute).every((minute) => minute === 0 || minute === 30)).toBe(true);
  });

  it('ends all-day events at the end of their day, also when the clocks change on it', async () => {
    const day = DEMO_EVENTS.find(({ time }) => time === null)?.day ?? 0;
    const { rows: found } = await client.query<{ doy: number }>(
      "SELECT extract(doy FROM (now() AT TIME ZONE 'UTC')::date + $1::int)::int - 1 AS doy",
      [day],
    );
    const change = found[0]?.doy ?? 0;
    // POSIX: summer time begins at noon of that day of the year
    const timeZone = `WINTER0SUMMER,${change}/12,${(change + 100) % 365}/12`;
    await client.query('BEGIN');
    const { rows: administrators } = await client.query('SELECT id FROM auth.users WHERE is_admin');
    const ids = (await insertEvents(client, administrators[0].id, new Map(), timeZone)).map(({ id }) => id);
    const { rows } = await client.query(
      `SELECT DISTINCT (end_date AT TIME ZONE $2)::date - (start_date AT TIME ZONE $2)::date AS days,
              (end_date AT TIME ZONE $2)::time::text AS time
         FROM events.events WHERE is_all_day AND id = ANY ($1)`,
      [ids, timeZone],
    );
    await client.query('ROLLBACK');
    expect(rows.toSorted((one, other) => one.days - other.days)).toEqual([
      { days: 0, time: '23:59:00' },
      { days: 2, time: '23:59:00' },
    ]);
  });

  it('lets everyone sign in with the passwords that are printed', async () => {
    const { rows } = await client.query(
      'SELECT DISTINCT is_admin, password_hash FROM auth.users ORDER BY is_admin',
    );
    expect(await verify(rows[0].password_hash, accounts.memberPassword)).toBe(true);
    expect(await verify(rows[1].password_hash, accounts.administrator.password)).toBe(true);
  });

  it('has pictures that are what they say', async () => {
    const { rows } = await client.query<{ bytes: Buffer; width: number; height: number }>(
      'SELECT bytes, width, height FROM events.pictures UNION ALL SELECT bytes, width, height FROM auth.pictures',
    );
    for (const { bytes, width, height } of rows)
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width, height });
  });

  it('shows every picture that it brings: one of each member, and of about half of the events', async () => {
    const members = await count('auth.users WHERE NOT is_admin');
    expect(await count('auth.pictures')).toBe(members);
    expect(await count('auth.users WHERE profile_picture_hash IS NOT NULL')).toBe(members);
    const { rows } = await client.query<{ shown: number }>(
      'SELECT count(DISTINCT banner_hash)::integer AS shown FROM events.events',
    );
    expect(rows[0]?.shown).toBe(await count('events.pictures'));
  });

  it('leaves a database alone that has users already', async () => {
    const before = await count('auth.users');
    expect(await seedDemo(database.url, async () => accounts)).toBe(false);
    expect(await count('auth.users')).toBe(before);
  });

  describe('as browsed', () => {
    let events: TestEvents;
    let memberIds: string[];
    beforeAll(async () => {
      events = await openEvents(database);
      const { rows } = await client.query('SELECT id FROM auth.users WHERE NOT is_admin ORDER BY created_at');
      memberIds = rows.map(({ id }) => id as string);
      await client.query(
        `CREATE SCHEMA clock; CREATE FUNCTION clock.now() RETURNS timestamptz STABLE LANGUAGE sql
           AS $$ SELECT current_setting('clock.now')::timestamptz $$`,
      );
    });
    afterAll(() => events.close());

    /** Moves every event, so that it is found at another moment. */
    const move = (milliseconds: number) =>
      client.query(`SET session_replication_role = replica;
        UPDATE events.events SET start_date = start_date + ${milliseconds} * interval '1 ms',
          end_date = end_date + ${milliseconds} * interval '1 ms';
        RESET session_replication_role`);

    /** Makes the demo's events at the moment, and moves them so that it is the present one. */
    const makeAt = async (moment: string) => {
      await events.empty();
      await client.query(`SET search_path = clock, pg_catalog; SET clock.now = '${moment}'`);
      const { rows } = await client.query('SELECT id FROM auth.users WHERE is_admin');
      const adminId = rows[0].id as string;
      const made = await insertEvents(client, adminId, new Map(), accounts.timeZone);
      await insertRegistrations(client, made, memberIds);
      await insertTonight(client, { adminId, memberIds });
      await client.query('RESET search_path');
      await move(Date.now() - Date.parse(moment));
    };

    const isShown = async () => {
      const viewer = { sub: memberIds[0]!, isAdmin: false };
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
      // the member has something to come, too
      expect(offered.length).toBeLessThan(upcoming.length);
    };

    it('shows every state of a card among the first twelve', isShown);

    it.each([
      ['just after midnight, on a Monday', '2027-01-04T00:00:10Z'],
      ['just before midnight, on a Sunday', '2027-01-03T23:59:50Z'],
      ['in the evening before the clocks go forward', '2027-03-27T19:30:00Z'],
      ['in the hour that comes twice', '2027-10-31T01:30:00Z'],
    ])('does so when it was made %s, and on the day after', async (_, moment) => {
      await makeAt(moment);
      await isShown();
      await move(-24 * 3_600_000);
      await isShown();
    });
  });
});
