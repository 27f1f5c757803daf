import { jest } from '@jest/globals';
import type { Identity } from '@meetmark/contracts';
import { runInCall, StartedCall } from '@meetmark/platform';
import { refuses } from '@meetmark/platform/testing/test-service';
import { tally } from '@meetmark/testing';
import { daysFromNow, type EventRow, insertEvent } from '@meetmark/testing/factories/events';
import ICAL from 'ical.js';
import { DataSource } from 'typeorm';
import { DateTime } from 'luxon';
import { updateRow } from '@meetmark/testing/factories/users';
import { EventEditingService } from '../events/core/event-editing.service.js';
import { RegistrationsService } from '../registrations/registrations.service.js';
import { createEntry, createWriter, parseEvents } from '../testing/calendar-entries.js';
import { createCall, eventForm, eventsForTests, inject, UNKNOWN } from '../testing/open-events.js';
import { CalendarFeedsService } from './calendar-feeds.service.js';
import { CalendarService } from './calendar.service.js';
import { type CalendarEntry, CalendarWriter, shortened } from './calendar-writer.js';

const parse = (document: { ics: string }) =>
  parseEvents(document).map((event) => ({
    uid: event.uid,
    summary: event.summary,
    description: event.description,
    location: event.location,
    sequence: event.sequence,
    start: event.startDate.toJSDate().toISOString(),
    end: event.endDate.toJSDate().toISOString(),
    days: [event.startDate.toString(), event.endDate.toString()],
    status: event.component.getFirstPropertyValue('status'),
    stamp: String(event.component.getFirstPropertyValue('dtstamp')),
    url: event.component.getFirstPropertyValue('url'),
  }));

afterAll(() => ICAL.TimezoneService.reset());

