import {
  EventCancelledMail,
  EventChanged,
  type Identity,
  RecordAudit,
  SendAnnouncement,
  type EventStatus,
  type EventVisibility,
  type SeriesStep,
  type UpdateEventRequest,
  WaitlistDismissedMail,
} from '@meetmark/contracts';
import { daysFromNow, type EventRow, insertEvent } from '@meetmark/testing/factories/events';
import { beforeCommit, codes, outcomes } from '@meetmark/testing';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { updateRow } from '@meetmark/testing/factories/users';
import { CalendarFeedsService } from '../../calendar/calendar-feeds.service.js';
import { CalendarService } from '../../calendar/calendar.service.js';
import { RegistrationListsService } from '../../registrations/registration-lists.service.js';
import { RegistrationsService } from '../../registrations/registrations.service.js';
import { manageEvents } from '../../testing/manage-events.js';
import { createCall, eventsForTests, inject, persistently } from '../../testing/open-events.js';
import { EventLifeService } from './event-life.service.js';
import { EventsService } from './events.service.js';
import type { EventValues } from './event.entity.js';
import { followers, moved, wallBetween } from '../series/event-series.js';

const events = eventsForTests();

const life = inject(events, EventLifeService);
const service = inject(events, EventsService);
const { admin, create, change, remove, publish, cancel, makeSeries, get } = manageEvents(events);

const refused = async (promise: Promise<unknown>) => (await codes([promise]))[0];

