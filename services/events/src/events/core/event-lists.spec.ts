import { LIMITS, type EventFilter, type EventPage, type Identity, RecordAudit } from '@meetmark/contracts';
import { encodeCursor } from '@meetmark/platform';
import { outcomes } from '@meetmark/testing';
import { readPages } from '@meetmark/testing/read-pages';
import { daysFromNow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { anEvent } from '@meetmark/testing/factories/samples';
import { updateRow } from '@meetmark/testing/factories/users';
import { RegistrationListsService } from '../../registrations/registration-lists.service.js';
import { manageEvents } from '../../testing/manage-events.js';
import { createCall, eventsForTests, inject, UNKNOWN } from '../../testing/open-events.js';
import { EventsService } from './events.service.js';
import { CalendarService } from '../../calendar/calendar.service.js';
import { EventLifeService } from './event-life.service.js';

const events = eventsForTests();

type Given = Parameters<typeof insertEvent>[1];

const service = inject(events, EventsService);
const ask = (filter: EventFilter, viewer: Identity | string | null = null) =>
  service.list(filter, createCall(viewer));
const titles = async (filter: EventFilter) => (await ask(filter)).items.map(({ title }) => title);
const walk = async (filter: EventFilter) =>
  (await readPages((cursor) => ask({ ...filter, cursor }))).map(({ title }) => title);
const insertTitled = (title: string, given: Given = {}) => insertEvent(events.owner, { title, ...given });
const insertOn = async (...days: number[]) => {
  for (const each of days) await insertTitled(`${each}`, { startDate: daysFromNow(each) });
};
const MALFORMED = { code: 'MALFORMED_CURSOR' };

describe('the event list', () => {
  beforeEach(() => events.empty());

  it('shows an event with every field', async () => {
    const row = await insertTitled('A', { price: '12.5', capacity: 9 });
    const { id, createdById } = row;
    const [startDate, endDate, createdAt] = [row.startDate, row.endDate, row.createdAt].map((moment) =>
      moment.toISOString(),
    );
    const fields = { id, slug: 'a-1', title: 'A', price: '12.50', capacity: 9, location: null, createdById };
    const updatedAt = expect.any(String) as string;
    expect((await ask({})).items).toEqual([anEvent({ ...fields, startDate, endDate, createdAt, updatedAt })]);
  });

  it('sorts events by start date, past events latest first, and in reverse on request', async () => {
    await insertOn(3, -2, 1, -1);
    expect(await titles({})).toEqual(['-2', '-1', '1', '3']);
    expect(await titles({ time: 'all' })).toEqual(['-2', '-1', '1', '3']);
    expect(await titles({ time: 'upcoming' })).toEqual(['1', '3']);
    expect(await titles({ time: 'past' })).toEqual(['-1', '-2']);
    expect(await titles({ time: 'past', sort: 'startDate' })).toEqual(['-2', '-1']);
    expect(await walk({ sort: '-startDate', limit: 2 })).toEqual(['3', '1', '-1', '-2']);
  });

  it('filters events by price and format, with the total of all pages', async () => {
    for (const [i, format] of (['online', 'hybrid', 'in_person', 'online', 'online'] as const).entries())
      await insertTitled(`${format} ${i}`, {
        format,
        startDate: daysFromNow(i + 1),
        price: i === 0 ? '0.01' : null,
      });
    expect(await titles({ price: 'paid' })).toEqual(['online 0']);
    expect(await titles({ price: 'free', format: 'online' })).toEqual(['online 3', 'online 4']);
    expect(await titles({ format: 'in_person' })).toEqual(['in_person 2']);
    expect(await titles({ format: 'hybrid', time: 'upcoming' })).toEqual(['hybrid 1']);
    const page = await ask({ format: 'online', limit: 2 });
    expect(page).toMatchObject({ total: 3, items: [{ title: 'online 0' }, { title: 'online 3' }] });
    const next = await ask({ format: 'online', limit: 2, cursor: page.nextCursor! });
    expect(next).toMatchObject({ total: 3, nextCursor: null, items: [{ title: 'online 4' }] });
  });

  it('filters events by series, and hides drafts and unlisted events from visitors', async () => {
    const seriesId = '0197f000-0000-7000-8000-00000000000a';
    await insertTitled('past', { seriesId, startDate: daysFromNow(-1) });
    await insertTitled('published', { seriesId, startDate: daysFromNow(1) });
    await insertTitled('draft', { seriesId, startDate: daysFromNow(2), status: 'draft' });
    await insertTitled('unlisted', { seriesId, startDate: daysFromNow(3), visibility: 'unlisted' });
    await insertTitled('of no series', { startDate: daysFromNow(4) });
    await insertTitled('later', { seriesId, startDate: daysFromNow(5) });
    expect(await titles({ series: seriesId })).toEqual(['past', 'published', 'later']);
    expect(await titles({ series: seriesId.toUpperCase(), time: 'upcoming', limit: 1 })).toEqual([
      'published',
    ]);
    expect(await titles({ series: UNKNOWN })).toEqual([]);
  });

  it('filters events created at or after a given time', async () => {
    const since = new Date('2026-11-20T12:00:00.000Z');
    const before = new Date(since.getTime() - 1);
    await insertTitled('earlier', { createdAt: before, startDate: daysFromNow(1) });
    await insertTitled('at that moment', { createdAt: since, startDate: daysFromNow(2) });
    await insertTitled('now', { startDate: daysFromNow(3) });
    expect(await titles({ createdSince: since.toISOString() })).toEqual(['at that moment', 'now']);
    expect(await titles({ createdSince: since.toISOString(), limit: 1 })).toEqual(['at that moment']);
  });

  it('searches titles and descriptions regardless of case and accents', async () => {
    await insertTitled('Café Ångström', { description: 'We talk\nand more', startDate: daysFromNow(1) });
    await insertTitled('Łódź', { description: 'Straße, cafe', startDate: daysFromNow(2) });
    await insertTitled('Other', { startDate: daysFromNow(3) });
    for (const q of ['cafe', 'CAFÉ', 'Cafe\u0301', 'ｃａｆｅ'])
      expect(await titles({ q })).toEqual(['Café Ångström', 'Łódź']);
    for (const q of ['ångSTRÖM', 'TALK']) expect(await titles({ q })).toEqual(['Café Ångström']);
    for (const q of ['lodz', 'strasse', 'STRASSE']) expect(await titles({ q })).toEqual(['Łódź']);
    expect(await titles({ q: '％' })).toEqual([]);
    expect(await titles({ q: '' })).toHaveLength(3);
  });

  it.each(['%', '_', '\\', "'", '100%'])('searches for %j literally', async (q) => {
    await insertTitled(`Before ${q} after`);
    await insertTitled('Plain');
    expect(await titles({ q })).toEqual([`Before ${q} after`]);
  });

  it('shows every event that overlaps a time span', async () => {
    const at = (day: number) => new Date(Date.UTC(2031, 4, day));
    await insertTitled('before', { startDate: at(1), endDate: at(2) });
    await insertTitled('into', { startDate: at(1), endDate: at(3) });
    await insertTitled('within', { startDate: at(4), endDate: at(5) });
    await insertTitled('out of', { startDate: at(9), endDate: at(12) });
    await insertTitled('after', { startDate: at(10), endDate: at(11) });
    expect(await titles({ from: at(2).toISOString(), until: at(10).toISOString() })).toEqual([
      'into',
      'within',
      'out of',
    ]);
  });

  it("includes only the viewer's own registration", async () => {
    const [me, other] = (await events.members(2)) as [string, string];
    const { id: eventId } = await insertTitled('A');
    const mine = await insertRegistration(events.owner, { eventId, userId: me });
    await insertRegistration(events.owner, { eventId, userId: other });
    const [listed] = (await ask({}, me)).items;
    expect(listed).toMatchObject({ registrationCount: 2, registrations: [{ id: mine.id, userId: me }] });
    expect(await service.get({ eventId }, createCall(me))).toMatchObject(listed!);
    const { items } = await service.listPublic({});
    expect(items).toMatchObject([{ registrationCount: 2, registrations: [] }]);
  });

  it('returns an error for an unknown event', async () => {
    const request = [{ eventId: UNKNOWN }, createCall(null)] as const;
    expect(await outcomes([service.get(...request), service.countRegistrations(...request)])).toEqual({
      EVENT_NOT_FOUND: 2,
    });
  });

  describe('page by page', () => {
    it.each(['all', 'past'] as const)(
      'shows every event once and in order, even with equal start dates (%s)',
      async (time) => {
        const startDate = daysFromNow(-5);
        for (let i = 0; i < 7; i += 1)
          await insertTitled(`${i}`, { startDate: i < 4 ? startDate : daysFromNow(-i) });
        const whole = await titles({ time });
        for (const limit of [1, 3, 7]) expect(await walk({ time, limit })).toEqual(whole);
      },
    );

    it('shows no duplicates or gaps when events are added between pages', async () => {
      await insertOn(1, 2, 3, 4);
      const { nextCursor } = await ask({ limit: 2 });
      await insertOn(0.5, 2.5);
      expect(await titles({ limit: 5, cursor: nextCursor! })).toEqual(['2.5', '3', '4']);
    });
  });

  describe('with upcoming events first', () => {
    const sort = 'upcomingFirst';
    const insertAt = (title: string, days: number, hours = 1) => {
      const startDate = daysFromNow(days);
      return insertTitled(title, { startDate, endDate: new Date(startDate.getTime() + hours * 3_600_000) });
    };

    it('shows running and upcoming events by start date, then past events latest first', async () => {
      await insertAt('festival', -3, 96);
      await insertAt('now', -0.01);
      for (const days of [2, 1, 9]) await insertAt(`in ${days}`, days);
      for (const days of [5, 2, 40]) await insertAt(`${days} ago`, -days);
      const whole = ['festival', 'now', 'in 1', 'in 2', 'in 9', '2 ago', '5 ago', '40 ago'];
      for (const limit of [1, 3, 8, 100]) expect(await walk({ sort, limit })).toEqual(whole);
      expect(await titles({ sort, time: 'past' })).toEqual(['festival', 'now', '2 ago', '5 ago', '40 ago']);
      const part = await ask({ sort, q: 'ago', limit: 2 });
      expect([part.total, part.items.map(({ title }) => title)]).toEqual([3, ['2 ago', '5 ago']]);
    });

    it('counts a running event as "past" and "notEnded", not as "upcoming" or "ended"', async () => {
      await insertAt('yesterday to tomorrow', -1, 48);
      await insertAt('soon', 1);
      await insertAt('later', 2);
      await insertAt('over', -1);
      await insertAt('long over', -9);
      const found = {
        upcoming: ['soon', 'later'],
        past: expect.arrayContaining(['over', 'yesterday to tomorrow', 'long over']) as string[],
        notEnded: ['yesterday to tomorrow', 'soon', 'later'],
        ended: ['over', 'long over'],
      };
      for (const [time, expected] of Object.entries(found) as [keyof typeof found, string[]][]) {
        const whole = await titles({ time });
        expect([time, whole]).toEqual([time, expected]);
        for (const limit of [1, 2]) expect(await walk({ time, limit })).toEqual(whole);
        expect((await ask({ time, limit: 1 })).total).toBe(whole.length);
      }
      expect(await titles({ time: 'past' })).toHaveLength(3);
      expect(await titles({ time: 'notEnded', sort: '-startDate' })).toEqual(found.notEnded.toReversed());
      expect(await titles({ time: 'notEnded', sort })).toEqual(found.notEnded);
      expect(await titles({ time: 'ended', sort })).toEqual(found.ended);
    });

    it('keeps the order of events that start or end between two page requests', async () => {
      for (const days of [1, -1, -2]) await insertAt(`${days}`, days);
      const began = `running ${daysFromNow(-1.5).toISOString()}`;
      const cursor = encodeCursor(began, { key: daysFromNow(-1.6).toISOString(), id: UNKNOWN });
      expect(await titles({ sort, cursor })).toEqual(['-1', '1', '-2']);
      expect(await titles({ sort })).toEqual(['1', '-1', '-2']);
    });

    it('rejects a cursor of another sort order or without a timestamp', async () => {
      for (const days of [1, 2]) await insertAt(`${days}`, days);
      const { nextCursor } = await ask({ limit: 1 });
      const { nextCursor: own } = await ask({ limit: 1, sort });
      const [, ...rest] = JSON.parse(Buffer.from(own!, 'base64url').toString()) as string[];
      const changed = (order: string) => Buffer.from(JSON.stringify([order, ...rest])).toString('base64url');
      for (const cursor of [nextCursor!, changed('upcoming'), changed('upcoming now'), changed('never')])
        await expect(ask({ sort, cursor })).rejects.toMatchObject(MALFORMED);
      await expect(ask({ cursor: own! })).rejects.toMatchObject(MALFORMED);
      await expect(ask({ sort: '-startDate', cursor: nextCursor! })).rejects.toMatchObject(MALFORMED);
    });
  });

  it("shows only a member's own registered events in My Events, soonest first", async () => {
    const [me, other] = (await events.members(2)) as [string, string];
    const [late, soon, cancelled, theirs] = await Promise.all(
      ['late', 'soon', 'cancelled', 'theirs'].map((title, i) =>
        insertTitled(title, { startDate: daysFromNow(9 - i) }),
      ),
    );
    for (const { id } of [late!, soon!]) await events.register(id, [me]);
    await events.register(cancelled!.id, [me], 'cancelled');
    await events.register(theirs!.id, [other]);
    const mine = await service.myEvents({}, createCall(me));
    expect(mine.items.map((event) => event.title)).toEqual(['soon', 'late']);
    expect(mine.items[0]?.registrations).toMatchObject([{ userId: me, status: 'registered' }]);
    const page = await service.myEvents({ limit: 1 }, createCall(me));
    expect(page).toMatchObject({ total: 2, items: [{ title: 'soon' }] });
    const next = await service.myEvents({ limit: 1, cursor: page.nextCursor! }, createCall(me));
    expect(next).toMatchObject({ total: 2, nextCursor: null, items: [{ title: 'late' }] });
  });

  it('summarises events for the dashboard, counting running events as upcoming', async () => {
    const [admin] = (await events.members(1)) as [string];
    await insertTitled('running', { startDate: daysFromNow(-1), endDate: daysFromNow(1) });
    await insertOn(-1, 1, 2, 3);
    await insertTitled('old', { startDate: daysFromNow(-60), createdAt: daysFromNow(-31) });
    const { nextEvents, ...figures } = await service.summarise({}, createCall(admin));
    expect(figures).toEqual({ total: 6, createdLast30Days: 5, upcoming: 4 });
    expect(nextEvents.map((event) => event.title)).toEqual(['running', '1', '2']);
  });

  it('runs as many statements for many events as for few', async () => {
    const lists = events.get(RegistrationListsService);
    const [me] = (await events.members(1)) as [string];
    const { id: eventId } = await insertTitled('A');
    const asks = {
      whole: () => ask({}, me),
      page: () => ask({ limit: 2, q: 'meet', time: 'upcoming' }, me),
      mine: () => service.myEvents({ limit: 2 }, createCall(me)),
      attendees: () => lists.attendees({ eventId }, createCall(null)),
    };
    for (const more of [3, 20]) {
      for (let i = 0; i < more; i += 1) await events.register((await insertEvent(events.owner)).id, [me]);
      const counts: Record<string, number> = {};
      for (const [name, each] of Object.entries(asks)) counts[name] = (await events.statements(each)).length;
      expect(counts).toEqual({ whole: 1, page: 2, mine: 2, attendees: 2 });
    }
  });
});

describe('the list of many events', () => {
  const MANY = 2_500;
  let createdById: string;
  beforeAll(async () => {
    await events.empty();
    ({ sub: createdById } = await events.administrator());
    await events.owner.query(
      `INSERT INTO events.events (id, title, description, start_date, end_date, created_by_id)
       SELECT gen_random_uuid(), md5(n::text), md5((-n)::text), start_date, start_date + interval '4 hours', $1
       FROM (SELECT n, now() + n * interval '80 minutes' AS start_date
         FROM generate_series(-$2::int / 2, $2::int / 2 - 1) AS n ORDER BY random()) AS given`,
      [createdById, MANY],
    );
    await events.owner.query('VACUUM ANALYZE events.events');
  });

  it('returns a thousand events per page if the request has no limit', async () => {
    const first = await ask({});
    expect([first.items.length, first.total]).toEqual([LIMITS.listMax, MANY]);
    const all = await readPages((cursor) => ask({ cursor: cursor ?? first.nextCursor! }));
    expect(new Set([...first.items, ...all].map(({ id }) => id)).size).toBe(MANY);
    expect(all).toHaveLength(MANY - LIMITS.listMax);
  });

  it('lists all slugs for search engines, a thousand per page', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => service.listAddresses({ page })));
    expect(pages.map((page) => page.length)).toEqual([1_000, 1_000, 500, 0]);
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(MANY);
    expect(pages[0]![0]).toEqual({
      id: expect.any(String),
      slug: expect.any(String),
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it('uses indexes for searches and pages', async () => {
    const fetchPlan = async (filter: EventFilter) => {
      const [statement] = await events.statements(() => ask(filter));
      const plan = await events.rows(`EXPLAIN ${statement!.replaceAll(/\$[12]/g, "'c4ca4238'")}`);
      return plan.map((row) => row['QUERY PLAN']).join('\n');
    };
    expect(await fetchPlan({ q: 'c4ca4238' })).toContain('events_search_idx');
    expect(await fetchPlan({ limit: 20 })).toContain('events_start_date_idx');
    expect(await fetchPlan({ limit: 20, time: 'past' })).toContain(
      'Index Scan Backward using events_start_date_idx',
    );
  });

  it('reads hardly more data for all events than for upcoming events only', async () => {
    const admin = { sub: createdById, isAdmin: true, epoch: 1 };
    const sort = 'upcomingFirst';
    const readFor = async (filter: EventFilter) => {
      const [read, { items, nextCursor }] = await events.pagesRead(() =>
        ask({ ...filter, limit: 20 }, admin),
      );
      return { read, nextCursor, states: items.map(({ registrationState }) => registrationState) };
    };
    const upcoming = await readFor({ time: 'upcoming' });
    const first = await readFor({ sort });
    const second = await readFor({ sort, cursor: first.nextCursor! });
    const past = await readFor({ time: 'past' });
    const notEnded = await readFor({ time: 'notEnded' });
    const ended = await readFor({ time: 'ended' });
    expect(first.states.slice(0, 4)).toEqual(['started', 'started', 'started', 'open']);
    const asOf = new Date().toISOString();
    const from = (order: string, days: number) =>
      readFor({
        sort,
        cursor: encodeCursor(`${order} ${asOf}`, { key: daysFromNow(days).toISOString(), id: UNKNOWN }),
      });
    const deep = [await from('upcoming', 60), await from('over', -60), await from('upcoming', 90)];
    expect(deep.map(({ states }) => states[0])).toEqual(['open', 'ended', 'ended']);
    const ratios = [
      ...[first, second, notEnded].map(({ read }) => read / upcoming.read),
      ...[ended, ...deep].map(({ read }) => read / past.read),
    ];
    expect(Math.max(...ratios)).toBeLessThanOrEqual(1.3);
  });
});

const RANDOM_ENDING = /-[a-z0-9]{8}$/;

describe('the slug of an event', () => {
  const life = inject(events, EventLifeService);
  const { admin, cancel, get, remove } = manageEvents(events);

  const insert = (given: Given = {}) => insertEvent(events.owner, { createdById: admin.sub, ...given });
  const fetchSlug = async (id: string) => (await get(id)).slug;
  const published = async (given: Given) => fetchSlug((await insert(given)).id);
  const name = (id: string, slug: string): Promise<EventPage> =>
    life.changeSlug({ eventId: id, slug }, createCall(admin));

  const startDate = new Date('2031-05-01T17:00:00Z');
  const TITLES: [string, string][] = [
    ['SEO Breakfast', 'seo-breakfast'],
    ["Women's Lunch: Q&A!", 'womens-lunch-q-a'],
    ['Gründertreffen Köln, Große Straße', 'gruendertreffen-koeln-grosse-strasse'],
    ['Gru\u0308ndertreffen', 'gruendertreffen'],
    ['Soirée à Orléans', 'soiree-a-orleans'],
    ['Москва: встреча', 'moskva-vstrecha'],
    ['Ελλάδα', 'ellada'],
    ['北京 Meetup', 'beijing-meetup'],
    ['서울 모임', 'seoul-moim'],
    ['हिन्दी', 'hindi'],
    ['🎉 Party 🎉', 'party'],
    ['𝗕𝗼𝗹𝗱 move', 'bold-move'],
    ['🎉🎉', '2031-05-01-1'],
    ['—', '2031-05-01-1'],
    ['AI', 'ai-1'],
    ['Admin', 'admin-1'],
    ['2031-05-01', '2031-05-01-1'],
    [`${'word '.repeat(13)}seventyone`, `${'word-'.repeat(13).slice(0, -1)}`],
    ['x'.repeat(255), 'x'.repeat(71)],
  ];

  it.each(TITLES)('turns the title %j into the slug %j', async (title, slug) => {
    expect(await published({ title, startDate })).toBe(slug);
  });

  it('appends the next number to a slug that another event used before', async () => {
    const { id } = await insert({ title: 'SEO Breakfast' });
    expect(await published({ title: 'SEO breakfast' })).toBe('seo-breakfast-2');
    expect(await published({ title: 'SEO Breakfast 3' })).toBe('seo-breakfast-3');
    await remove(id);
    expect(await published({ title: 'SEO Breakfast!' })).toBe('seo-breakfast-4');
    await expect(service.find({ slug: 'seo-breakfast' })).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });

  it('reads no other event’s slug to number a slug', async () => {
    const client = await events.owner.connect();
    const countRead = async () => {
      const { rows } = await client.query<{ read: number }>(
        "SELECT seq_tup_read::integer AS read FROM pg_stat_xact_user_tables WHERE relid = 'events.slugs'::regclass",
      );
      return rows[0]!.read;
    };
    await client.query(`BEGIN;
      INSERT INTO events.slugs (slug, event_id, words, number)
      SELECT 'evening-' || n, gen_random_uuid(), 'evening-' || n, 1 FROM generate_series(1, 5000) AS n;
      ANALYZE events.slugs`);
    const before = await countRead();
    await insertEvent(client, { title: 'Evening' });
    const after = await countRead();
    await client.query('ROLLBACK');
    client.release();
    expect(after - before).toBe(0);
  });

  it('gives unique slugs to events created simultaneously with the same title', async () => {
    const slugs = await Promise.all(Array.from({ length: 10 }, () => published({ title: 'Rush hour' })));
    expect(new Set(slugs).size).toBe(10);
    for (const slug of slugs) expect(slug).toMatch(/^rush-hour(-\d+)?$/);
  });

  it('assigns a slug on publishing and keeps it when the title changes', async () => {
    const { id } = await insert({ title: 'Before', status: 'draft' });
    expect(await fetchSlug(id)).toBeNull();
    await expect(name(id, 'mine')).rejects.toMatchObject({ code: 'EVENT_NOT_PUBLISHED' });
    await updateRow(events.owner, 'events.events', id, { title: 'At last', status: 'published' });
    expect(await fetchSlug(id)).toBe('at-last');
    await updateRow(events.owner, 'events.events', id, { title: 'Renamed' });
    expect(await fetchSlug(id)).toBe('at-last');
    await cancel(id);
    expect(await service.find({ slug: 'at-last' })).toEqual({ id, slug: 'at-last' });
  });

  it('audits a changed slug once, and still finds the event by earlier slugs', async () => {
    const { id } = await insert({ title: 'SEO Breakfast' });
    const { publicAttendees: _, ...before } = await get(id);
    const after = await name(id, 'breakfast');
    expect(after).toEqual({ ...before, slug: 'breakfast', updatedAt: after.updatedAt });
    await name(id, 'brunch');
    for (const slug of ['seo-breakfast', 'breakfast', 'brunch'])
      expect(await service.find({ slug })).toEqual({ id, slug: 'brunch' });
    const last = await name(id, 'seo-breakfast');
    expect(last.slug).toBe('seo-breakfast');
    expect(await name(id, 'seo-breakfast')).toEqual(last);
    const jobs = await events.rows(
      "SELECT job, payload -> 'values' -> 'slug' AS slug FROM events.outbox ORDER BY id",
    );
    expect(jobs).toEqual(
      [
        { before: 'seo-breakfast', after: 'breakfast' },
        { before: 'breakfast', after: 'brunch' },
        { before: 'brunch', after: 'seo-breakfast' },
      ].map((slug) => ({ job: RecordAudit.name, slug })),
    );
  });

  it('shows a new slug in the calendar entry, which keeps UID and SEQUENCE', async () => {
    const { id } = await insert({ title: 'SEO Breakfast' });
    const calendar = events.get(CalendarService);
    const lines = async (make: () => Promise<{ ics: string }>) =>
      (await make()).ics.split('\r\n').filter((line) => /^(UID|SEQUENCE|URL)/.test(line));
    const [uid, sequence] = [`UID:${id}@meetmark`, 'SEQUENCE:0'];
    const of = (slug: string) => [uid, sequence, `URL;VALUE=URI:https://meetmark.example/e/${slug}`];
    expect(await lines(() => calendar.ofEverything())).toEqual(of('seo-breakfast'));
    await name(id, 'brunch');
    expect(await lines(() => calendar.ofEverything())).toEqual(of('brunch'));
    expect(await lines(() => calendar.ofEvent({ eventId: id }))).toEqual(of('brunch'));
  });

  it('gives a slug to only one of several events that claim it simultaneously', async () => {
    const rivals = await Promise.all(
      ['One', 'Two', 'Three'].map(async (title) => (await insert({ title })).id),
    );
    expect(await outcomes(rivals.map((id) => name(id, 'wanted')))).toEqual({ ok: 1, SLUG_TAKEN: 2 });
  });

  it('rejects a slug that another event has or had', async () => {
    const [one, other] = [await insert({ title: 'One of them' }), await insert({ title: 'Another' })];
    await name(one.id, 'elsewhere');
    for (const slug of ['one-of-them', 'elsewhere'])
      await expect(name(other.id, slug)).rejects.toMatchObject({
        code: 'SLUG_TAKEN',
        details: { fields: { slug: [expect.any(String)] } },
      });
    await remove(one);
    await expect(name(other.id, 'elsewhere')).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
    expect(await fetchSlug(other.id)).toBe('another');
  });

  describe('the slug of an unlisted event', () => {
    it('appends 8 random characters to the slug of an event when it becomes unlisted', async () => {
      const slugs = await Promise.all(
        [1, 2].map(() => published({ title: 'Board', visibility: 'unlisted' })),
      );
      expect(slugs[0]).not.toBe(slugs[1]);
      for (const slug of slugs) expect(slug).toMatch(/^board-[a-z0-9]{8}$/);

      const { id } = await insert({ title: 'Open house' });
      await updateRow(events.owner, 'events.events', id, { visibility: 'unlisted' });
      expect(await fetchSlug(id)).toMatch(/^open-house-[a-z0-9]{8}$/);
      await updateRow(events.owner, 'events.events', id, { visibility: 'public' });
      expect(await fetchSlug(id)).toMatch(/^open-house-[a-z0-9]{8}$/);
    });

    it('keeps the random ending of a slug only if the new slug includes it', async () => {
      const { id } = await insert({ title: 'Board', visibility: 'unlisted' });
      const [ending] = RANDOM_ENDING.exec((await fetchSlug(id))!)!;
      expect((await name(id, `council${ending}`)).slug).toBe(`council${ending}`);
      const { slug } = await name(id, 'council');
      expect(slug).toMatch(/^council-[a-z0-9]{8}$/);
      expect(slug).not.toBe(`council${ending}`);
      const { slug: longest } = await name(id, 'x'.repeat(71));
      expect(longest).toMatch(/^x{71}-[a-z0-9]{8}$/);
      await expect(name(id, 'x'.repeat(72))).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: { fields: { slug: [expect.stringContaining('9 more characters')] } },
      });
      // the plain slug is free, because the unlisted event never had it
      expect((await name((await insert({ title: 'Open' })).id, 'council')).slug).toBe('council');
    });
  });

  it.each([
    ["UPDATE events.events SET event_slug = 'nobodys' WHERE id = $1", 'events_event_slug_fkey'],
    [
      'UPDATE events.events SET event_slug = (SELECT slug FROM events.slugs WHERE event_id <> $1) WHERE id = $1',
      'events_event_slug_fkey',
    ],
    ["INSERT INTO events.slugs (slug, event_id) VALUES ('other', $1)", 'slugs_pkey'],
    ["INSERT INTO events.slugs (slug, event_id) VALUES ('ab', $1)", 'slugs_slug_check'],
    ["INSERT INTO events.slugs (slug, event_id) VALUES (repeat('x', 81), $1)", 'slugs_slug_check'],
    ["INSERT INTO events.slugs (slug, event_id) VALUES ('No', $1)", 'slugs_slug_check'],
    ["INSERT INTO events.slugs (slug, event_id) VALUES ('-no', $1)", 'slugs_slug_check'],
    ["INSERT INTO events.slugs (slug, event_id) VALUES ('no-', $1)", 'slugs_slug_check'],
    [
      "INSERT INTO events.slugs (slug, event_id, is_random) VALUES ('words-short', $1, true)",
      'slugs_is_random_check',
    ],
  ])('rejects an invalid slug in the database: %s', async (statement, constraint) => {
    await insert({ title: 'Other' });
    const { id } = await insert({ title: 'Mine' });
    await expect(events.owner.query(statement, [id])).rejects.toMatchObject({ constraint });
  });

  it('rejects a slug on a draft in the database', async () => {
    const { id } = await insert({ status: 'draft' });
    await events.owner.query("INSERT INTO events.slugs (slug, event_id) VALUES ('early', $1)", [id]);
    await expect(updateRow(events.owner, 'events.events', id, { eventSlug: 'early' })).rejects.toMatchObject({
      constraint: 'events_event_slug_check',
    });
  });
});
