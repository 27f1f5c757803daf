import type { Identity, Community } from '@meetmark/contracts';
import { runInCall, StartedCall } from '@meetmark/platform';
import { daysFromNow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import ICAL from 'ical.js';
import { DataSource } from 'typeorm';
import { DateTime } from 'luxon';
import { updateRow } from '@meetmark/testing/factories/users';
import { EventEditingService } from '../events/core/event-editing.service.js';
import { RegistrationsService } from '../registrations/registrations.service.js';
import { createCall, eventsForTests } from '../testing/open-events.js';
import { CalendarFeedsService } from './calendar-feeds.service.js';
import { CalendarService } from './calendar.service.js';
import { CalendarWriter, shortened } from './calendar-writer.js';
import { EventsConfig } from '../events.config.js';

const UNKNOWN = '0197f000-0000-7000-8000-000000000000';

/** Parses with a third-party parser that takes time zones from the document alone. */
function parse({ ics }: { ics: string }) {
  const calendar = new ICAL.Component(ICAL.parse(ics));
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    return {
      uid: event.uid,
      summary: event.summary,
      description: event.description,
      location: event.location,
      sequence: event.sequence,
      start: event.startDate.toJSDate().toISOString(),
      end: event.endDate.toJSDate().toISOString(),
      days: [event.startDate.toString(), event.endDate.toString()],
      status: component.getFirstPropertyValue('status'),
      stamp: String(component.getFirstPropertyValue('dtstamp')),
      url: component.getFirstPropertyValue('url'),
    };
  });
}