describe('the calendar service', () => {
  const events = eventsForTests();
  const calendars = inject(events, CalendarService);
  let admin: Identity;
  beforeAll(async () => {
    admin = await events.administrator();
  });
  beforeEach(() => events.empty());

  const insert = (given: Partial<EventRow> = {}) =>
    insertEvent(events.owner, { createdById: admin.sub, ...given });
  const ofEvent = ({ id: eventId }: { id: string }) => calendars.ofEvent({ eventId });
  const change = ({ id: eventId }: { id: string }, title: string) =>
    events.get(EventEditingService).update({ eventId, title, banner: { action: 'keep' } }, createCall(admin));
  const remove = ({ id: eventId }: { id: string }) =>
    events.get(EventEditingService).delete({ eventId }, createCall(admin));
  const listTitles = (document: { ics: string }) => parse(document).map((entry) => entry.summary);
  const anotherService = (locale: string) =>
    new CalendarService(events.get(DataSource), events.get(CalendarWriter), {
      locale,
      formOfAddress: 'formal',
    });
  const memberFeed = async () => {
    const [userId] = (await events.members(1)) as [string];
    const { token } = await events.get(CalendarFeedsService).create({}, createCall(userId));
    return { userId, token };
  };

  it('shows one event correctly to a third-party parser', async () => {
    const event = await insert({
      title: 'Ads, budgets; and more',
      description: 'Bring:\n- a laptop, \\ and "questions"',
      location: 'Town hall; room 2',
    });
    expect(parse(await ofEvent(event))).toEqual([
      {
        uid: `${event.id}@meetmark`,
        summary: event.title,
        description: event.description,
        location: event.location,
        sequence: 0,
        start: new Date(Math.floor(event.startDate.getTime() / 1000) * 1000).toISOString(),
        end: new Date(Math.floor(event.endDate.getTime() / 1000) * 1000).toISOString(),
        days: expect.any(Array),
        status: 'CONFIRMED',
        stamp: expect.stringMatching(/Z$/),
        url: 'https://meetmark.example/e/ads-budgets-and-more',
      },
    ]);
  });

  it('shows Markdown as text, and the joining link only to registered members', async () => {
    const { userId, token } = await memberFeed();
    const onlineUrl = 'https://meet.example/room-7f3a';
    const event = await events.get(EventEditingService).create(
      eventForm({
        description: '**Bring** a laptop',
        descriptionFormat: 'markdown',
        format: 'online',
        onlineUrl,
        onlineNote: 'Passcode 1234',
      }),
      createCall(admin),
    );
    const shown = async (document: Promise<{ ics: string }>) => parse(await document)[0]?.description;
    const feed = () => shown(calendars.ofMember({ token }));
    expect(await feed()).toBeUndefined();
    const [place] = (await events.register(event.id, [userId])) as [string];
    expect(await feed()).toBe(`Join: ${onlineUrl}\n\nPasscode 1234\n\nBring a laptop`);
    for (const all of [ofEvent(event), calendars.ofEverything()])
      expect(await shown(all)).toBe('Bring a laptop');
    await updateRow(events.owner, 'events.event_registrations', place, { status: 'cancelled' });
    expect(await feed()).toBeUndefined();
  });

  it('shows the events that an organiser manages, also unlisted and cancelled ones', async () => {
    const [organiser] = (await events.members(1)) as [string];
    const own = { createdById: organiser };
    await insert({ ...own, title: 'Unlisted', visibility: 'unlisted' });
    await insert({ ...own, title: 'Cancelled', status: 'cancelled', cancelledAt: new Date() });
    await insert({ ...own, title: 'Draft', status: 'draft' });
    await insert({ title: 'Of someone else' });
    const ofManager = (isOrganiser: boolean) =>
      calendars.ofManager({}, createCall({ sub: organiser, isOrganiser }));
    expect(listTitles(await ofManager(true)).toSorted()).toEqual(['Cancelled', 'Unlisted']);
    expect(listTitles(await ofManager(false))).toEqual([]);
  });

  it('shows an all-day event as local days, even across a clock change', async () => {
    const dates = { startDate: new Date('2027-03-28T00:00:00Z'), endDate: new Date('2027-03-28T23:00:00Z') };
    expect(parse(await ofEvent(await insert({ ...dates, isAllDay: true })))).toMatchObject([
      { days: ['2027-03-28', '2027-03-29'] },
    ]);
  });

  it('raises the sequence of a changed event and cancels the entry of a deleted one', async () => {
    const event = await insert();
    const { uid } = parse(await ofEvent(event))[0]!;
    await change(event, 'Renamed');
    expect(parse(await ofEvent(event))).toMatchObject([
      { uid, sequence: 1, summary: 'Renamed', status: 'CONFIRMED' },
    ]);
    await remove(event);
    const cancelled = [{ uid, sequence: 2, summary: 'Renamed', status: 'CANCELLED' }];
    expect(parse(await ofEvent(event))).toMatchObject(cancelled);
    expect(parse(await calendars.ofEverything())).toMatchObject(cancelled);
  });

  it('shows "Online" as the location of an online event', async () => {
    expect(parse(await ofEvent(await insert({ format: 'online' })))).toMatchObject([{ location: 'Online' }]);
  });

  it('prefers the member’s language to the community’s in a personal calendar', async () => {
    const { userId, token } = await memberFeed();
    const event = await insert({ format: 'hybrid', location: 'Leeds' });
    await events.register(event.id, [userId]);
    await events.owner.query(
      `INSERT INTO events.event_contents (event_id, online_url) VALUES ($1, 'https://meet.example/tea')`,
      [event.id],
    );
    const german = anotherService('de');
    const shown = async (document: Promise<{ ics: string }>) => parse(await document)[0];
    const inGerman = { location: 'Leeds (auch online)' };
    const inEnglish = { location: 'Leeds (also online)' };
    for (const document of [ofEvent(event), calendars.ofMember({ token })])
      expect(await shown(document)).toMatchObject(inEnglish);
    for (const document of [german.ofEvent({ eventId: event.id }), german.ofEverything()])
      expect(await shown(document)).toMatchObject(inGerman);
    for (const [locale, expected] of [
      [null, inGerman],
      ['de', { ...inGerman, description: expect.stringMatching(/^Teilnehmen: https:/) as string }],
      ['en-GB', inEnglish],
      ['pt', inGerman],
    ] as const) {
      await updateRow(events.owner, 'auth.users', userId, { locale });
      expect(await shown(german.ofMember({ token }))).toMatchObject(expected);
    }
  });

  it('rejects an unknown event', async () => {
    await refuses('EVENT_NOT_FOUND', ofEvent({ id: UNKNOWN }));
  });

  it('shows public events from 30 days ago onwards, soonest first', async () => {
    for (const days of [400, 1, -29, -31]) await insert({ title: `${days}`, startDate: daysFromNow(days) });
    expect(listTitles(await calendars.ofEverything())).toEqual(['-29', '1', '400']);
  });

  describe('with many events', () => {
    const MANY = 10;
    let calendars: CalendarService;
    const writer = () => events.get(CalendarWriter);
    beforeEach(async () => {
      calendars = anotherService('en-GB');
      for (let n = 1; n <= MANY; n += 1)
        await insert({
          title: `Event ${n}`,
          description: 'bring *a* laptop, (a) pen; '.repeat(300),
          descriptionFormat: 'markdown',
          startDate: daysFromNow(n),
        });
    });
    afterEach(() => {
      jest.restoreAllMocks();
    });

    it('yields to the event loop while it builds entries', async () => {
      await events.owner.query(
        `INSERT INTO events.deleted_events
           (id, title, start_date, end_date, is_all_day, sequence, registered_user_ids, created_at, listed)
         SELECT gen_random_uuid(), 'Gone ' || n, now(), now() + interval '1 hour', false, 1, '{}', now(), true
         FROM generate_series(1, ${MANY}) AS n`,
      );
      let [turn, clock] = [0, 0];
      const countTurns = () => {
        turn += 1;
        next = setImmediate(countTurns);
      };
      let next = setImmediate(countTurns);
      // as if each entry took 6 ms
      const now = jest.spyOn(performance, 'now').mockImplementation(() => (clock += 6));
      const turns: number[] = [];
      const { entry } = writer();
      jest.spyOn(writer(), 'entry').mockImplementation((given) => {
        turns.push(turn);
        return entry.call(writer(), given);
      });
      const document = await calendars.ofEverything();
      clearImmediate(next);
      now.mockRestore();
      expect(parse(document)).toHaveLength(2 * MANY);
      expect(Math.max(...Object.values(tally(turns)))).toBeLessThanOrEqual(3);
    });

    it('rebuilds only the entry of a changed event', async () => {
      const entry = jest.spyOn(writer(), 'entry');
      await calendars.ofEverything();
      expect(entry).toHaveBeenCalledTimes(MANY);
      const { id } = await events.row('SELECT id FROM events.events LIMIT 1');
      await change({ id }, 'Renamed');
      expect(listTitles(await calendars.ofEverything())).toContain('Renamed');
      expect(entry).toHaveBeenCalledTimes(MANY + 1);
    });

    it('limits the size of a calendar by shortening long descriptions', async () => {
      const { ics } = await calendars.ofEverything();
      expect(ics.length).toBeLessThan(MANY * 3_000);
      const [entry] = parse({ ics });
      expect(entry).toMatchObject({ description: expect.stringMatching(/…$/), url: expect.any(String) });
      expect(entry!.description.length).toBeLessThanOrEqual(2_000);
    });

    it('builds a calendar once for simultaneous requests', async () => {
      const [entry, document] = [jest.spyOn(writer(), 'entry'), jest.spyOn(writer(), 'document')];
      await Promise.all(Array.from({ length: 20 }, () => calendars.ofEverything()));
      expect([entry.mock.calls.length, document.mock.calls.length]).toEqual([MANY, 1]);
    });
  });

  const withoutDeletedEvents = async <T>(work: () => Promise<T>) => {
    await events.owner.query('ALTER TABLE events.deleted_events RENAME TO hidden');
    try {
      return await work();
    } finally {
      await events.owner.query('ALTER TABLE events.hidden RENAME TO deleted_events');
    }
  };

  it('prepares the public calendar at startup, before the first request', async () => {
    await insert({ title: 'Tea' });
    const started = anotherService('en-GB');
    started.onApplicationBootstrap();
    await started.onModuleDestroy();
    expect(listTitles(await withoutDeletedEvents(() => started.ofEverything()))).toEqual(['Tea']);
  });

  it('serves the last public calendar when a new one cannot be built', async () => {
    await insert({ title: 'Tea' });
    const before = await calendars.ofEverything();
    expect(await withoutDeletedEvents(() => calendars.ofEverything())).toEqual(before);
  });

  it('serves the last public calendar while a slow rebuild is running', async () => {
    await insert({ title: 'Tea' });
    const before = await calendars.ofEverything();
    await insert({ title: 'Coffee' });
    await events.owner.query('BEGIN; LOCK TABLE events.deleted_events');
    try {
      expect(await calendars.ofEverything()).toEqual(before);
    } finally {
      await events.owner.query('ROLLBACK');
    }
    expect(listTitles(await calendars.ofEverything()).toSorted()).toEqual(['Coffee', 'Tea']);
  });

  it('names the community and its email address as the organizer', async () => {
    const [entry] = parseEvents(await ofEvent(await insert()));
    const organizer = entry?.component.getFirstProperty('organizer');
    expect(organizer?.getFirstValue()).toBe('mailto:hello@northerndigital.example');
    expect(organizer?.getFirstParameter('cn')).toBe('Northern Digital Marketers');
  });

  describe("with a member's own events", () => {
    const feeds = inject(events, CalendarFeedsService);

    it('finds a personal calendar only by its token, and stores no token', async () => {
      const { token } = await memberFeed();
      expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(parse(await calendars.ofMember({ token }))).toEqual([]);
      const { kept } = await events.row(
        "SELECT encode(token_hash, 'escape') AS kept FROM events.calendar_feeds",
      );
      expect(kept).not.toContain(token);
      await refuses('CALENDAR_NOT_FOUND', calendars.ofMember({ token: 'x'.repeat(43) }));
    });

    it('lists the member’s registered events, and deleted ones as cancelled', async () => {
      const { userId, token } = await memberFeed();
      const named = (title: string, days: number) => insert({ title, startDate: daysFromNow(days) });
      const [kept, left] = [await named('Kept event', 1), await named('left', 2)];
      const deleted = await named('Deleted event', 3);
      await named('of others', 4);
      for (const { id } of [kept, left, deleted]) await events.register(id, [userId]);
      await events.get(RegistrationsService).unregister({ eventId: left.id }, createCall(userId));
      await remove(deleted);
      expect(parse(await calendars.ofMember({ token }))).toMatchObject([
        { summary: 'Kept event', status: 'CONFIRMED' },
        { summary: 'Deleted event', status: 'CANCELLED' },
      ]);
    });

    it('builds the public calendar before waiting personal ones, and rejects expired calls', async () => {
      const { token } = await memberFeed();
      const made: string[] = [];
      const asked = Array.from({ length: 5 }, () =>
        calendars.ofMember({ token }).then(() => made.push('own')),
      );
      const everything = calendars.ofEverything().then(() => made.push('public'));
      const call = new StartedCall({ requestId: 'r', timeLeft: 0 });
      const late = runInCall(call, () => calendars.ofMember({ token }));
      await refuses('DEADLINE_EXCEEDED', late);
      await Promise.all([...asked, everything]);
      expect(made.indexOf('public')).toBeLessThan(3);
    });

    it.each<[string, (userId: string) => Promise<unknown>]>([
      ['renews', (userId) => feeds.create({}, createCall(userId))],
      ['revokes', (userId) => feeds.revoke({}, createCall(userId))],
      ["ends the account's", (id) => updateRow(events.owner, 'auth.users', id, { feedsEndedAt: new Date() })],
    ])('ends a personal calendar when someone %s feeds, but allows a new calendar', async (how, end) => {
      const { userId, token } = await memberFeed();
      await end(userId);
      await refuses('CALENDAR_NOT_FOUND', calendars.ofMember({ token }));
      if (how !== 'renews') expect(await feeds.get({}, createCall(userId))).toBeNull();
      const renewed = await feeds.create({}, createCall(userId));
      expect(parse(await calendars.ofMember({ token: renewed.token }))).toEqual([]);
      expect(await feeds.get({}, createCall(userId))).toEqual({ createdAt: renewed.createdAt });
    });

    it('ends a personal calendar when the account is deleted', async () => {
      const { userId, token } = await memberFeed();
      await events.deleteUser(userId);
      await refuses('CALENDAR_NOT_FOUND', calendars.ofMember({ token }));
      await refuses('UNAUTHORIZED', feeds.create({}, createCall(userId)));
    });
  });
});

