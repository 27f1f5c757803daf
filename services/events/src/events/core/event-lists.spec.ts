import {
  LIMITS,
  type Event,
  type EventFilter,
  type Page,
  type EventPage,
  type Identity,
} from '@meetmark/contracts';
import { encodeCursor } from '@meetmark/platform';
import { daysFromNow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { DataSource } from 'typeorm';
import { outcomes } from '@meetmark/testing';
import { updateRow } from '@meetmark/testing/factories/users';
import { RegistrationListsService } from '../../registrations/registration-lists.service.js';
import { createCall, eventsForTests } from '../../testing/open-events.js';
import { EventsService } from './events.service.js';
import { CalendarService } from '../../calendar/calendar.service.js';
import { EventEditingService } from './event-editing.service.js';
import { EventLifeService } from './event-life.service.js';

const events = eventsForTests();

const member = (sub: string) => ({ sub, isAdmin: false });
const UNKNOWN = '0197f000-0000-7000-8000-000000000000';

describe('the event list', () => {
  let service: EventsService;
  beforeAll(() => {
    service = events.get(EventsService);
  });
  beforeEach(() => events.empty());

  const titles = async (filter: EventFilter, viewerId: string | null = null) =>
    (await service.list(filter, createCall(viewerId === null ? null : member(viewerId)))).items.map(
      (event) => event.title,
    );
  const walk = async (ask: (cursor?: string) => Promise<Page<Event>>) => {
    const seen: string[] = [];
    for (let page = await ask(); ; page = await ask(page.nextCursor!)) {
      seen.push(...page.items.map((event) => event.title));
      if (page.nextCursor === null) return seen;
    }
  };
  const insertMany = async (count: number) => {
    const { id, createdById } = await insertTitled('first');
    await events.owner.query(
      `INSERT INTO events.events (id, title, description, start_date, end_date, created_by_id)
       SELECT gen_random_uuid(), md5(n::text), md5((-n)::text), now() + n * interval '1 hour',
         now() + (n + 1) * interval '1 hour', $1 FROM generate_series(1, $2::int) AS n`,
      [createdById, count],
    );
    await events.owner.query('DELETE FROM events.events WHERE id = $1', [id]);
  };
  const insertTitled = (title: string, given: Parameters<typeof insertEvent>[1] = {}) =>
    insertEvent(events.owner, { title, ...given });

  it('shows an event with every field', async () => {
    const { id, createdById, startDate, endDate, createdAt } = await insertTitled('A', {
      price: '12.5',
      capacity: 9,
    });
    expect((await service.list({}, createCall(null))).items).toEqual([
      {
        id,
        slug: 'a-1',
        title: 'A',
        description: null,
        descriptionFormat: 'plain',
        startDate: startDate.toISOString(),
        endDate: endDate.toISOString(),
        location: null,
        format: 'in_person',
        isAllDay: false,
        timeZone: null,
        bannerImageUrl: null,
        coverPattern: null,
        coverSquare: null,
        coverWide: null,
        price: '12.50',
        paymentNote: null,
        capacity: 9,
        createdById,
        createdAt: createdAt.toISOString(),
        updatedAt: expect.any(String),
        version: 1,
        status: 'published',
        visibility: 'public',
        publishAt: null,
        cancelledAt: null,
        cancelReason: null,
        topics: [],
        seriesId: null,
        registrationOpensAt: null,
        registrationClosesAt: null,
        waitlistEnabled: false,
        hasQuestions: false,
        registrationCount: 0,
        waitingCount: 0,
        registrationState: 'open',
        registrations: [],
        waiting: null,
      },
    ]);
  });

  it('sorts events by start date, and a list of past events latest first', async () => {
    for (const days of [3, -2, 1, -1]) await insertTitled(`${days}`, { startDate: daysFromNow(days) });
    expect(await titles({})).toEqual(['-2', '-1', '1', '3']);
    expect(await titles({ time: 'all' })).toEqual(['-2', '-1', '1', '3']);
    expect(await titles({ time: 'upcoming' })).toEqual(['1', '3']);
    expect(await titles({ time: 'past' })).toEqual(['-1', '-2']);
  });

  it('sorts events in reverse order on request', async () => {
    for (const days of [3, -2, 1, -1]) await insertTitled(`${days}`, { startDate: daysFromNow(days) });
    expect(await titles({ sort: '-startDate' })).toEqual(['3', '1', '-1', '-2']);
    expect(await titles({ time: 'past', sort: 'startDate' })).toEqual(['-2', '-1']);
    const page = await service.list({ sort: '-startDate', limit: 2 }, createCall(null));
    const next = await service.list(
      { sort: '-startDate', limit: 2, cursor: page.nextCursor! },
      createCall(null),
    );
    expect(next.items.map((event) => event.title)).toEqual(['-1', '-2']);
  });

  it('filters free and paid events', async () => {
    await insertTitled('free');
    await insertTitled('paid', { price: '0.01' });
    expect(await titles({ price: 'free' })).toEqual(['free']);
    expect(await titles({ price: 'paid' })).toEqual(['paid']);
  });

  it('filters events by format, page by page', async () => {
    for (const [i, format] of (['online', 'hybrid', 'in_person', 'online', 'online'] as const).entries())
      await insertTitled(`${format} ${i}`, { format, startDate: daysFromNow(i + 1) });
    expect(await titles({ format: 'in_person' })).toEqual(['in_person 2']);
    expect(await titles({ format: 'hybrid', time: 'upcoming' })).toEqual(['hybrid 1']);
    const page = await service.list({ format: 'online', limit: 2 }, createCall(null));
    expect(page).toMatchObject({ total: 3, items: [{ title: 'online 0' }, { title: 'online 3' }] });
    const next = await service.list(
      { format: 'online', limit: 2, cursor: page.nextCursor! },
      createCall(null),
    );
    expect(next).toMatchObject({ total: 3, nextCursor: null, items: [{ title: 'online 4' }] });
  });

  it('filters events by series, and hides drafts and unlisted events from visitors', async () => {
    const seriesId = '0197f000-0000-7000-8000-00000000000a';
    const draft = { status: 'draft', visibility: 'public' } as const;
    await insertTitled('past', { seriesId, startDate: daysFromNow(-1) });
    await insertTitled('published', { seriesId, startDate: daysFromNow(1) });
    await insertTitled('draft', { seriesId, startDate: daysFromNow(2), ...draft });
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

  it('searches titles and descriptions regardless of case', async () => {
    await insertTitled('Über SEO', { startDate: daysFromNow(1) });
    await insertTitled('Coffee', { description: 'We talk about seo\nand more', startDate: daysFromNow(2) });
    await insertTitled('Other', { startDate: daysFromNow(3) });
    expect(await titles({ q: 'SeO' })).toEqual(['Über SEO', 'Coffee']);
    expect(await titles({ q: 'ÜBER' })).toEqual(['Über SEO']);
    expect(await titles({ q: '' })).toHaveLength(3);
  });

  it('searches text regardless of accents', async () => {
    await insertTitled('Café Ångström', { startDate: daysFromNow(1) });
    await insertTitled('Łódź', { description: 'Straße, cafe', startDate: daysFromNow(2) });
    await insertTitled('Other', { startDate: daysFromNow(3) });
    for (const q of ['cafe', 'CAFÉ', 'Cafe\u0301', 'ｃａｆｅ'])
      expect(await titles({ q })).toEqual(['Café Ångström', 'Łódź']);
    for (const q of ['lodz', 'strasse', 'STRASSE']) expect(await titles({ q })).toEqual(['Łódź']);
    expect(await titles({ q: '％' })).toEqual([]);
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
    const [listed] = (await service.list({}, createCall(member(me)))).items;
    expect(listed).toMatchObject({ registrationCount: 2, registrations: [{ id: mine.id, userId: me }] });
    const {
      content: _,
      mayManage: __,
      pastRegistration: ___,
      html: ____,
      publicAttendees: _____,
      gallery: ______,
      ...shown
    } = await service.get({ eventId }, createCall(member(me)));
    expect(shown).toEqual(listed);
    expect((await service.list({}, createCall(null))).items[0]).toMatchObject({
      registrationCount: 2,
      registrations: [],
    });
  });

  it('returns an error for an unknown event', async () => {
    const refusal = { code: 'EVENT_NOT_FOUND' };
    await expect(service.get({ eventId: UNKNOWN }, createCall(null))).rejects.toMatchObject(refusal);
    await expect(service.countRegistrations({ eventId: UNKNOWN }, createCall(null))).rejects.toMatchObject(
      refusal,
    );
  });

  describe('page by page', () => {
    it.each(['all', 'past'] as const)(
      'shows every event once and in order, even with equal start dates (%s)',
      async (time) => {
        const startDate = daysFromNow(-5);
        for (let i = 0; i < 7; i += 1)
          await insertTitled(`${i}`, { startDate: i < 4 ? startDate : daysFromNow(-i) });
        const whole = await titles({ time });
        for (const limit of [1, 2, 3, 7, 100])
          expect(await walk((cursor) => service.list({ time, limit, cursor }, createCall(null)))).toEqual(
            whole,
          );
      },
    );

    it('returns the total of all pages', async () => {
      for (let i = 0; i < 3; i += 1) await insertTitled(`SEO ${i}`);
      await insertTitled('Other');
      const page = await service.list({ q: 'seo', limit: 2 }, createCall(null));
      expect(page).toMatchObject({ total: 3, nextCursor: expect.any(String) });
      expect(
        await service.list({ q: 'seo', limit: 2, cursor: page.nextCursor! }, createCall(null)),
      ).toMatchObject({
        total: 3,
        nextCursor: null,
      });
    });

    it('shows no duplicates or gaps when events are added between pages', async () => {
      for (const days of [1, 2, 3, 4]) await insertTitled(`${days}`, { startDate: daysFromNow(days) });
      const first = await service.list({ limit: 2 }, createCall(null));
      await insertTitled('0', { startDate: daysFromNow(0.5) });
      await insertTitled('2.5', { startDate: daysFromNow(2.5) });
      const second = await service.list({ limit: 5, cursor: first.nextCursor! }, createCall(null));
      expect(second.items.map((event) => event.title)).toEqual(['2.5', '3', '4']);
    });

    it('rejects a cursor from a list in another order', async () => {
      for (const days of [1, 2]) await insertTitled(`${days}`, { startDate: daysFromNow(days) });
      const { nextCursor } = await service.list({ limit: 1 }, createCall(null));
      const turned = service.list({ limit: 1, sort: '-startDate', cursor: nextCursor! }, createCall(null));
      await expect(turned).rejects.toMatchObject({ code: 'MALFORMED_CURSOR' });
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
      expect(await titles({ sort })).toEqual(whole);
      for (const limit of [1, 2, 3, 5, 8, 100])
        expect(await walk((cursor) => service.list({ sort, limit, cursor }, createCall(null)))).toEqual(
          whole,
        );
      expect(await titles({ sort, time: 'past' })).toEqual(['festival', 'now', '2 ago', '5 ago', '40 ago']);
      const part = await service.list({ sort, q: 'ago', limit: 2 }, createCall(null));
      expect([part.total, part.items.map(({ title }) => title)]).toEqual([3, ['2 ago', '5 ago']]);
    });

    it('counts a running event as "past" and "notEnded", not as "upcoming" or "ended"', async () => {
      await insertAt('yesterday to tomorrow', -1, 48);
      await insertAt('soon', 1);
      await insertAt('later', 2);
      await insertAt('over', -1);
      await insertAt('long over', -9);
      const lists = { upcoming: ['soon', 'later'], past: ['over', 'yesterday to tomorrow', 'long over'] };
      const byEnd = { notEnded: ['yesterday to tomorrow', 'soon', 'later'], ended: ['over', 'long over'] };
      for (const [time, expected] of Object.entries({ ...lists, ...byEnd }) as [
        EventFilter['time'],
        string[],
      ][]) {
        const found = (await titles({ time })).toSorted();
        expect([time, found]).toEqual([time, expected.toSorted()]);
        for (const limit of [1, 2, 100]) {
          const whole = await walk((cursor) => service.list({ time, limit, cursor }, createCall(null)));
          expect(whole).toEqual(await titles({ time }));
        }
        expect((await service.list({ time, limit: 1 }, createCall(null))).total).toBe(expected.length);
      }
      expect(await titles({ time: 'notEnded' })).toEqual(byEnd.notEnded);
      expect(await titles({ time: 'notEnded', sort: '-startDate' })).toEqual(byEnd.notEnded.toReversed());
      expect(await titles({ time: 'notEnded', sort })).toEqual(byEnd.notEnded);
      expect(await titles({ time: 'ended' })).toEqual(byEnd.ended);
      expect(await titles({ time: 'ended', sort })).toEqual(byEnd.ended);
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
      const { nextCursor } = await service.list({ limit: 1 }, createCall(null));
      const { nextCursor: own } = await service.list({ limit: 1, sort }, createCall(null));
      const [name, ...rest] = JSON.parse(Buffer.from(own!, 'base64url').toString()) as string[];
      const changed = (order: string) => Buffer.from(JSON.stringify([order, ...rest])).toString('base64url');
      expect(name).toMatch(/^upcoming 2\d{3}-.*Z$/);
      for (const cursor of [nextCursor!, changed('upcoming'), changed('upcoming now'), changed('never')])
        await expect(service.list({ sort, cursor }, createCall(null))).rejects.toMatchObject({
          code: 'MALFORMED_CURSOR',
        });
      await expect(service.list({ cursor: own! }, createCall(null))).rejects.toMatchObject({
        code: 'MALFORMED_CURSOR',
      });
    });

    it('reads hardly more data for all events than for upcoming events only', async () => {
      const { createdById } = await insertTitled('first');
      await events.owner.query(
        `INSERT INTO events.events (id, title, description, start_date, end_date, created_by_id)
         SELECT gen_random_uuid(), md5(n::text), md5((-n)::text), now() + n * interval '20 minutes',
           now() + n * interval '20 minutes' + interval '1 hour', $1 FROM generate_series(-5000, 4999) AS n ORDER BY random()`,
        [createdById],
      );
      await events.owner.query('ANALYZE events.events');
      const admin = { sub: createdById, isAdmin: true };
      /** Counts the 8 kB pages that PostgreSQL reads for the list. Ignores the query for the total. */
      const readFor = async (filter: EventFilter) => {
        const dataSource = events.get(DataSource);
        const { logger } = dataSource;
        const sent: [string, unknown[]?][] = [];
        dataSource.logger = {
          ...logger,
          logQuery: (sql, parameters) => void sent.push([sql, parameters as unknown[]]),
        };
        const page = await service.list({ ...filter, limit: 20 }, createCall(admin));
        dataSource.logger = logger;
        let read = 0;
        for (const [sql, parameters] of sent) {
          if (!sql.startsWith('SELECT') || sql.includes('"matching"')) continue;
          const explained = () =>
            events.owner.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`, parameters);
          await explained(); // the first query of a connection also reads the catalogue
          const { Plan: plan } = (await explained()).rows[0]['QUERY PLAN'][0];
          read += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
        }
        return { read, page };
      };
      const upcoming = await readFor({ time: 'upcoming' });
      const first = await readFor({ sort });
      const second = await readFor({ sort, cursor: first.page.nextCursor! });
      const past = await readFor({ time: 'past' });
      const notEnded = await readFor({ time: 'notEnded' });
      const ended = await readFor({ time: 'ended' });
      expect(ended.read / past.read).toBeLessThanOrEqual(1.3);
      const ratios = [first.read, second.read, notEnded.read].map((read) => read / upcoming.read);
      expect(first.page.items.slice(0, 4).map(({ registrationState }) => registrationState)).toEqual([
        ...['started', 'started', 'started', 'open'],
      ]);
      expect(Math.max(...ratios)).toBeLessThanOrEqual(1.3);
      const asOf = new Date().toISOString();
      const from = (order: string, days: number) =>
        readFor({
          sort,
          cursor: encodeCursor(`${order} ${asOf}`, { key: daysFromNow(days).toISOString(), id: UNKNOWN }),
        });
      const deep = [await from('upcoming', 60), await from('over', -60), await from('upcoming', 90)];
      expect(deep.map(({ page }) => page.items[0]?.registrationState)).toEqual(['open', 'ended', 'ended']);
      expect(Math.max(...deep.map(({ read }) => read / past.read))).toBeLessThanOrEqual(1.3);
    });
  });

  describe("of a member's own events", () => {
    it('shows only events that the member is registered for, soonest first', async () => {
      const [me, other] = (await events.members(2)) as [string, string];
      const [late, soon, cancelled, theirs] = await Promise.all(
        ['late', 'soon', 'cancelled', 'theirs'].map((title, i) =>
          insertTitled(title, { startDate: daysFromNow(9 - i) }),
        ),
      );
      for (const event of [late!, soon!])
        await insertRegistration(events.owner, { eventId: event.id, userId: me });
      await insertRegistration(events.owner, { eventId: cancelled!.id, userId: me, status: 'cancelled' });
      await insertRegistration(events.owner, { eventId: theirs!.id, userId: other });
      const mine = await service.myEvents({}, createCall(me));
      expect(mine.items.map((event) => event.title)).toEqual(['soon', 'late']);
      expect(mine.items[0]?.registrations).toMatchObject([{ userId: me, status: 'registered' }]);
      const page = await service.myEvents({ limit: 1 }, createCall(me));
      expect(page).toMatchObject({ total: 2, items: [{ title: 'soon' }] });
      const next = await service.myEvents({ limit: 1, cursor: page.nextCursor! }, createCall(me));
      expect(next).toMatchObject({ total: 2, nextCursor: null, items: [{ title: 'late' }] });
    });
  });

  it('summarises events for the dashboard, counting running events as upcoming', async () => {
    const [admin] = (await events.members(1)) as [string];
    await insertTitled('running', { startDate: daysFromNow(-1), endDate: daysFromNow(1) });
    for (const days of [-1, 1, 2, 3]) await insertTitled(`${days}`, { startDate: daysFromNow(days) });
    await insertTitled('old', { startDate: daysFromNow(-60), createdAt: daysFromNow(-31) });
    const { nextEvents, ...figures } = await service.summarise({}, createCall(member(admin)));
    expect(figures).toEqual({ total: 6, createdLast30Days: 5, upcoming: 4 });
    expect(nextEvents.map((event) => event.title)).toEqual(['running', '1', '2']);
  });

  it('runs as many statements for many events as for few', async () => {
    const lists = events.get(RegistrationListsService);
    const [me] = (await events.members(1)) as [string];
    const asks = {
      whole: () => service.list({}, createCall(member(me))),
      page: () => service.list({ limit: 2, q: 'meet', time: 'upcoming' }, createCall(member(me))),
      mine: () => service.myEvents({ limit: 2 }, createCall(me)),
      attendees: async () => lists.attendees({ eventId: (await insertTitled('A')).id }, createCall(null)),
    };
    const count = async () => {
      const counts: Record<string, number> = {};
      for (const [name, ask] of Object.entries(asks)) counts[name] = (await events.statements(ask)).length;
      return counts;
    };
    const more = async (times: number) => {
      for (let i = 0; i < times; i += 1) {
        const { id: eventId } = await insertEvent(events.owner);
        await insertRegistration(events.owner, { eventId, userId: me });
      }
    };
    await more(3);
    const few = await count();
    await more(60);
    expect(await count()).toEqual(few);
    expect(few).toEqual({ whole: 1, page: 2, mine: 2, attendees: 2 });
  });

  it('returns a thousand events per page if the request has no limit', async () => {
    await insertMany(2_500);
    const first = await service.list({}, createCall(null));
    expect([first.items.length, first.total, first.nextCursor]).toEqual([
      LIMITS.listMax,
      2_500,
      expect.any(String),
    ]);
    const seen = new Set(first.items.map(({ id }) => id));
    let answers = 1;
    for (let cursor = first.nextCursor; cursor !== null; answers += 1) {
      const page = await service.list({ cursor }, createCall(null));
      for (const { id } of page.items) seen.add(id);
      cursor = page.nextCursor;
    }
    expect([seen.size, answers]).toEqual([2_500, 3]);
  });

  it('lists all slugs for search engines, a thousand per page', async () => {
    await insertMany(2_500);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => service.listAddresses({ page })));
    expect(pages.map((page) => page.length)).toEqual([1_000, 1_000, 500, 0]);
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(2_500);
    expect(pages[0]![0]).toEqual({
      id: expect.any(String),
      slug: expect.any(String),
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it('uses indexes for searches and pages among many events', async () => {
    await insertTitled('A');
    await insertMany(5_000);
    await events.owner.query('ANALYZE events.events');
    const fetchPlan = async (filter: EventFilter) => {
      const [statement] = await events.statements(() => service.list(filter, createCall(null)));
      const sql = statement!.replaceAll(/\$[12]/g, "'c4ca4238'");
      const { rows } = await events.owner.query(`EXPLAIN ${sql}`);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    expect(await fetchPlan({ q: 'c4ca4238' })).toContain('events_search_idx');
    expect(await fetchPlan({ limit: 20 })).toContain('events_start_date_idx');
    expect(await fetchPlan({ limit: 20, time: 'past' })).toContain(
      'Index Scan Backward using events_start_date_idx',
    );
  });
});

const RANDOM_ENDING = /-[a-z0-9]{8}$/;

describe('the slug of an event', () => {
  let life: EventLifeService;
  let service: EventsService;
  let admin: Identity;
  beforeAll(() => {
    life = events.get(EventLifeService);
    service = events.get(EventsService);
  });
  beforeEach(async () => {
    await events.empty();
    admin = await events.administrator();
  });

  const insert = (given: Parameters<typeof insertEvent>[1] = {}) =>
    insertEvent(events.owner, { createdById: admin.sub, ...given });
  const fetchSlug = async (id: string): Promise<string | null> =>
    (await service.get({ eventId: id }, createCall(admin))).slug;
  const published = async (given: Parameters<typeof insertEvent>[1]) => fetchSlug((await insert(given)).id);
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
    await events.get(EventEditingService).delete({ eventId: id }, createCall(admin));
    expect(await published({ title: 'SEO Breakfast!' })).toBe('seo-breakfast-4');
    await expect(service.find({ slug: 'seo-breakfast' })).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
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
    await life.cancel({ eventId: id }, createCall(admin));
    expect(await service.find({ slug: 'at-last' })).toEqual({ id, slug: 'at-last' });
  });

  const present = async (id: string) => {
    const { publicAttendees: _, ...page } = await service.get({ eventId: id }, createCall(admin));
    return page;
  };

  it('audits a changed slug, and still finds the event by earlier slugs', async () => {
    const { id } = await insert({ title: 'SEO Breakfast' });
    const before = await present(id);
    const after = await name(id, 'breakfast');
    expect(after).toEqual({ ...before, slug: 'breakfast', updatedAt: after.updatedAt });
    await name(id, 'brunch');
    for (const slug of ['seo-breakfast', 'breakfast', 'brunch'])
      expect(await service.find({ slug })).toEqual({ id, slug: 'brunch' });
    expect((await name(id, 'seo-breakfast')).slug).toBe('seo-breakfast');
    const { rows } = await events.owner.query(
      "SELECT payload -> 'values' -> 'slug' AS slug FROM events.outbox WHERE payload ->> 'action' = 'event.updated' ORDER BY id",
    );
    expect(rows.map(({ slug }: { slug: unknown }) => slug)).toEqual([
      { before: 'seo-breakfast', after: 'breakfast' },
      { before: 'breakfast', after: 'brunch' },
      { before: 'brunch', after: 'seo-breakfast' },
    ]);
    const { rows: told } = await events.owner.query(
      "SELECT job FROM events.outbox WHERE job <> 'audit.record'",
    );
    expect(told).toEqual([]);
  });

  it('changes nothing when a slug is set to its current value', async () => {
    const { id } = await insert({ title: 'SEO Breakfast' });
    const before = await present(id);
    expect(await name(id, 'seo-breakfast')).toEqual(before);
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
    await events.get(EventEditingService).delete({ eventId: one.id }, createCall(admin));
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
