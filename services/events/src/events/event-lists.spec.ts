import {
  LIMITS,
  type Event,
  type EventFilter,
  type Page,
  RESERVED_SLUGS,
  type EventPage,
  type Identity,
} from '@meetmark/contracts';
import { encodeCursor } from '@meetmark/platform';
import { daysFromNow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { DataSource } from 'typeorm';
import { outcomes } from '@meetmark/testing';
import spell from 'any-ascii';
import fc from 'fast-check';
import { v7 as uuid } from 'uuid';
import { updateRow } from '@meetmark/testing/factories/users';
import { RegistrationListsService } from '../registrations/registration-lists.service.js';
import { eventsForTests } from '../testing/open-events.js';
import { EventsService } from './events.service.js';
import { addressesOf } from '../migrations/1795759500000-short-addresses.js';
import { CalendarService } from '../calendar/calendar.service.js';
import { EventEditingService } from './event-editing.service.js';
import { EventLifeService } from './event-life.service.js';

const events = eventsForTests();

const member = (sub: string) => ({ sub, isAdmin: false });
const UNKNOWN = '0197f000-0000-7000-8000-000000000000';

describe('the lists of events', () => {
  let service: EventsService;
  beforeAll(() => {
    service = events.get(EventsService);
  });
  beforeEach(() => events.empty());

  const titles = async (filter: EventFilter, viewerId: string | null = null) =>
    (await service.list(filter, viewerId === null ? null : member(viewerId))).items.map(
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

  it('show an event with every field', async () => {
    const { id, createdById, startDate, endDate, createdAt } = await insertTitled('A', {
      price: '12.5',
      capacity: 9,
    });
    expect((await service.list({}, null)).items).toEqual([
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
        waitlistEnabled: true,
        hasQuestions: false,
        registrationCount: 0,
        waitingCount: 0,
        registrationState: 'open',
        registrations: [],
        waiting: null,
      },
    ]);
  });

  it('come soonest first; what is past, latest first', async () => {
    for (const days of [3, -2, 1, -1]) await insertTitled(`${days}`, { startDate: daysFromNow(days) });
    expect(await titles({})).toEqual(['-2', '-1', '1', '3']);
    expect(await titles({ time: 'all' })).toEqual(['-2', '-1', '1', '3']);
    expect(await titles({ time: 'upcoming' })).toEqual(['1', '3']);
    expect(await titles({ time: 'past' })).toEqual(['-1', '-2']);
  });

  it('come in the other order when it is asked for', async () => {
    for (const days of [3, -2, 1, -1]) await insertTitled(`${days}`, { startDate: daysFromNow(days) });
    expect(await titles({ sort: '-startDate' })).toEqual(['3', '1', '-1', '-2']);
    expect(await titles({ time: 'past', sort: 'startDate' })).toEqual(['-2', '-1']);
    const page = await service.list({ sort: '-startDate', limit: 2 }, null);
    const next = await service.list({ sort: '-startDate', limit: 2, cursor: page.nextCursor! }, null);
    expect(next.items.map((event) => event.title)).toEqual(['-1', '-2']);
  });

  it('tell the free from the paid', async () => {
    await insertTitled('free');
    await insertTitled('paid', { price: '0.01' });
    expect(await titles({ price: 'free' })).toEqual(['free']);
    expect(await titles({ price: 'paid' })).toEqual(['paid']);
  });

  it('tell what is in person from what is online or both, page by page too', async () => {
    for (const [i, format] of (['online', 'hybrid', 'in_person', 'online', 'online'] as const).entries())
      await insertTitled(`${format} ${i}`, { format, startDate: daysFromNow(i + 1) });
    expect(await titles({ format: 'in_person' })).toEqual(['in_person 2']);
    expect(await titles({ format: 'hybrid', time: 'upcoming' })).toEqual(['hybrid 1']);
    const page = await service.list({ format: 'online', limit: 2 }, null);
    expect(page).toMatchObject({ total: 3, items: [{ title: 'online 0' }, { title: 'online 3' }] });
    const next = await service.list({ format: 'online', limit: 2, cursor: page.nextCursor! }, null);
    expect(next).toMatchObject({ total: 3, nextCursor: null, items: [{ title: 'online 4' }] });
  });

  it('tell the events of a series, of which strangers see what is published and listed', async () => {
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

  it('show what was entered since a moment, that moment included', async () => {
    const since = new Date('2026-11-20T12:00:00.000Z');
    const before = new Date(since.getTime() - 1);
    await insertTitled('earlier', { createdAt: before, startDate: daysFromNow(1) });
    await insertTitled('at that moment', { createdAt: since, startDate: daysFromNow(2) });
    await insertTitled('now', { startDate: daysFromNow(3) });
    expect(await titles({ createdSince: since.toISOString() })).toEqual(['at that moment', 'now']);
    expect(await titles({ createdSince: since.toISOString(), limit: 1 })).toEqual(['at that moment']);
  });

  it('find part of the title or description, in any letter case', async () => {
    await insertTitled('Über SEO', { startDate: daysFromNow(1) });
    await insertTitled('Coffee', { description: 'We talk about seo\nand more', startDate: daysFromNow(2) });
    await insertTitled('Other', { startDate: daysFromNow(3) });
    expect(await titles({ q: 'SeO' })).toEqual(['Über SEO', 'Coffee']);
    expect(await titles({ q: 'ÜBER' })).toEqual(['Über SEO']);
    expect(await titles({ q: '' })).toHaveLength(3);
  });

  it.each(['%', '_', '\\', "'", '100%'])('take %j in a search for text', async (q) => {
    await insertTitled(`Before ${q} after`);
    await insertTitled('Plain');
    expect(await titles({ q })).toEqual([`Before ${q} after`]);
  });

  it('show what touches a span of time, as a month of a calendar needs it', async () => {
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

  it("hold the viewer's own registration and nobody else's", async () => {
    const [me, other] = (await events.members(2)) as [string, string];
    const { id: eventId } = await insertTitled('A');
    const mine = await insertRegistration(events.owner, { eventId, userId: me });
    await insertRegistration(events.owner, { eventId, userId: other });
    const [listed] = (await service.list({}, member(me))).items;
    expect(listed).toMatchObject({ registrationCount: 2, registrations: [{ id: mine.id, userId: me }] });
    const {
      content: _,
      mayManage: __,
      pastRegistration: ___,
      html: ____,
      publicAttendees: _____,
      gallery: ______,
      ...shown
    } = await service.get(eventId, member(me));
    expect(shown).toEqual(listed);
    expect((await service.list({}, null)).items[0]).toMatchObject({
      registrationCount: 2,
      registrations: [],
    });
  });

  it('know no event that is not there', async () => {
    const refusal = { code: 'EVENT_NOT_FOUND' };
    await expect(service.get(UNKNOWN, null)).rejects.toMatchObject(refusal);
    await expect(service.countRegistrations(UNKNOWN)).rejects.toMatchObject(refusal);
  });

  describe('page by page', () => {
    it.each(['all', 'past'] as const)(
      'show everything once, in order, with the same start or not (%s)',
      async (time) => {
        const startDate = daysFromNow(-5);
        for (let i = 0; i < 7; i += 1)
          await insertTitled(`${i}`, { startDate: i < 4 ? startDate : daysFromNow(-i) });
        const whole = await titles({ time });
        for (const limit of [1, 2, 3, 7, 100])
          expect(await walk((cursor) => service.list({ time, limit, cursor }, null))).toEqual(whole);
      },
    );

    it('give the total of all pages', async () => {
      for (let i = 0; i < 3; i += 1) await insertTitled(`SEO ${i}`);
      await insertTitled('Other');
      const page = await service.list({ q: 'seo', limit: 2 }, null);
      expect(page).toMatchObject({ total: 3, nextCursor: expect.any(String) });
      expect(await service.list({ q: 'seo', limit: 2, cursor: page.nextCursor! }, null)).toMatchObject({
        total: 3,
        nextCursor: null,
      });
    });

    it('neither repeat nor hide anything when events are added between two pages', async () => {
      for (const days of [1, 2, 3, 4]) await insertTitled(`${days}`, { startDate: daysFromNow(days) });
      const first = await service.list({ limit: 2 }, null);
      await insertTitled('0', { startDate: daysFromNow(0.5) });
      await insertTitled('2.5', { startDate: daysFromNow(2.5) });
      const second = await service.list({ limit: 5, cursor: first.nextCursor! }, null);
      expect(second.items.map((event) => event.title)).toEqual(['2.5', '3', '4']);
    });

    it('refuse the cursor of a list that was sorted otherwise', async () => {
      for (const days of [1, 2]) await insertTitled(`${days}`, { startDate: daysFromNow(days) });
      const { nextCursor } = await service.list({ limit: 1 }, null);
      const turned = service.list({ limit: 1, sort: '-startDate', cursor: nextCursor! }, null);
      await expect(turned).rejects.toMatchObject({ code: 'MALFORMED_CURSOR' });
    });
  });

  describe('with what is not over first', () => {
    const sort = 'upcomingFirst';
    const insertAt = (title: string, days: number, hours = 1) => {
      const startDate = daysFromNow(days);
      return insertTitled(title, { startDate, endDate: new Date(startDate.getTime() + hours * 3_600_000) });
    };

    it('are what is under way, what is to come, soonest first, and what is over, latest first, whole and page by page', async () => {
      await insertAt('festival', -3, 96);
      await insertAt('now', -0.01);
      for (const days of [2, 1, 9]) await insertAt(`in ${days}`, days);
      for (const days of [5, 2, 40]) await insertAt(`${days} ago`, -days);
      const whole = ['festival', 'now', 'in 1', 'in 2', 'in 9', '2 ago', '5 ago', '40 ago'];
      expect(await titles({ sort })).toEqual(whole);
      for (const limit of [1, 2, 3, 5, 8, 100])
        expect(await walk((cursor) => service.list({ sort, limit, cursor }, null))).toEqual(whole);
      expect(await titles({ sort, time: 'past' })).toEqual(['festival', 'now', '2 ago', '5 ago', '40 ago']);
      const part = await service.list({ sort, q: 'ago', limit: 2 }, null);
      expect([part.total, part.items.map(({ title }) => title)]).toEqual([3, ['2 ago', '5 ago']]);
    });

    it('go on as they began, whatever has begun and ended since the first page', async () => {
      for (const days of [1, -1, -2]) await insertAt(`${days}`, days);
      const began = `running ${daysFromNow(-1.5).toISOString()}`;
      const cursor = encodeCursor(began, { key: daysFromNow(-1.6).toISOString(), id: UNKNOWN });
      expect(await titles({ sort, cursor })).toEqual(['-1', '1', '-2']);
      expect(await titles({ sort })).toEqual(['1', '-1', '-2']);
    });

    it('refuse the cursor of another order, and one that names no moment', async () => {
      for (const days of [1, 2]) await insertAt(`${days}`, days);
      const { nextCursor } = await service.list({ limit: 1 }, null);
      const { nextCursor: own } = await service.list({ limit: 1, sort }, null);
      const [name, ...rest] = JSON.parse(Buffer.from(own!, 'base64url').toString()) as string[];
      const changed = (order: string) => Buffer.from(JSON.stringify([order, ...rest])).toString('base64url');
      expect(name).toMatch(/^upcoming 2\d{3}-.*Z$/);
      for (const cursor of [nextCursor!, changed('upcoming'), changed('upcoming now'), changed('never')])
        await expect(service.list({ sort, cursor }, null)).rejects.toMatchObject({
          code: 'MALFORMED_CURSOR',
        });
      await expect(service.list({ cursor: own! }, null)).rejects.toMatchObject({ code: 'MALFORMED_CURSOR' });
    });

    it('cost a page among 10,000 what the page of one kind costs', async () => {
      const { createdById } = await insertTitled('first');
      await events.owner.query(
        `INSERT INTO events.events (id, title, description, start_date, end_date, created_by_id)
         SELECT gen_random_uuid(), md5(n::text), md5((-n)::text), now() + n * interval '20 minutes',
           now() + n * interval '20 minutes' + interval '1 hour', $1 FROM generate_series(-5000, 4999) AS n ORDER BY random()`,
        [createdById],
      );
      await events.owner.query('ANALYZE events.events');
      const admin = { sub: createdById, isAdmin: true };
      /** Pages of 8 kB that PostgreSQL reads for it, without the total. */
      const readFor = async (filter: EventFilter) => {
        const dataSource = events.get(DataSource);
        const { logger } = dataSource;
        const sent: [string, unknown[]?][] = [];
        dataSource.logger = {
          ...logger,
          logQuery: (sql, parameters) => void sent.push([sql, parameters as unknown[]]),
        };
        const page = await service.list({ ...filter, limit: 20 }, admin);
        dataSource.logger = logger;
        let read = 0;
        for (const [sql, parameters] of sent) {
          if (!sql.startsWith('SELECT') || sql.includes('"matching"')) continue;
          const explained = () =>
            events.owner.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`, parameters);
          await explained(); // the first of a connection reads the catalogue as well
          const { Plan: plan } = (await explained()).rows[0]['QUERY PLAN'][0];
          read += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
        }
        return { read, page };
      };
      const upcoming = await readFor({ time: 'upcoming' });
      const first = await readFor({ sort });
      const second = await readFor({ sort, cursor: first.page.nextCursor! });
      const past = await readFor({ time: 'past' });
      const ratios = [first.read, second.read].map((read) => read / upcoming.read);
      expect(first.page.items.slice(0, 4).map(({ registrationState }) => registrationState)).toEqual([
        ...['started', 'started', 'started', 'open'],
      ]);
      expect(Math.max(...ratios)).toBeLessThanOrEqual(1.3);
      // deep in either part, and where one ends
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

  describe("of a member's own", () => {
    it('hold the events with a place, soonest first', async () => {
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
      const mine = await service.myEvents(me, {});
      expect(mine.items.map((event) => event.title)).toEqual(['soon', 'late']);
      expect(mine.items[0]?.registrations).toMatchObject([{ userId: me, status: 'registered' }]);
      const page = await service.myEvents(me, { limit: 1 });
      expect(page).toMatchObject({ total: 2, items: [{ title: 'soon' }] });
      const next = await service.myEvents(me, { limit: 1, cursor: page.nextCursor! });
      expect(next).toMatchObject({ total: 2, nextCursor: null, items: [{ title: 'late' }] });
    });
  });

  it('summarise for the dashboard', async () => {
    const [admin] = (await events.members(1)) as [string];
    for (const days of [-1, 1, 2, 3, 4]) await insertTitled(`${days}`, { startDate: daysFromNow(days) });
    await insertTitled('old', { startDate: daysFromNow(-60), createdAt: daysFromNow(-31) });
    const { nextEvents, ...figures } = await service.summarise(member(admin));
    expect(figures).toEqual({ total: 6, createdLast30Days: 5, upcoming: 4 });
    expect(nextEvents.map((event) => event.title)).toEqual(['1', '2', '3']);
  });

  it('take as many statements for many events as for few', async () => {
    const lists = events.get(RegistrationListsService);
    const [me] = (await events.members(1)) as [string];
    const asks = {
      whole: () => service.list({}, member(me)),
      page: () => service.list({ limit: 2, q: 'meet', time: 'upcoming' }, member(me)),
      mine: () => service.myEvents(me, { limit: 2 }),
      attendees: async () => lists.attendees({ eventId: (await insertTitled('A')).id }),
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

  it('end after a thousand without a limit, and go on from there', async () => {
    await insertMany(2_500);
    const first = await service.list({}, null);
    expect([first.items.length, first.total, first.nextCursor]).toEqual([
      LIMITS.listMax,
      2_500,
      expect.any(String),
    ]);
    const seen = new Set(first.items.map(({ id }) => id));
    let answers = 1;
    for (let cursor = first.nextCursor; cursor !== null; answers += 1) {
      const page = await service.list({ cursor }, null);
      for (const { id } of page.items) seen.add(id);
      cursor = page.nextCursor;
    }
    expect([seen.size, answers]).toEqual([2_500, 3]);
  });

  it('give search engines all addresses, a thousand at a time', async () => {
    await insertMany(2_500);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => service.listAddresses(page)));
    expect(pages.map((page) => page.length)).toEqual([1_000, 1_000, 500, 0]);
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(2_500);
    expect(pages[0]![0]).toEqual({
      id: expect.any(String),
      slug: expect.any(String),
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it('search and page by index among many events', async () => {
    await insertTitled('A');
    await insertMany(5_000);
    await events.owner.query('ANALYZE events.events');
    const planOf = async (filter: EventFilter) => {
      const [statement] = await events.statements(() => service.list(filter, null));
      const sql = statement!.replaceAll('$1', "'%c4ca4238%'").replaceAll('$2', "'%c4ca4238%'");
      const { rows } = await events.owner.query(`EXPLAIN ${sql}`);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    expect(await planOf({ q: 'c4ca4238' })).toContain('events_search_idx');
    expect(await planOf({ limit: 20 })).toContain('events_start_date_idx');
    expect(await planOf({ limit: 20, time: 'past' })).toContain(
      'Index Scan Backward using events_start_date_idx',
    );
  });
});

const RANDOM_ENDING = /-[a-z0-9]{8}$/;

describe('the short address of an event', () => {
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
  const slugOf = async (id: string): Promise<string | null> => (await service.get(id, admin)).slug;
  const published = async (given: Parameters<typeof insertEvent>[1]) => slugOf((await insert(given)).id);
  const name = (id: string, slug: string): Promise<EventPage> =>
    life.changeSlug(admin, { eventId: id, slug });

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

  it.each(TITLES)('of %j is %j', async (title, slug) => {
    expect(await published({ title, startDate })).toBe(slug);
  });

  it('is given by the migration as by the triggers', async () => {
    const sameWords = async (title: string) => {
      const { rows } = await events.owner.query<{ words: string; reserved: boolean }>(
        'SELECT events.slug_words($1) AS words, events.is_reserved_slug(events.slug_words($1)) AS reserved',
        [title],
      );
      const [{ words, reserved }] = rows as [{ words: string; reserved: boolean }];
      const [given] = addressesOf([{ id: uuid(), title, visibility: 'public', date: 'no-words' }], spell);
      expect({ title, words: given!.words, alone: given!.slug === given!.words }).toEqual({
        title,
        words: words || 'no-words',
        alone: words.length !== 1 && words.length !== 2 && !reserved && !/^\d{4}-\d\d-\d\d$/.test(words),
      });
    };
    for (const title of [...TITLES.map(([each]) => each), ...RESERVED_SLUGS]) await sameWords(title);
    const title = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 });
    const stored = title.filter((each) => !each.includes('\0'));
    await fc.assert(fc.asyncProperty(stored, sameWords), { numRuns: 300 });
  });

  it('takes the next number where it was used before, also by an event that is deleted', async () => {
    const { id } = await insert({ title: 'SEO Breakfast' });
    expect(await published({ title: 'SEO breakfast' })).toBe('seo-breakfast-2');
    expect(await published({ title: 'SEO Breakfast 3' })).toBe('seo-breakfast-3');
    await events.get(EventEditingService).delete(admin, id);
    expect(await published({ title: 'SEO Breakfast!' })).toBe('seo-breakfast-4');
    await expect(service.find('seo-breakfast')).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });

  it('numbers those of one title that come at the same moment', async () => {
    const slugs = await Promise.all(Array.from({ length: 10 }, () => published({ title: 'Rush hour' })));
    expect(new Set(slugs).size).toBe(10);
    for (const slug of slugs) expect(slug).toMatch(/^rush-hour(-\d+)?$/);
  });

  it('comes with the publication and stays when the title changes', async () => {
    const { id } = await insert({ title: 'Before', status: 'draft' });
    expect(await slugOf(id)).toBeNull();
    await expect(name(id, 'mine')).rejects.toMatchObject({ code: 'EVENT_NOT_PUBLISHED' });
    // as 1.0.0 and the worker do
    await updateRow(events.owner, 'events.events', id, { title: 'At last', status: 'published' });
    expect(await slugOf(id)).toBe('at-last');
    await updateRow(events.owner, 'events.events', id, { title: 'Renamed' });
    expect(await slugOf(id)).toBe('at-last');
    await life.cancel(admin, { eventId: id });
    expect(await service.find('at-last')).toEqual({ id, slug: 'at-last' });
  });

  /** What a change answers, too: who lets visitors see them is said where one reads. */
  const present = async (id: string) => {
    const { publicAttendees: _, ...page } = await service.get(id, admin);
    return page;
  };

  it('is changed by who manages the event, on the record, and every earlier one leads to it', async () => {
    const { id } = await insert({ title: 'SEO Breakfast' });
    const before = await present(id);
    const after = await name(id, 'breakfast');
    expect(after).toEqual({ ...before, slug: 'breakfast', updatedAt: after.updatedAt });
    await name(id, 'brunch');
    for (const slug of ['seo-breakfast', 'breakfast', 'brunch'])
      expect(await service.find(slug)).toEqual({ id, slug: 'brunch' });
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

  it('lets 1.0.0 list topics, whose statement says `slug` without saying whose', async () => {
    await insert();
    const ofThatVersion = `SELECT topic.id, slug, name, count(event.id)::integer AS upcoming
      FROM events.topics AS topic LEFT JOIN events.event_topics AS about ON about.topic_id = topic.id
      LEFT JOIN events.events AS event ON event.id = about.event_id
        AND event.status = 'published' AND event.visibility = 'public' AND event.start_date >= now()
      GROUP BY topic.id ORDER BY lower(name)`;
    expect((await events.owner.query(ofThatVersion)).rows).toEqual(expect.any(Array));
  });

  it('does not change by being asked for once more', async () => {
    const { id } = await insert({ title: 'SEO Breakfast' });
    const before = await present(id);
    expect(await name(id, 'seo-breakfast')).toEqual(before);
  });

  it('stands in the calendar, whose entry keeps its UID and SEQUENCE', async () => {
    const { id } = await insert({ title: 'SEO Breakfast' });
    const calendar = events.get(CalendarService);
    const lines = async (make: () => Promise<{ ics: string }>) =>
      (await make()).ics.split('\r\n').filter((line) => /^(UID|SEQUENCE|URL)/.test(line));
    const [uid, sequence] = [`UID:${id}@meetmark`, 'SEQUENCE:0'];
    const of = (slug: string) => [uid, sequence, `URL;VALUE=URI:https://meetmark.example/e/${slug}`];
    expect(await lines(() => calendar.ofEverything())).toEqual(of('seo-breakfast'));
    await name(id, 'brunch');
    expect(await lines(() => calendar.ofEverything())).toEqual(of('brunch'));
    expect(await lines(() => calendar.ofEvent(id))).toEqual(of('brunch'));
  });

  it('is one of two who take it at the same moment', async () => {
    const rivals = await Promise.all(
      ['One', 'Two', 'Three'].map(async (title) => (await insert({ title })).id),
    );
    expect(await outcomes(rivals.map((id) => name(id, 'wanted')))).toEqual({ ok: 1, SLUG_TAKEN: 2 });
  });

  it('is never one that another event has or had', async () => {
    const [one, other] = [await insert({ title: 'One of them' }), await insert({ title: 'Another' })];
    await name(one.id, 'elsewhere');
    for (const slug of ['one-of-them', 'elsewhere'])
      await expect(name(other.id, slug)).rejects.toMatchObject({
        code: 'SLUG_TAKEN',
        details: { fields: { slug: [expect.any(String)] } },
      });
    await events.get(EventEditingService).delete(admin, one.id);
    await expect(name(other.id, 'elsewhere')).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
    expect(await slugOf(other.id)).toBe('another');
  });

  describe('of an unlisted event', () => {
    it('ends in 8 random characters, whoever names it and whenever it became unlisted', async () => {
      const slugs = await Promise.all(
        [1, 2].map(() => published({ title: 'Board', visibility: 'unlisted' })),
      );
      expect(slugs[0]).not.toBe(slugs[1]);
      for (const slug of slugs) expect(slug).toMatch(/^board-[a-z0-9]{8}$/);

      const { id } = await insert({ title: 'Open house' });
      await updateRow(events.owner, 'events.events', id, { visibility: 'unlisted' });
      expect(await slugOf(id)).toMatch(/^open-house-[a-z0-9]{8}$/);
      await updateRow(events.owner, 'events.events', id, { visibility: 'public' });
      expect(await slugOf(id)).toMatch(/^open-house-[a-z0-9]{8}$/);
    });

    it('keeps its ending where its organiser does, and gets a new one where not', async () => {
      const { id } = await insert({ title: 'Board', visibility: 'unlisted' });
      const [ending] = RANDOM_ENDING.exec((await slugOf(id))!)!;
      expect((await name(id, `council${ending}`)).slug).toBe(`council${ending}`);
      const { slug } = await name(id, 'council');
      expect(slug).toMatch(/^council-[a-z0-9]{8}$/);
      expect(slug).not.toBe(`council${ending}`);
      const { slug: longest } = await name(id, 'x'.repeat(71));
      expect(longest).toMatch(/^x{71}-[a-z0-9]{8}$/);
      await expect(name(id, 'x'.repeat(72))).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: { fields: { slug: [expect.stringContaining('9 characters')] } },
      });
      // the unlisted event never had it without an ending, so another event may
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
    ["INSERT INTO events.slugs (slug, event_id) VALUES ('admin', $1)", 'slugs_reserved_check'],
    ["INSERT INTO events.slugs (slug, event_id) VALUES ('ab', $1)", 'slugs_slug_check'],
    ["INSERT INTO events.slugs (slug, event_id) VALUES (repeat('x', 81), $1)", 'slugs_slug_check'],
    ["INSERT INTO events.slugs (slug, event_id) VALUES ('No', $1)", 'slugs_slug_check'],
    ["INSERT INTO events.slugs (slug, event_id) VALUES ('-no', $1)", 'slugs_slug_check'],
    ["INSERT INTO events.slugs (slug, event_id) VALUES ('no-', $1)", 'slugs_slug_check'],
    [
      "INSERT INTO events.slugs (slug, event_id, is_random) VALUES ('words-short', $1, true)",
      'slugs_is_random_check',
    ],
  ])('is judged by the database: %s', async (statement, constraint) => {
    await insert({ title: 'Other' });
    const { id } = await insert({ title: 'Mine' });
    await expect(events.owner.query(statement, [id])).rejects.toMatchObject({ constraint });
  });

  it('is none of a draft, which is judged by the database too', async () => {
    const { id } = await insert({ status: 'draft' });
    await events.owner.query("INSERT INTO events.slugs (slug, event_id) VALUES ('early', $1)", [id]);
    await expect(updateRow(events.owner, 'events.events', id, { eventSlug: 'early' })).rejects.toMatchObject({
      constraint: 'events_event_slug_check',
    });
  });
});