describe.each(['Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kathmandu'])(
  'calendar entries in %s',
  (timeZone) => {
    const writer = createWriter(timeZone);
    const local = (text: string) => DateTime.fromISO(text, { zone: timeZone }).toJSDate();
    const parsed = (from: string, to: string, isAllDay: boolean) => {
      const span = { startDate: local(from), endDate: local(to), isAllDay };
      return parse(writer.document([writer.entry(createEntry(span))]));
    };

    it.each([
      ['one day', '2027-06-11T00:00', '2027-06-12T00:00', ['2027-06-11', '2027-06-12']],
      ['one day to its last minute', '2027-06-11T00:00', '2027-06-11T23:59', ['2027-06-11', '2027-06-12']],
      ['three days', '2027-03-12T00:00', '2027-03-14T23:59', ['2027-03-12', '2027-03-15']],
      ['three days in autumn', '2027-11-06T00:00', '2027-11-09T00:00', ['2027-11-06', '2027-11-09']],
    ])('writes an all-day event of %s as days in the time zone', (_, from, to, days) => {
      expect(parsed(from, to, true)).toMatchObject([{ days }]);
    });

    it('keeps the exact start and end of a timed event over three days', () => {
      const [start, end] = ['2027-03-12T18:00', '2027-03-14T12:00'] as const;
      expect(parsed(start, end, false)).toMatchObject([
        { start: local(start).toISOString(), end: local(end).toISOString() },
      ]);
    });
  },
);