describe('the life cycle of an event', () => {
  describe('visibility', () => {
    const KINDS: [EventStatus, EventVisibility, 'nowhere' | 'by its address' | 'everywhere'][] = [
      ['draft', 'public', 'nowhere'],
      ['draft', 'unlisted', 'nowhere'],
      ['published', 'public', 'everywhere'],
      ['published', 'unlisted', 'by its address'],
      ['cancelled', 'public', 'by its address'],
      ['cancelled', 'unlisted', 'by its address'],
    ];

    const find = async ({ id: eventId, title }: EventRow, viewer: Identity | null) => {
      const call = createCall(viewer);
      const lists = [
        await service.list({}, call),
        await service.list({ limit: 5, time: 'upcoming', q: title }, call),
        await service.listAddresses({ page: 1 }),
      ];
      const byAddress = await codes([
        service.get({ eventId }, call),
        service.countRegistrations({ eventId }, call),
        events.get(RegistrationListsService).attendees({ eventId }, call),
        events.get(CalendarService).ofEvent({ eventId }),
      ]);
      return { inLists: lists.map((list) => JSON.stringify(list).includes(eventId)), byAddress };
    };

    it.each(KINDS)('%s and %s: visitors and members find the event %s', async (status, visibility, where) => {
      const event = await insertEvent(events.owner, { status, visibility, title: 'Hidden or not' });
      for (const viewer of [null, await events.person()])
        expect(await find(event, viewer)).toEqual({
          inLists: Array(3).fill(where === 'everywhere'),
          byAddress: Array(4).fill(where === 'nowhere' ? 'EVENT_NOT_FOUND' : 'ok'),
        });
      const { inLists, byAddress } = await find(event, admin);
      expect([inLists.slice(0, 2), byAddress.slice(0, 3)]).toEqual([
        Array(2).fill(true),
        Array(3).fill('ok'),
      ]);
    });

    it('limits totals, filters and the summary to the events that the viewer can see', async () => {
      for (const [status, visibility] of KINDS)
        await insertEvent(events.owner, { status, visibility, title: status });
      const member = await events.person();
      const totals = async (viewer: Identity | null) => {
        const all: number[] = [];
        for (const status of [undefined, 'draft', 'published', 'cancelled'] as const)
          all.push((await service.list({ status, limit: 1 }, createCall(viewer))).total);
        return all;
      };
      expect(await totals(admin)).toEqual([6, 2, 2, 2]);
      expect(await totals(member)).toEqual([1, 0, 1, 0]);
      expect(await totals(null)).toEqual([1, 0, 1, 0]);
      const { nextEvents, ...figures } = await service.summarise({}, createCall(admin));
      expect(figures).toMatchObject({ total: 2, createdLast30Days: 2, upcoming: 2 });
      expect(nextEvents.map(({ title }) => title)).toEqual(['published', 'published']);
    });

    it('omits drafts from calendars, and marks cancelled events', async () => {
      const { sub } = await events.person();
      for (const [status, visibility] of KINDS) {
        const title = `${status} ${visibility}`;
        const begun = status === 'cancelled' ? 'published' : status;
        const { id: eventId } = await insertEvent(events.owner, { status: begun, visibility, title });
        if (status !== 'draft') await events.register(eventId, [sub]);
        if (status === 'cancelled') await cancel(eventId);
      }
      const entries = ({ ics }: { ics: string }) =>
        ics
          .split('BEGIN:VEVENT')
          .slice(1)
          .map((entry) => [/SUMMARY:(.*)\r/.exec(entry)?.[1], /STATUS:(.*)\r/.exec(entry)?.[1]])
          .toSorted();
      const calendars = events.get(CalendarService);
      expect(entries(await calendars.ofEverything())).toEqual([
        ['cancelled public', 'CANCELLED'],
        ['published public', 'CONFIRMED'],
      ]);
      const { token } = await events.get(CalendarFeedsService).create({}, createCall(sub));
      const own = ['cancelled public', 'cancelled unlisted', 'published public', 'published unlisted'];
      expect(entries(await calendars.ofMember({ token })).map(([title]) => title)).toEqual(own);
      const mine = await service.myEvents({}, createCall(sub));
      expect(mine.items.map(({ status, visibility }) => `${status} ${visibility}`).toSorted()).toEqual(own);
    });

    it('omits deleted drafts and deleted unlisted events from the public calendar', async () => {
      const { id: draft } = await insertEvent(events.owner, { status: 'draft' });
      const { id: unlisted } = await insertEvent(events.owner, { visibility: 'unlisted' });
      for (const eventId of [draft, unlisted]) await remove(eventId);
      const calendars = events.get(CalendarService);
      expect(await refused(calendars.ofEvent({ eventId: draft }))).toBe('EVENT_NOT_FOUND');
      expect((await calendars.ofEvent({ eventId: unlisted })).ics).toContain('STATUS:CANCELLED');
      expect((await calendars.ofEverything()).ics).not.toContain('VEVENT');
    });
  });

  describe('a draft', () => {
    it('creates a draft on request; events are published and public by default', async () => {
      const none = { publishAt: null, registrationOpensAt: null, registrationClosesAt: null };
      expect(await create()).toMatchObject({ status: 'published', visibility: 'public', ...none });
      const [opens, closes] = [daysFromNow(1).toISOString(), daysFromNow(9).toISOString()];
      const moments = { publishAt: opens, registrationOpensAt: opens, registrationClosesAt: closes };
      const given = { visibility: 'unlisted', ...moments } as const;
      const draft = await create({ status: 'draft', ...given });
      expect(draft).toMatchObject({ status: 'draft', ...given });
      expect(await change(draft, { title: 'Renamed' })).toMatchObject(given);
      expect(await change(draft, none)).toMatchObject(none);
    });

    it('publishes a draft once when two people publish it at the same time', async () => {
      const publishAt = daysFromNow(0.5);
      const { id: eventId } = await insertEvent(events.owner, { status: 'draft', publishAt });
      const [one, other] = await Promise.all([
        publish(eventId, 1),
        life.publish({ eventId, version: 1 }, createCall(await events.administrator())),
      ]);
      expect(one).toMatchObject({ status: 'published', publishAt: null, version: 2 });
      expect(other).toMatchObject({ status: 'published', version: 2 });
      const values = { status: { before: 'draft', after: 'published' } };
      expect(await events.outbox(RecordAudit)).toMatchObject([
        { action: 'event.published', subjectId: eventId, values },
      ]);
      expect(await service.list({}, createCall(null))).toMatchObject({ total: 1 });
    });

    it('publishes only the current version of a draft, and sends no change notices', async () => {
      const { id: eventId } = await insertEvent(events.owner, { status: 'draft' });
      await change(eventId, { title: 'Renamed', location: 'Town hall' });
      expect(await events.outbox(EventChanged)).toEqual([]);
      expect(await refused(publish(eventId, 1))).toBe('EDIT_CONFLICT');
      expect(await refused(cancel(eventId))).toBe('EVENT_IS_DRAFT');
      expect(await publish(eventId, 2)).toMatchObject({ title: 'Renamed' });
    });

    it('publishes due drafts, audited as actions of the people who scheduled them', async () => {
      const grace = await events.administrator();
      const due = await insertEvent(events.owner, { status: 'draft', publishAt: daysFromNow(-0.001) });
      const set = await insertEvent(events.owner, { status: 'draft' });
      const later = await insertEvent(events.owner, { status: 'draft', publishAt: daysFromNow(0.01) });
      await change(set, { publishAt: daysFromNow(-0.001).toISOString() }, grace);
      await events.owner.query('DELETE FROM events.outbox');
      const publishDue = async () => (await events.row('SELECT events.publish_due() AS published')).published;
      const editor = await events.owner.connect();
      try {
        await editor.query('BEGIN');
        await editor.query('SELECT FROM events.events WHERE id = $1 FOR UPDATE', [due.id]);
        expect(await publishDue()).toBe(1);
        await editor.query('COMMIT');
      } finally {
        editor.release();
      }
      expect([await publishDue(), await publishDue()]).toEqual([1, 0]);
      const entry = ({ id: subjectId, title: subjectName }: EventRow, actorId: string) => {
        const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
        return { action: 'event.published', actorId, subjectId, subjectName, changed: [], at };
      };
      expect(await events.outbox(RecordAudit)).toEqual([entry(set, grace.sub), entry(due, due.createdById)]);
      const published = { status: 'published', publishAt: null };
      expect(await get(due, null)).toMatchObject(published);
      expect(await get(later)).toMatchObject({ status: 'draft' });
    });

    it('still sends an announcement that is withdrawn while the schedule publishes the draft', async () => {
      const { id } = await insertEvent(events.owner, { status: 'draft', publishAt: daysFromNow(-0.001) });
      await events.owner.query('INSERT INTO events.announcements (event_id) VALUES ($1)', [id]);
      await beforeCommit(events.owner, ['SELECT events.publish_due()'], () =>
        change(id, { announce: false }),
      );
      expect(await events.outbox(SendAnnouncement)).toEqual([{ eventId: id }]);
    });
  });

  const inDays = (days: number) => daysFromNow(days).toISOString();
  const AFTER = '2032-01-01T00:00:00.000Z';
  it.each([
    ['a publishing time for a published event', { publishAt: inDays(1) }, 'publishAt'],
    ['a publishing time after the end', { status: 'draft', publishAt: AFTER }, 'publishAt'],
    ['a closing time after the end', { registrationClosesAt: AFTER }, 'registrationClosesAt'],
    [
      'a registration that closes when it opens',
      { registrationOpensAt: inDays(5), registrationClosesAt: inDays(5) },
      'registrationClosesAt',
    ],
  ] as const)('refuses %s', async (_, given, field) => {
    const refusal = {
      code: 'VALIDATION_FAILED',
      details: { fields: { [field]: [expect.stringContaining(field)] } },
    };
    await expect(create(given)).rejects.toMatchObject(refusal);
    const { id } = await create();
    await expect(change(id, { ...given, status: undefined } as object)).rejects.toMatchObject(refusal);
  });

  it('lets an event move to a date before its registration deadline', async () => {
    const { id } = await create({ registrationClosesAt: inDays(9) });
    const dates = { startDate: inDays(5), endDate: inDays(5.1) };
    expect(await change(id, dates)).toMatchObject(dates);
  });

  describe('cancellation', () => {
    const published = async (given: Partial<EventRow> = {}) => {
      const event = await insertEvent(events.owner, { startDate: daysFromNow(3), ...given });
      const [one, two, waits, gone] = (await events.members(4)) as [string, string, string, string];
      await events.register(event.id, [one, two]);
      await events.register(event.id, [waits], 'waitlisted');
      await events.register(event.id, [gone], 'cancelled');
      return { event, one, two, waits };
    };

    it('keeps a cancelled event, and emails registered and waiting members once', async () => {
      const { event, one, two, waits } = await published({ capacity: 2, location: 'Town hall' });
      const cancelled = await cancel(event, { reason: 'The hall is flooded', version: 1 });
      expect(cancelled).toMatchObject({
        status: 'cancelled',
        cancelledAt: expect.any(String),
        cancelReason: 'The hall is flooded',
        registrationState: 'cancelled',
        registrationCount: 2,
        version: 2,
      });
      expect(await cancel(event, { reason: 'Another', version: 1 })).toEqual(cancelled);
      const told = {
        id: event.id,
        slug: 'search-marketing-meetup',
        title: event.title,
        location: 'Town hall',
        format: 'in_person',
        startDate: event.startDate.toISOString(),
        endDate: event.endDate.toISOString(),
        isAllDay: false,
        timeZone: null,
        sequence: 1,
        page: true,
        reason: 'The hall is flooded',
      };
      const mails = await events.outbox(EventCancelledMail);
      expect(mails.toSorted((a, b) => (a.userId! < b.userId! ? -1 : 1))).toEqual([
        { userId: one, event: told },
        { userId: two, event: told },
        { userId: waits, event: told, waiting: true },
      ]);
      expect(await events.outbox(RecordAudit)).toMatchObject([
        { action: 'event.cancelled', actorId: admin.sub, subjectId: event.id },
      ]);
      const { ics } = await events.get(CalendarService).ofEvent({ eventId: event.id });
      expect(ics).toContain('STATUS:CANCELLED');
      expect(ics).toContain('SEQUENCE:1');
      expect(ics.replaceAll('\r\n ', '')).toContain('/e/search-marketing-meetup');
    });

    it('rejects changes to a cancelled event, and deletes it without sending emails', async () => {
      const { event } = await published();
      await cancel(event);
      await events.owner.query('DELETE FROM events.outbox');
      expect(await refused(change(event, { title: 'Other' }))).toBe('EVENT_CANCELLED');
      expect(await refused(publish(event))).toBe('EVENT_CANCELLED');
      await remove(event);
      expect(await events.outbox(EventCancelledMail)).toEqual([]);
      const { ics } = await events.get(CalendarService).ofEvent({ eventId: event.id });
      expect(ics).toContain('SEQUENCE:2');
    });

    it('sends no emails about the cancellation of a past event', async () => {
      const { event } = await published({ startDate: daysFromNow(-3) });
      await cancel(event);
      expect(await events.outbox(EventCancelledMail)).toEqual([]);
    });

    it('rejects cancelling an outdated version, and withdraws an unsent change notice', async () => {
      const { event } = await published();
      await change(event, { title: 'Renamed' });
      expect(await refused(cancel(event, { version: 1 }))).toBe('EDIT_CONFLICT');
      expect(await events.outbox(EventChanged)).toHaveLength(1);
      await cancel(event);
      expect(await events.outbox(EventChanged)).toEqual([]);
    });

    it.each([
      ['cancellation', 'EVENT_CANCELLED', cancel],
      ['deletion', 'EVENT_NOT_FOUND', remove],
    ])(
      'emails a %s to exactly the members whose simultaneous registration succeeded',
      async (_, code, end) => {
        const { id: eventId } = await insertEvent(events.owner);
        const [comingBack, coming] = [await events.members(8), await events.members(8)];
        await events.register(eventId, comingBack, 'cancelled');
        const placed: string[] = [];
        const register = async (userId: string) => {
          const ask = () => events.get(RegistrationsService).register({ eventId }, createCall(userId));
          await persistently(ask);
          placed.push(userId);
        };
        const all = [...[...comingBack, ...coming].map(register), persistently<unknown>(() => end(eventId))];
        const { ok, [code]: tooLate = 0 } = await outcomes(all);
        expect([ok, tooLate]).toEqual([placed.length + 1, 16 - placed.length]);
        const told = (await events.outbox(EventCancelledMail)).map(({ userId }) => userId);
        expect(told.toSorted()).toEqual(placed.toSorted());
      },
    );
  });

  describe('the preview link', () => {
    const makePreview = (eventId: string) => life.makePreview({ eventId }, createCall(admin));
    const revokePreview = (eventId: string) => life.revokePreview({ eventId }, createCall(admin));

    it('shows the event until its preview link is replaced or revoked', async () => {
      const { id: eventId } = await insertEvent(events.owner, { status: 'draft', title: 'Secret' });
      const first = await makePreview(eventId);
      expect(first).toEqual({
        token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        createdAt: expect.any(String),
      });
      const shown = { id: eventId, status: 'draft', title: 'Secret' };
      expect(await life.preview({ token: first.token })).toMatchObject(shown);
      const second = await makePreview(eventId);
      expect(await refused(life.preview({ token: first.token }))).toBe('EVENT_NOT_FOUND');
      await publish(eventId);
      expect(await life.preview({ token: second.token })).toMatchObject({ status: 'published' });
      for (let times = 0; times < 2; times += 1) await revokePreview(eventId);
      expect(await refused(life.preview({ token: second.token }))).toBe('EVENT_NOT_FOUND');
      expect(await events.outbox(RecordAudit)).toMatchObject(
        ['event.previewMade', 'event.previewMade', 'event.published', 'event.previewRevoked'].map(
          (action) => ({ action, actorId: admin.sub, subjectId: eventId, subjectName: 'Secret' }),
        ),
      );
    });

    it('stores no preview token, and ends the link when the event is deleted', async () => {
      const { id: eventId } = await insertEvent(events.owner, { status: 'draft' });
      const { token } = await makePreview(eventId);
      const { row } = await events.row('SELECT event_previews::text AS row FROM events.event_previews');
      expect(row).not.toContain(token);
      await remove(eventId);
      const calls = [life.preview({ token }), makePreview(eventId), revokePreview(eventId)];
      expect(await outcomes(calls as Promise<unknown>[])).toEqual({ EVENT_NOT_FOUND: 3 });
    });
  });

  it('rejects changes to an event by a member who does not manage it', async () => {
    const { id: eventId } = await insertEvent(events.owner, { status: 'draft' });
    const none = createCall(await events.person());
    const changes = [
      life.publish({ eventId }, none),
      life.cancel({ eventId }, none),
      life.makePreview({ eventId }, none),
      life.revokePreview({ eventId }, none),
    ];
    expect(await outcomes(changes)).toEqual({ FORBIDDEN: 4 });
  });
});