describe('the calendar service', () => {
  const events = eventsForTests();
  let calendars: CalendarService;
  let admin: Identity;
  beforeAll(async () => {
    calendars = events.get(CalendarService);
    admin = await events.administrator();
  });
  beforeEach(() => events.empty());

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
    const event = await insertEvent(events.owner, {
      title: 'Ads, budgets; and more',
      description: 'Bring:\n- a laptop, \\ and "questions"',
      location: 'Town hall; room 2',
      createdById: admin.sub,
    });
    expect(parse(await calendars.ofEvent({ eventId: event.id }))).toEqual([
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
      {
        ...{ title: 'Online', location: null, price: null, capacity: 1, banner: { action: 'remove' } },
        startDate: daysFromNow(1).toISOString(),
        endDate: daysFromNow(2).toISOString(),
        description: '**Bring** a laptop',
        descriptionFormat: 'markdown',
        format: 'online',
        onlineUrl,
        onlineNote: 'Passcode 1234',
      },
      createCall(admin),
    );
    const shown = async (document: Promise<{ ics: string }>) => parse(await document)[0]?.description;
    const feed = () => shown(calendars.ofMember({ token }));
    const seat = (status: string) =>
      events.owner.query('UPDATE events.event_registrations SET status = $2 WHERE event_id = $1', [
        event.id,
        status,
      ]);
    expect(await feed()).toBeUndefined();
    await insertRegistration(events.owner, { eventId: event.id, userId });
    expect(await feed()).toBe(`Join: ${onlineUrl}\n\nPasscode 1234\n\nBring a laptop`);
    for (const all of [calendars.ofEvent({ eventId: event.id }), calendars.ofEverything()])
      expect(await shown(all)).toBe('Bring a laptop');
    await seat('cancelled');
    expect(await feed()).toBeUndefined();
  });

  it.each([
    ['the last evening of summer time', '2026-10-24T18:00:00.000Z', '2026-10-24T20:00:00.000Z'],
    ['the first evening of winter time', '2026-10-25T19:00:00.000Z', '2026-10-25T21:00:00.000Z'],
    ['the night of the autumn change', '2026-10-24T23:30:00.000Z', '2026-10-25T03:00:00.000Z'],
    ['the last evening of winter time', '2027-03-27T19:00:00.000Z', '2027-03-27T21:00:00.000Z'],
    ['the first evening of summer time', '2027-03-28T18:00:00.000Z', '2027-03-28T20:00:00.000Z'],
  ])('gives the correct time on %s, in the time zone of the community', async (_, start, end) => {
    const dates = { startDate: new Date(start), endDate: new Date(end) };
    const event = await insertEvent(events.owner, { ...dates, createdById: admin.sub });
    const document = await calendars.ofEvent({ eventId: event.id });
    expect(document.ics).toContain('BEGIN:VTIMEZONE\r\nTZID:Europe/London');
    expect(document.ics).toContain('DTSTART;TZID=Europe/London:');
    expect(parse(document)).toMatchObject([{ start, end }]);
  });

  it('shows an all-day event as local days, even across a clock change', async () => {
    const dates = { startDate: new Date('2027-03-28T00:00:00Z'), endDate: new Date('2027-03-28T23:00:00Z') };
    const event = await insertEvent(events.owner, { ...dates, isAllDay: true, createdById: admin.sub });
    expect(parse(await calendars.ofEvent({ eventId: event.id }))).toMatchObject([
      { days: ['2027-03-28', '2027-03-29'] },
    ]);
  });

  it('raises the sequence of a changed event and cancels the entry of a deleted one', async () => {
    const event = await insertEvent(events.owner, { createdById: admin.sub });
    const [before] = parse(await calendars.ofEvent({ eventId: event.id }));
    await events.get(EventEditingService).update(
      {
        eventId: event.id,
        title: 'Renamed',
        description: null,
        location: null,
        price: null,
        capacity: null,
        startDate: event.startDate.toISOString(),
        endDate: event.endDate.toISOString(),
        banner: { action: 'remove' },
      },
      createCall(admin),
    );
    expect(parse(await calendars.ofEvent({ eventId: event.id }))).toMatchObject([
      { uid: before?.uid, sequence: 1, summary: 'Renamed', status: 'CONFIRMED' },
    ]);
    await events.get(EventEditingService).delete({ eventId: event.id }, createCall(admin));
    const cancelled = [{ uid: before?.uid, sequence: 2, summary: 'Renamed', status: 'CANCELLED' }];
    expect(parse(await calendars.ofEvent({ eventId: event.id }))).toMatchObject(cancelled);
    expect(parse(await calendars.ofEverything())).toMatchObject(cancelled);
  });

  it('shows "Online" as the location of an online event', async () => {
    const event = await insertEvent(events.owner, { format: 'online', createdById: admin.sub });
    expect(parse(await calendars.ofEvent({ eventId: event.id }))).toMatchObject([{ location: 'Online' }]);
  });

  it('prefers the member’s language to the community’s in a personal calendar', async () => {
    const { userId, token } = await memberFeed();
    const event = await insertEvent(events.owner, { format: 'hybrid', location: 'Leeds' });
    await insertRegistration(events.owner, { eventId: event.id, userId });
    await events.owner.query(
      `INSERT INTO events.event_contents (event_id, online_url) VALUES ($1, 'https://meet.example/tea')`,
      [event.id],
    );
    const german = anotherService('de');
    const shown = async (document: Promise<{ ics: string }>) => parse(await document)[0];
    const inGerman = { location: 'Leeds (auch online)' };
    const inEnglish = { location: 'Leeds (also online)' };
    expect(await shown(calendars.ofEvent({ eventId: event.id }))).toMatchObject(inEnglish);
    expect(await shown(calendars.ofMember({ token }))).toMatchObject(inEnglish);
    for (const document of [
      german.ofEvent({ eventId: event.id }),
      german.ofEverything(),
      german.ofMember({ token }),
    ])
      expect(await shown(document)).toMatchObject(inGerman);
    await updateRow(events.owner, 'auth.users', userId, { locale: 'de' });
    expect(await shown(calendars.ofMember({ token }))).toMatchObject({
      ...inGerman,
      description: expect.stringMatching(/^Teilnehmen: https:/),
    });
    await updateRow(events.owner, 'auth.users', userId, { locale: 'en-GB' });
    expect(await shown(german.ofMember({ token }))).toMatchObject(inEnglish);
    await updateRow(events.owner, 'auth.users', userId, { locale: 'pt' });
    expect(await shown(german.ofMember({ token }))).toMatchObject(inGerman);
  });

  it('rejects an unknown event', async () => {
    await expect(calendars.ofEvent({ eventId: UNKNOWN })).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });

  it('shows public events from 30 days ago onwards, soonest first', async () => {
    for (const days of [400, 1, -29, -31])
      await insertEvent(events.owner, {
        title: `${days}`,
        startDate: daysFromNow(days),
        createdById: admin.sub,
      });
    expect(listTitles(await calendars.ofEverything())).toEqual(['-29', '1', '400']);
  });

  describe('with many events', () => {
    const MANY = 1_000;
    let calendars: CalendarService;
    beforeEach(async () => {
      calendars = anotherService('en-GB');
      await events.owner.query(
        `INSERT INTO events.events (id, title, description, description_format, start_date, end_date, created_by_id)
         SELECT gen_random_uuid(), 'Event ' || n, rpad('', 9990, 'bring *a* laptop, (a) pen; '), 'markdown',
           now() + n * interval '1 hour', now() + n * interval '1 hour' + interval '30 minutes', $1
         FROM generate_series(1, ${MANY}) AS n`,
        [admin.sub],
      );
    });
    /** Returns the processor time of the work, and its longest part without a pause. Both in milliseconds. */
    async function measureCost<T>(work: () => Promise<T>) {
      let [last, longest] = [process.cpuUsage(), 0];
      const turn = () => {
        const { user, system } = process.cpuUsage(last);
        longest = Math.max(longest, (user + system) / 1_000);
        last = process.cpuUsage();
      };
      const turns = setInterval(turn, 1);
      const before = process.cpuUsage();
      const result = await work();
      const { user, system } = process.cpuUsage(before);
      turn();
      clearInterval(turns);
      return { result, longest, whole: (user + system) / 1_000 };
    }

    it('builds 2,000 entries without blocking, and rebuilds cheaply after a change', async () => {
      await events.owner.query(
        `INSERT INTO events.deleted_events
           (id, title, start_date, end_date, is_all_day, sequence, registered_user_ids, created_at, listed)
         SELECT gen_random_uuid(), 'Gone ' || n, now(), now() + interval '1 hour', false, 1, '{}', now(), true
         FROM generate_series(1, ${MANY}) AS n`,
      );
      const first = await measureCost(() => calendars.ofEverything());
      expect(parse(first.result)).toHaveLength(2 * MANY);
      expect(first.longest).toBeLessThan(first.whole / 4);
      const [{ id }] = await events.owner
        .query<{ id: string }>('SELECT id FROM events.events ORDER BY start_date LIMIT 1')
        .then(({ rows }) => rows as [{ id: string }]);
      const afterRenaming = async (title: string) => {
        const banner = { action: 'keep' } as const;
        await events.get(EventEditingService).update({ eventId: id, title, banner }, createCall(admin));
        const again = await measureCost(() => calendars.ofEverything());
        expect(listTitles(again.result).filter((each) => each === title)).toEqual([title]);
        return again.whole;
      };
      // measures three times, because garbage collection may slow one of them
      const costs = [await afterRenaming('One'), await afterRenaming('Two'), await afterRenaming('Three')];
      expect(Math.min(...costs)).toBeLessThan(first.whole / 4);
    });

    it('limits the size of a calendar by shortening long descriptions', async () => {
      const { ics } = await calendars.ofEverything();
      expect(ics.length).toBeLessThan(MANY * 3_000);
      const [entry] = parse({ ics });
      expect(entry).toMatchObject({ description: expect.stringMatching(/…$/), url: expect.any(String) });
      expect(entry!.description.length).toBeLessThanOrEqual(2_000);
    });

    it('builds a calendar once for simultaneous requests', async () => {
      const writer = events.get(CalendarWriter);
      const { entry, document } = writer;
      let [made, joined] = [0, 0];
      writer.entry = (...of) => ((made += 1), entry.apply(writer, of));
      writer.document = (...of) => ((joined += 1), document.apply(writer, of));
      await Promise.all(Array.from({ length: 20 }, () => calendars.ofEverything()));
      Object.assign(writer, { entry, document });
      expect(made).toBeLessThanOrEqual(MANY);
      expect(joined).toBe(1);
    });
  });

  it('prepares the public calendar at startup, before the first request', async () => {
    await insertEvent(events.owner, { title: 'Tea', createdById: admin.sub });
    const started = anotherService('en-GB');
    started.onApplicationBootstrap();
    await started.onModuleDestroy();
    await events.owner.query('ALTER TABLE events.deleted_events RENAME TO hidden');
    try {
      expect(listTitles(await started.ofEverything())).toEqual(['Tea']);
    } finally {
      await events.owner.query('ALTER TABLE events.hidden RENAME TO deleted_events');
    }
  });

  it('serves the last public calendar when a new one cannot be built', async () => {
    await insertEvent(events.owner, { title: 'Tea', createdById: admin.sub });
    const before = await calendars.ofEverything();
    await events.owner.query('ALTER TABLE events.deleted_events RENAME TO hidden');
    try {
      expect(await calendars.ofEverything()).toEqual(before);
    } finally {
      await events.owner.query('ALTER TABLE events.hidden RENAME TO deleted_events');
    }
  });

  it('serves the last public calendar while a slow rebuild is running', async () => {
    await insertEvent(events.owner, { title: 'Tea', createdById: admin.sub });
    const before = await calendars.ofEverything();
    await insertEvent(events.owner, { title: 'Coffee', createdById: admin.sub });
    await events.owner.query('BEGIN; LOCK TABLE events.deleted_events');
    try {
      expect(await calendars.ofEverything()).toEqual(before);
    } finally {
      await events.owner.query('ROLLBACK');
    }
    expect(listTitles(await calendars.ofEverything()).toSorted()).toEqual(['Coffee', 'Tea']);
  });

  it('writes a valid calendar without events', async () => {
    expect(parse(await calendars.ofEverything())).toEqual([]);
  });

  it('ends every line with CRLF, including the last', async () => {
    const event = await insertEvent(events.owner, { createdById: admin.sub });
    const { token } = await memberFeed();
    const documents = [
      calendars.ofEvent({ eventId: event.id }),
      calendars.ofEverything(),
      calendars.ofMember({ token }),
    ];
    for (const { ics } of await Promise.all(documents)) {
      expect(ics.endsWith('END:VCALENDAR\r\n')).toBe(true);
      expect(ics.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    }
  });

  it('names the community and its email address as the organizer', async () => {
    const event = await insertEvent(events.owner, { createdById: admin.sub });
    const { ics } = await calendars.ofEvent({ eventId: event.id });
    const [entry] = new ICAL.Component(ICAL.parse(ics)).getAllSubcomponents('vevent');
    const organizer = entry?.getFirstProperty('organizer');
    expect(organizer?.getFirstValue()).toBe('mailto:hello@northerndigital.example');
    expect(organizer?.getFirstParameter('cn')).toBe('Northern Digital Marketers');
  });

  describe("with a member's own events", () => {
    it('finds a personal calendar only by its token, and stores no token', async () => {
      const { token } = await memberFeed();
      expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(parse(await calendars.ofMember({ token }))).toEqual([]);
      const { rows } = await events.owner.query(
        "SELECT encode(token_hash, 'escape') AS kept FROM events.calendar_feeds",
      );
      expect(rows[0].kept).not.toContain(token);
      await expect(calendars.ofMember({ token: 'x'.repeat(43) })).rejects.toMatchObject({
        code: 'CALENDAR_NOT_FOUND',
      });
    });

    it('lists the member’s registered events, and deleted ones as cancelled', async () => {
      const { userId, token } = await memberFeed();
      const named = (title: string, days: number) =>
        insertEvent(events.owner, { title, startDate: daysFromNow(days), createdById: admin.sub });
      const [kept, left, deleted] = [
        await named('Kept event', 1),
        await named('left', 2),
        await named('Deleted event', 3),
      ];
      await named('of others', 4);
      for (const { id } of [kept, left, deleted])
        await insertRegistration(events.owner, { eventId: id, userId });
      await events.get(RegistrationsService).unregister({ eventId: left.id }, createCall(userId));
      await events.get(EventEditingService).delete({ eventId: deleted.id }, createCall(admin));
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
      await expect(late).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' });
      await Promise.all([...asked, everything]);
      expect(made.indexOf('public')).toBeLessThan(3);
    });

    it('renews and revokes the token of a personal calendar on request', async () => {
      const feeds = events.get(CalendarFeedsService);
      const { userId, token } = await memberFeed();
      const renewed = await feeds.create({}, createCall(userId));
      await expect(calendars.ofMember({ token })).rejects.toMatchObject({ code: 'CALENDAR_NOT_FOUND' });
      expect(parse(await calendars.ofMember({ token: renewed.token }))).toEqual([]);
      expect(await feeds.get({}, createCall(userId))).toEqual({ createdAt: renewed.createdAt });
      await feeds.revoke({}, createCall(userId));
      await expect(calendars.ofMember({ token: renewed.token })).rejects.toMatchObject({
        code: 'CALENDAR_NOT_FOUND',
      });
      expect(await feeds.get({}, createCall(userId))).toBeNull();
    });

    it('ends a personal calendar with the account’s feeds, but allows a new calendar', async () => {
      const feeds = events.get(CalendarFeedsService);
      const { userId, token } = await memberFeed();
      await events.owner.query('UPDATE auth.users SET feeds_ended_at = now() WHERE id = $1', [userId]);
      await expect(calendars.ofMember({ token })).rejects.toMatchObject({ code: 'CALENDAR_NOT_FOUND' });
      expect(await feeds.get({}, createCall(userId))).toBeNull();
      const renewed = await feeds.create({}, createCall(userId));
      await calendars.ofMember({ token: renewed.token });
    });

    it('ends a personal calendar when the account is deleted', async () => {
      const { userId, token } = await memberFeed();
      await events.owner.query('DELETE FROM auth.users WHERE id = $1', [userId]);
      await expect(calendars.ofMember({ token })).rejects.toMatchObject({ code: 'CALENDAR_NOT_FOUND' });
      const feeds = events.get(CalendarFeedsService);
      await expect(feeds.create({}, createCall(userId))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    });
  });
});

describe.each(['Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kathmandu'])(
  'calendar entries in %s',
  (timeZone) => {
    const community = { name: 'Nomads', supportEmail: 'hello@nomads.example', timeZone } as Community;
    const config = Object.assign(new EventsConfig(), { publicUrl: 'https://nomads.example' });
    const writer = new CalendarWriter(config, community);
    const local = (text: string) => DateTime.fromISO(text, { zone: timeZone }).toJSDate();
    const entryFor = (from: string, to: string, isAllDay: boolean) => {
      const { ics } = writer.document([
        writer.entry({
          id: '0197f000-0000-7000-8000-000000000000',
          title: 'Camp',
          description: null,
          location: null,
          sequence: 0,
          createdAt: new Date(0),
          changedAt: new Date(0),
          cancelled: false,
          deleted: false,
          startDate: local(from),
          endDate: local(to),
          isAllDay,
        }),
      ]);
      const calendar = new ICAL.Component(ICAL.parse(ics));
      for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
      return new ICAL.Event(calendar.getFirstSubcomponent('vevent')!);
    };

    it.each([
      ['one day', '2027-06-11T00:00', '2027-06-12T00:00', ['2027-06-11', '2027-06-12']],
      ['one day to its last minute', '2027-06-11T00:00', '2027-06-11T23:59', ['2027-06-11', '2027-06-12']],
      ['three days', '2027-03-12T00:00', '2027-03-14T23:59', ['2027-03-12', '2027-03-15']],
      ['three days in autumn', '2027-11-06T00:00', '2027-11-09T00:00', ['2027-11-06', '2027-11-09']],
    ])('writes an all-day event of %s as days in the time zone', (_, from, to, days) => {
      const entry = entryFor(from, to, true);
      expect([entry.startDate.toString(), entry.endDate.toString()]).toEqual(days);
    });

    it('keeps the exact start and end of a timed event over three days', () => {
      const entry = entryFor('2027-03-12T18:00', '2027-03-14T12:00', false);
      expect([entry.startDate.toJSDate(), entry.endDate.toJSDate()]).toEqual([
        local('2027-03-12T18:00'),
        local('2027-03-14T12:00'),
      ]);
    });
  },
);

describe('the calendar writer', () => {
  const community = { name: 'Nomads', supportEmail: 'hello@nomads.example', timeZone: 'Europe/London' };
  const config = Object.assign(new EventsConfig(), { publicUrl: 'https://nomads.example' });
  const writer = new CalendarWriter(config, community as Community);
  const ENTRY = {
    id: '0197f000-0000-7000-8000-000000000000',
    title: 'Camp',
    description: null as string | null,
    location: null,
    sequence: 0,
    createdAt: new Date(0),
    changedAt: new Date(0),
    cancelled: false,
    deleted: false,
    startDate: new Date('2027-06-11T17:00:00Z'),
    endDate: new Date('2027-06-11T19:00:00Z'),
    isAllDay: false,
    timeZone: null as string | null,
  };
  const written = (given: Partial<typeof ENTRY> = {}) =>
    writer.document([writer.entry({ ...ENTRY, ...given })]).ics;
  const findLine = (ics: string, name: string) =>
    ics
      .slice(ics.indexOf('BEGIN:VEVENT'))
      .split('\r\n')
      .find((line) => line.startsWith(name));

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
    const names = written()
      .split('\r\n')
      .map((line) => line.split(/[:;]/, 1)[0]);
    const [zone, entry] = ['BEGIN:VTIMEZONE', 'BEGIN:VEVENT'].map((line) =>
      written().split('\r\n').indexOf(line),
    );
    expect(names.indexOf('REFRESH-INTERVAL')).toBeLessThan(zone!);
    expect(names.indexOf('X-PUBLISHED-TTL')).toBeLessThan(zone!);
    expect(zone).toBeLessThan(entry!);
  });

  it('writes each entry in its own time zone, and each zone’s rules once', () => {
    const there = { timeZone: 'America/New_York', description: 'DTSTART;TZID=Asia/Tokyo:20270611T130000' };
    const { ics } = writer.document([
      writer.entry({ ...ENTRY, ...there }),
      writer.entry(ENTRY),
      writer.entry({ ...ENTRY, ...there }),
    ]);
    expect(ics.match(/^TZID:.*$/gm)).toEqual(['TZID:Europe/London', 'TZID:America/New_York']);
    expect(ics.match(/^DTSTART;.*$/gm)).toEqual([
      'DTSTART;TZID=America/New_York:20270611T130000',
      'DTSTART;TZID=Europe/London:20270611T180000',
      'DTSTART;TZID=America/New_York:20270611T130000',
    ]);
    const calendar = new ICAL.Component(ICAL.parse(ics));
    for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
    for (const entry of calendar.getAllSubcomponents('vevent'))
      expect(new ICAL.Event(entry).startDate.toJSDate()).toEqual(ENTRY.startDate);
  });

  it('writes an all-day event as days in the event’s time zone', () => {
    const [startDate, endDate] = [new Date('2027-06-11T04:00:00Z'), new Date('2027-06-12T04:00:00Z')];
    const ics = written({ startDate, endDate, isAllDay: true, timeZone: 'America/New_York' });
    expect(findLine(ics, 'DTSTART')).toBe('DTSTART;VALUE=DATE:20270611');
    expect(findLine(ics, 'DTEND')).toBe('DTEND;VALUE=DATE:20270612');
  });

  it('shortens a description without splitting a character', () => {
    const { description } = shortened({ ...ENTRY, description: '👩🏽‍💻'.repeat(300) });
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
      const [event] = new ICAL.Component(ICAL.parse(ics)).getAllSubcomponents('vevent');
      expect(event!.getFirstPropertyValue('description')).toBe(description);
    },
  );

  it('leaves out control characters', () => {
    const ics = written({ title: 'a\u0000b', description: 'one\u0007\ntwo\u001b' });
    expect([findLine(ics, 'SUMMARY'), findLine(ics, 'DESCRIPTION')]).toEqual([
      'SUMMARY:a b',
      'DESCRIPTION:one\\ntwo',
    ]);
  });
});