describe('the calendar writer', () => {
  const writer = createWriter('Europe/London');
  const written = (given: Partial<CalendarEntry> = {}) =>
    writer.document([writer.entry(createEntry(given))]).ics;
  const findLine = (ics: string, name: string) =>
    ics
      .slice(ics.indexOf('BEGIN:VEVENT'))
      .split('\r\n')
      .find((line) => line.startsWith(name));

  it.each([
    ['the last evening of summer time', '2026-10-24T18:00:00.000Z', '2026-10-24T20:00:00.000Z'],
    ['the first evening of winter time', '2026-10-25T19:00:00.000Z', '2026-10-25T21:00:00.000Z'],
    ['the night of the autumn change', '2026-10-24T23:30:00.000Z', '2026-10-25T03:00:00.000Z'],
    ['the last evening of winter time', '2027-03-27T19:00:00.000Z', '2027-03-27T21:00:00.000Z'],
    ['the first evening of summer time', '2027-03-28T18:00:00.000Z', '2027-03-28T20:00:00.000Z'],
  ])('gives the correct time on %s, in the time zone of the community', (_, start, end) => {
    const ics = written({ startDate: new Date(start), endDate: new Date(end) });
    expect(ics).toContain('DTSTART;TZID=Europe/London:');
    expect(parse({ ics })).toMatchObject([{ start, end }]);
  });

  it.each([
    ['in the repeated hour', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'],
    ['that ends in the repeated hour', '2026-10-24T22:00:00Z', '2026-10-25T01:30:00Z'],
    ['that begins in the repeated hour', '2026-10-25T00:30:00Z', '2026-10-25T09:00:00Z'],
  ])('writes an event %s in UTC, because its local time is ambiguous', (_, start, end) => {
    const ics = written({ startDate: new Date(start), endDate: new Date(end) });
    const inUtc = (text: string) => text.replaceAll(/[-:]/g, '');
    expect([findLine(ics, 'DTSTART'), findLine(ics, 'DTEND')]).toEqual([
      `DTSTART:${inUtc(start)}`,
      `DTEND:${inUtc(end)}`,
    ]);
  });

  it('writes calendar properties first, then time zone rules, then the entry', () => {
    const lines = written().split('\r\n');
    const parts = ['X-PUBLISHED-TTL', 'REFRESH-INTERVAL', 'BEGIN:VTIMEZONE', 'BEGIN:VEVENT'];
    const found = parts.map((name) => lines.findIndex((line) => line.startsWith(name)));
    const [ttl, interval, zone, entry] = found as [number, number, number, number];
    expect(Math.max(ttl, interval)).toBeLessThan(zone);
    expect(zone).toBeLessThan(entry);
  });

  it('writes each entry in its own time zone, and each zone’s rules once', () => {
    const there = { timeZone: 'America/New_York', description: 'DTSTART;TZID=Asia/Tokyo:20270611T130000' };
    const entries = [there, {}, there].map((given) => writer.entry(createEntry(given)));
    const { ics } = writer.document(entries);
    expect(ics.match(/^TZID:.*$/gm)).toEqual(['TZID:Europe/London', 'TZID:America/New_York']);
    expect(ics.match(/^DTSTART;.*$/gm)).toEqual([
      'DTSTART;TZID=America/New_York:20270611T130000',
      'DTSTART;TZID=Europe/London:20270611T180000',
      'DTSTART;TZID=America/New_York:20270611T130000',
    ]);
    const start = createEntry().startDate.toISOString();
    expect(parse({ ics })).toMatchObject([{ start }, { start }, { start }]);
  });

  it('writes an all-day event as days in the event’s time zone', () => {
    const [startDate, endDate] = [new Date('2027-06-11T04:00:00Z'), new Date('2027-06-12T04:00:00Z')];
    const ics = written({ startDate, endDate, isAllDay: true, timeZone: 'America/New_York' });
    expect(findLine(ics, 'DTSTART')).toBe('DTSTART;VALUE=DATE:20270611');
    expect(findLine(ics, 'DTEND')).toBe('DTEND;VALUE=DATE:20270612');
  });

  it('shortens a description without splitting a character', () => {
    const { description } = shortened(createEntry({ description: '👩🏽‍💻'.repeat(300) }));
    expect(description).toMatch(/^(👩🏽‍💻)+…$/u);
  });

  it('isolates a right-to-left title and drops direction overrides', () => {
    expect(findLine(written({ title: 'مؤتمر \u202eevil' }), 'SUMMARY')).toBe(
      'SUMMARY:\u2068مؤتمر evil\u2069',
    );
  });

  it.each(['x'.repeat(9_990), '集'.repeat(3_000), '👩🏽‍💻 and a; '.repeat(500), 'é, \\ '.repeat(900)])(
    'folds lines at 75 octets without breaking the text: %#',
    (description) => {
      const ics = written({ description });
      for (const line of ics.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(parse({ ics })).toMatchObject([{ description }]);
    },
  );

  it('ends every line with CRLF, including the last', () => {
    const ics = written();
    expect(ics.endsWith('END:VCALENDAR\r\n')).toBe(true);
    expect(ics.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  it('leaves out control characters', () => {
    const ics = written({ title: 'a\u0000b', description: 'one\u0007\ntwo\u001b' });
    expect([findLine(ics, 'SUMMARY'), findLine(ics, 'DESCRIPTION')]).toEqual([
      'SUMMARY:a b',
      'DESCRIPTION:one\\ntwo',
    ]);
  });
});