const DAY = 24 * 3_600_000;
const RUNS = 1_000;
const ZONE = 'Europe/London';
const local = (text: string, zone = ZONE) => DateTime.fromISO(text, { zone }).toJSDate();
const shown = (moment: Date | string, zone = ZONE) =>
  DateTime.fromJSDate(new Date(moment), { zone }).toFormat('yyyy-MM-dd HH:mm');

it('moves a time by local days at most one day too far, where the zone skipped a day', () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
  const moment = fc.date({
    min: new Date('1990-01-01T00:00Z'),
    max: new Date('2037-12-31T00:00Z'),
    noInvalidDate: true,
  });
  const days = fc.integer({ min: -400, max: 400 });
  fc.assert(
    fc.property(moment, days, zone, (from, count, name) => {
      const skipped = wallBetween(from, moved(from, count * DAY, name), name) - count * DAY;
      expect(skipped).toBeGreaterThanOrEqual(0);
      expect(skipped).toBeLessThanOrEqual(DAY);
    }),
    { numRuns: RUNS },
  );
});

describe('the dates of a series', () => {
  const spans = (startDate: Date, lasts: number) => {
    const dates = { startDate, endDate: new Date(startDate.getTime() + lasts) };
    const window = { registrationOpensAt: dates.startDate, registrationClosesAt: dates.endDate };
    const values = { ...dates, ...window } as EventValues;
    return followers(values, { every: 'week', count: 3, zone: ZONE }).map((event) => [
      [event.startDate, event.endDate].map((moment) => shown(moment)),
      event.endDate.getTime() - event.startDate.getTime(),
      event.registrationClosesAt!.getTime() - event.registrationOpensAt!.getTime(),
    ]);
  };

  it.each([
    ['in the hour that the clocks skip', '2027-03-21T01:30Z', 60, ['2027-03-28 02:30', '2027-03-28 03:30']],
    ['up to the skipped hour', '2027-03-21T01:30Z', 30, ['2027-03-28 02:30', '2027-03-28 03:00']],
    ['in the hour that comes twice', '2026-10-25T00:30Z', 60, ['2026-11-01 01:30', '2026-11-01 02:30']],
  ])('keeps the duration of repeated events %s', (_, first, minutes, next) => {
    const lasts = minutes * 60_000;
    const [following, ...more] = spans(new Date(first), lasts);
    expect(following).toEqual([next, lasts, lasts]);
    expect(more.map(([, length]) => length)).toEqual([lasts]);
  });

  it.each<[string, string, SeriesStep, string[]]>([
    ['the last Thursday', '2026-11-26T18:30', 'month', ['12-31 18:30', '01-28 18:30', '02-25 18:30']],
    ['the second Tuesday', '2027-01-12T12:00', 'month', ['02-09 12:00', '03-09 12:00', '04-13 12:00']],
    ['the third Thursday', '2027-01-21T12:00', 'month', ['02-18 12:00', '03-18 12:00', '04-15 12:00']],
    ['the first Friday', '2027-01-01T00:00', 'month', ['02-05 00:00', '03-05 00:00', '04-02 00:00']],
    ['each week', '2027-03-21T10:00', 'week', ['03-28 10:00', '04-04 10:00', '04-11 10:00']],
    ['every two weeks', '2026-10-18T10:00', 'two-weeks', ['11-01 10:00', '11-15 10:00', '11-29 10:00']],
    // clocks skip from 1:00 to 2:00 on the 28th
    ['a skipped time', '2027-03-21T01:30', 'week', ['03-28 02:30', '04-04 01:30', '04-11 01:30']],
  ])('continues a series with %s', (_, first, every, expected) => {
    const event = { startDate: local(first), endDate: local(first) };
    const values = { ...event, registrationOpensAt: null, registrationClosesAt: null } as EventValues;
    const starts = followers(values, { every, count: 4, zone: ZONE }).map(({ startDate }) =>
      shown(startDate),
    );
    expect(starts.map((start) => start.slice('2027-'.length))).toEqual(expected);
  });
});

describe('a series', () => {
  const base = (given: Partial<EventRow> = {}) =>
    insertEvent(events.owner, {
      title: 'Breakfast',
      description: 'Tea',
      price: '5',
      capacity: 20,
      startDate: local('2032-03-18T18:30'),
      endDate: local('2032-03-18T20:00'),
      registrationOpensAt: local('2032-03-11T09:00'),
      registrationClosesAt: local('2032-03-18T12:00'),
      ...given,
    });
  const all = async () => (await service.list({}, createCall(admin))).items;

  it('creates a series of drafts with the values and the local time of the first event', async () => {
    const timeZone = 'America/New_York';
    const there = (text: string) => local(text, timeZone);
    const event = await base({
      visibility: 'unlisted',
      timeZone,
      startDate: there('2032-03-11T18:30'),
      endDate: there('2032-03-11T20:00'),
      registrationOpensAt: there('2032-03-04T09:00'),
      registrationClosesAt: there('2032-03-11T12:00'),
    });
    const made = await makeSeries(event, 3);
    const { seriesId } = (await all())[0]!;
    expect(seriesId).toEqual(expect.any(String));
    const same = {
      ...{ title: 'Breakfast', description: 'Tea', price: '5.00', capacity: 20, timeZone },
      ...{ status: 'draft', visibility: 'unlisted', createdById: event.createdById, seriesId },
      ...{ registrationCount: 0, version: 1 },
    };
    expect(made).toMatchObject([same, same]);
    // clocks change on the 14th in New York and on the 28th in London
    expect(
      made.map(({ startDate, endDate, registrationOpensAt, registrationClosesAt }) =>
        [startDate, endDate, registrationOpensAt!, registrationClosesAt!].map((moment) =>
          shown(moment, timeZone),
        ),
      ),
    ).toEqual([
      ['2032-03-18 18:30', '2032-03-18 20:00', '2032-03-11 09:00', '2032-03-18 12:00'],
      ['2032-03-25 18:30', '2032-03-25 20:00', '2032-03-18 09:00', '2032-03-25 12:00'],
    ]);
    expect((await events.outbox(RecordAudit)).map(({ action, subjectId }) => [action, subjectId])).toEqual(
      made.map(({ id }) => ['event.created', id]),
    );
    expect(await get(event, null)).toMatchObject({ status: 'published', version: 1 });
  });

  it('creates a series once per event, and never from a cancelled event', async () => {
    const { id: eventId } = await base();
    const make = () => makeSeries(eventId, 2, 'month');
    expect(await outcomes([make(), make()])).toEqual({ ok: 1, SERIES_EXISTS: 1 });
    expect(await all()).toHaveLength(2);
    const { id: cancelled } = await base({ status: 'cancelled' });
    expect(await outcomes([makeSeries(cancelled, 2)])).toEqual({ EVENT_CANCELLED: 1 });
  });

  describe('with an edit to one event', () => {
    let series: string[];
    beforeEach(async () => {
      const { id } = await base();
      series = [id, ...(await makeSeries(id, 5)).map((made) => made.id)];
      await events.owner.query('DELETE FROM events.outbox');
    });
    const edit = (index: number, given: Partial<UpdateEventRequest>) => change(series[index]!, given);
    const editLater = (index: number, given: Partial<UpdateEventRequest>) =>
      edit(index, { scope: 'later', ...given });
    const present = async () => {
      const found = new Map((await all()).map((event) => [event.id, event]));
      return series.map((id) => found.get(id)!);
    };

    it('changes no other event of the series by default', async () => {
      await edit(1, { title: 'Brunch' });
      await edit(1, { price: '6', scope: 'this' });
      expect((await present()).map(({ title, price }) => `${title} ${price}`)).toEqual([
        'Breakfast 5.00',
        'Brunch 6.00',
        ...Array.from({ length: 3 }, () => 'Breakfast 5.00'),
      ]);
    });

    it('changes only the edited fields of later events, and raises their versions', async () => {
      await edit(3, { title: 'Supper', location: 'Town hall' });
      await editLater(1, { title: 'Brunch', version: 1 });
      expect((await present()).map(({ title, location, version }) => [title, location, version])).toEqual([
        ['Breakfast', null, 1],
        ['Brunch', null, 2],
        ['Brunch', null, 2],
        ['Brunch', 'Town hall', 3],
        ['Brunch', null, 2],
      ]);
      const audited = (await events.outbox(RecordAudit)).filter(({ changed }) => changed.length === 1);
      expect(audited.map(({ subjectId }) => subjectId).toSorted()).toEqual(series.slice(1).toSorted());
    });

    it('moves later events by the same local time as the edited event', async () => {
      await edit(2, {
        startDate: local('2032-04-02T09:00').toISOString(),
        endDate: local('2032-04-02T11:00').toISOString(),
      });
      await editLater(0, {
        startDate: local('2032-03-19T19:00').toISOString(),
        endDate: local('2032-03-19T21:00').toISOString(),
        registrationClosesAt: local('2032-03-19T18:00').toISOString(),
      });
      const moments = (await present()).map((each) =>
        [each.startDate, each.endDate, each.registrationClosesAt!, each.registrationOpensAt!].map((moment) =>
          shown(moment),
        ),
      );
      expect(moments).toEqual([
        ['2032-03-19 19:00', '2032-03-19 21:00', '2032-03-19 18:00', '2032-03-11 09:00'],
        ['2032-03-26 19:00', '2032-03-26 21:00', '2032-03-26 18:00', '2032-03-18 09:00'],
        ['2032-04-03 09:30', '2032-04-03 12:00', '2032-04-03 08:30', '2032-03-25 09:00'],
        ['2032-04-09 19:00', '2032-04-09 21:00', '2032-04-09 18:00', '2032-04-01 09:00'],
        ['2032-04-16 19:00', '2032-04-16 21:00', '2032-04-16 18:00', '2032-04-08 09:00'],
      ]);
    });

    it('gives later events the new time zone and keeps their local times', async () => {
      const zone = 'America/New_York';
      const there = (text: string) => local(text, zone).toISOString();
      await editLater(0, {
        timeZone: zone,
        startDate: there('2032-03-18T18:30'),
        endDate: there('2032-03-18T20:00'),
        registrationClosesAt: there('2032-03-18T12:00'),
        agenda: [{ startsAt: there('2032-03-18T19:00'), title: 'Doors', endsAt: null, note: null }],
      });
      const found = await present();
      // London's clocks change between the second and the third event, New York's before the first event
      expect(
        found.map(({ timeZone, startDate, endDate, registrationClosesAt }) => [
          timeZone,
          ...[startDate, endDate, registrationClosesAt!].map((moment) => shown(moment, zone)),
        ]),
      ).toEqual([
        [zone, '2032-03-18 18:30', '2032-03-18 20:00', '2032-03-18 12:00'],
        [zone, '2032-03-25 18:30', '2032-03-25 20:00', '2032-03-25 12:00'],
        [zone, '2032-04-01 18:30', '2032-04-01 20:00', '2032-04-01 12:00'],
        [zone, '2032-04-08 18:30', '2032-04-08 20:00', '2032-04-08 12:00'],
        [zone, '2032-04-15 18:30', '2032-04-15 20:00', '2032-04-15 12:00'],
      ]);
      const { content } = await get(series[3]!);
      expect(shown(content.agenda[0]!.startsAt, zone)).toBe('2032-04-08 19:00');
    });

    it('notifies the members of each changed event, and skips cancelled events', async () => {
      for (const eventId of [series[1]!, series[2]!]) await publish(eventId);
      await cancel(series[2]!);
      await events.owner.query('DELETE FROM events.outbox');
      await editLater(0, { location: 'Town hall', note: 'Bigger' });
      const notices = await events.outbox(EventChanged);
      expect(notices.map(({ eventId, notes }) => [eventId, notes]).toSorted()).toEqual(
        [series[0]!, series[1]!].map((id) => [id, ['Bigger']]).toSorted(),
      );
      expect((await present()).map(({ location }) => location === 'Town hall')).toEqual(
        [0, 1, 2, 3, 4].map((index) => index !== 2),
      );
    });

    it('gives later drafts the same publishing time relative to their start', async () => {
      await publish(series[2]!);
      await editLater(1, { publishAt: local('2032-03-18T08:00').toISOString() });
      expect((await present()).map((event) => event.publishAt && shown(event.publishAt))).toEqual([
        null,
        '2032-03-18 08:00',
        null,
        '2032-04-01 08:00',
        '2032-04-08 08:00',
      ]);
    });

    it('changes no event of a series if one of them cannot be changed', async () => {
      await publish(series[2]!);
      await events.register(series[2]!, await events.members(3));
      await expect(editLater(0, { capacity: 2 })).rejects.toMatchObject({
        code: 'CAPACITY_BELOW_REGISTERED',
        details: { registered: 3 },
      });
      expect((await present()).map(({ capacity }) => capacity)).toEqual([20, 20, 20, 20, 20]);
    });

    it('requires a decision about waiting people before ending a series’ waiting lists', async () => {
      const third = series[2]!;
      await publish(third);
      for (const id of series) await updateRow(events.owner, 'events.events', id, { waitlistEnabled: true });
      await updateRow(events.owner, 'events.events', third, { capacity: 1, registrationOpensAt: null });
      const waiting = await events.members(2);
      await events.register(third, await events.members(1));
      await events.register(third, waiting, 'waitlisted');
      const turnOff = (more: Partial<UpdateEventRequest> = {}) =>
        editLater(0, { waitlistEnabled: false, ...more });
      expect(await refused(turnOff())).toBe('WAITLIST_NOT_EMPTY');
      await turnOff({ waitlistOff: 'dismiss' });
      expect((await present()).map(({ waitlistEnabled }) => waitlistEnabled)).toEqual(Array(5).fill(false));
      expect((await present())[2]).toMatchObject({ capacity: 1, registrationCount: 1, waitingCount: 0 });
      const told = (await events.outbox(WaitlistDismissedMail)).map(({ userId }) => userId);
      expect(told.toSorted()).toEqual(waiting.toSorted());
    });

    it('does not deadlock when several events of a series are edited simultaneously', async () => {
      const edits = [0, 1, 2, 3].map((index) => editLater(index, { title: `Edit ${index}` }));
      expect(await outcomes(edits)).toEqual({ ok: 4 });
    });

    it('ignores the scope "later" for an event without a series', async () => {
      const alone = await insertEvent(events.owner, { startDate: daysFromNow(1) });
      expect(await change(alone, { title: 'Alone', scope: 'later' })).toMatchObject({ title: 'Alone' });
      expect((await present()).map(({ title }) => title)).not.toContain('Alone');
    });
  });
});
