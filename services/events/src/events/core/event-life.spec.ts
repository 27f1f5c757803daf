import {
  EventCancelledMail,
  EventChanged,
  type Identity,
  RecordAudit,
  SendAnnouncement,
  type CreateEventRequest,
  type EventStatus,
  type EventVisibility,
  type SeriesStep,
  type UpdateEventRequest,
  WaitlistDismissedMail,
} from '@meetmark/contracts';
import {
  daysFromNow,
  type EventRow,
  insertEvent,
  insertRegistration,
} from '@meetmark/testing/factories/events';
import { beforeCommit, outcomes } from '@meetmark/testing';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { updateRow } from '@meetmark/testing/factories/users';
import { CalendarFeedsService } from '../../calendar/calendar-feeds.service.js';
import { CalendarService } from '../../calendar/calendar.service.js';
import { RegistrationListsService } from '../../registrations/registration-lists.service.js';
import { RegistrationsService } from '../../registrations/registrations.service.js';
import { createCall, eventsForTests } from '../../testing/open-events.js';
import { EventEditingService } from './event-editing.service.js';
import { EventLifeService } from './event-life.service.js';
import { EventsService } from './events.service.js';
import type { EventValues } from './event.entity.js';
import { followers, moved, wallBetween } from '../series/event-series.js';

const events = eventsForTests();

const KEEP = { banner: { action: 'keep' } } as const;

describe('the life cycle of an event', () => {
  let life: EventLifeService;
  let editing: EventEditingService;
  let service: EventsService;
  let admin: Identity;
  beforeAll(() => {
    life = events.get(EventLifeService);
    editing = events.get(EventEditingService);
    service = events.get(EventsService);
  });
  beforeEach(async () => {
    await events.empty();
    admin = await events.administrator();
  });

  const form = (given: Partial<CreateEventRequest> = {}): CreateEventRequest => ({
    title: 'Search marketing meetup',
    description: null,
    startDate: daysFromNow(10).toISOString(),
    endDate: daysFromNow(10.1).toISOString(),
    location: null,
    price: null,
    capacity: null,
    banner: { action: 'remove' },
    ...given,
  });
  const aMember = async (): Promise<Identity> => ({
    sub: (await events.members(1))[0]!,
    isAdmin: false,
    epoch: 1,
  });
  const refused = (promise: Promise<unknown>) =>
    promise.then(
      () => 'ok',
      ({ code }: { code: string }) => code,
    );

  describe('visibility', () => {
    const KINDS: [EventStatus, EventVisibility, 'nowhere' | 'by its address' | 'everywhere'][] = [
      ['draft', 'public', 'nowhere'],
      ['draft', 'unlisted', 'nowhere'],
      ['published', 'public', 'everywhere'],
      ['published', 'unlisted', 'by its address'],
      ['cancelled', 'public', 'by its address'],
      ['cancelled', 'unlisted', 'by its address'],
    ];

    const reads = (event: EventRow, viewer: Identity | null) => {
      const shows = async (promise: Promise<object>) => JSON.stringify(await promise).includes(event.id);
      const found = async (promise: Promise<unknown>) => (await refused(promise)) !== 'EVENT_NOT_FOUND';
      return {
        inLists: {
          list: shows(service.list({}, createCall(viewer))),
          page: shows(service.list({ limit: 5, time: 'upcoming', q: event.title }, createCall(viewer))),
          addresses: shows(service.listAddresses({ page: 1 })),
        },
        byAddress: {
          get: found(service.get({ eventId: event.id }, createCall(viewer))),
          count: found(service.countRegistrations({ eventId: event.id }, createCall(viewer))),
          attendees: found(
            events.get(RegistrationListsService).attendees({ eventId: event.id }, createCall(viewer)),
          ),
          calendar: found(events.get(CalendarService).ofEvent({ eventId: event.id })),
        },
      };
    };
    const settled = async (questions: Record<string, Promise<boolean>>) =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(questions).map(async ([name, answer]) => [name, await answer] as const),
        ),
      );

    it.each(KINDS)('%s and %s: visitors and members find the event %s', async (status, visibility, where) => {
      const event = await insertEvent(events.owner, { status, visibility, title: 'Hidden or not' });
      for (const viewer of [null, await aMember()]) {
        const { inLists, byAddress } = reads(event, viewer);
        const listed = where === 'everywhere';
        expect(await settled(inLists)).toEqual({ list: listed, page: listed, addresses: listed });
        const there = where !== 'nowhere';
        expect(await settled(byAddress)).toEqual({
          get: there,
          count: there,
          attendees: there,
          calendar: there,
        });
      }
      const { inLists, byAddress } = reads(event, admin);
      expect(await settled(inLists)).toMatchObject({ list: true, page: true });
      expect(await settled(byAddress)).toMatchObject({ get: true, count: true, attendees: true });
    });

    it('limits totals and status filters to the events that the viewer can see', async () => {
      for (const [status, visibility] of KINDS) await insertEvent(events.owner, { status, visibility });
      const member = await aMember();
      const totals = async (viewer: Identity | null) => {
        const all: number[] = [];
        for (const status of [undefined, 'draft', 'published', 'cancelled'] as const)
          all.push((await service.list({ status, limit: 1 }, createCall(viewer))).total);
        return all;
      };
      expect(await totals(admin)).toEqual([6, 2, 2, 2]);
      expect(await totals(member)).toEqual([1, 0, 1, 0]);
      expect(await totals(null)).toEqual([1, 0, 1, 0]);
    });

    it('counts only published events in the summary', async () => {
      for (const [status, visibility] of KINDS)
        await insertEvent(events.owner, { status, visibility, title: status });
      const { nextEvents, ...figures } = await service.summarise({}, createCall(admin));
      expect(figures).toMatchObject({ total: 2, createdLast30Days: 2, upcoming: 2 });
      expect(nextEvents.map(({ title }) => title)).toEqual(['published', 'published']);
    });

    it('omits drafts from calendars, and marks cancelled events', async () => {
      const member = await aMember();
      for (const [status, visibility] of KINDS) {
        const title = `${status} ${visibility}`;
        const begun = status === 'cancelled' ? 'published' : status;
        const { id: eventId } = await insertEvent(events.owner, { status: begun, visibility, title });
        if (status !== 'draft') await insertRegistration(events.owner, { eventId, userId: member.sub });
        if (status === 'cancelled') await life.cancel({ eventId }, createCall(admin));
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
      const { token } = await events.get(CalendarFeedsService).create({}, createCall(member.sub));
      const own = ['cancelled public', 'cancelled unlisted', 'published public', 'published unlisted'];
      expect(entries(await calendars.ofMember({ token })).map(([title]) => title)).toEqual(own);
      const mine = await service.myEvents({}, createCall(member.sub));
      expect(mine.items.map(({ status, visibility }) => `${status} ${visibility}`).toSorted()).toEqual(own);
    });

    it('omits deleted drafts and deleted unlisted events from the public calendar', async () => {
      const draft = await insertEvent(events.owner, { status: 'draft' });
      const unlisted = await insertEvent(events.owner, { visibility: 'unlisted' });
      for (const { id } of [draft, unlisted]) await editing.delete({ eventId: id }, createCall(admin));
      const calendars = events.get(CalendarService);
      expect(await refused(calendars.ofEvent({ eventId: draft.id }))).toBe('EVENT_NOT_FOUND');
      expect((await calendars.ofEvent({ eventId: unlisted.id })).ics).toContain('STATUS:CANCELLED');
      expect((await calendars.ofEverything()).ics).not.toContain('VEVENT');
    });
  });

  describe('a draft', () => {
    it('creates a draft on request; events are published and public by default', async () => {
      expect(await editing.create(form(), createCall(admin))).toMatchObject({
        status: 'published',
        visibility: 'public',
        publishAt: null,
        registrationOpensAt: null,
        registrationClosesAt: null,
      });
      const opens = daysFromNow(1).toISOString();
      const closes = daysFromNow(9).toISOString();
      const given = {
        visibility: 'unlisted',
        publishAt: opens,
        registrationOpensAt: opens,
        registrationClosesAt: closes,
      } as const;
      const draft = await editing.create(form({ status: 'draft', ...given }), createCall(admin));
      expect(draft).toMatchObject({ status: 'draft', ...given });
      const eventId = draft.id;
      expect(await editing.update({ eventId, ...KEEP, title: 'Renamed' }, createCall(admin))).toMatchObject(
        given,
      );
      const cleared = { publishAt: null, registrationOpensAt: null, registrationClosesAt: null };
      expect(await editing.update({ eventId, ...KEEP, ...cleared }, createCall(admin))).toMatchObject(
        cleared,
      );
    });

    it('publishes a draft once when two people publish it at the same time', async () => {
      const { id: eventId } = await insertEvent(events.owner, {
        status: 'draft',
        publishAt: daysFromNow(0.5),
      });
      const [one, other] = await Promise.all([
        life.publish({ eventId, version: 1 }, createCall(admin)),
        life.publish({ eventId, version: 1 }, createCall(await events.administrator())),
      ]);
      expect(one).toMatchObject({ status: 'published', publishAt: null, version: 2 });
      expect(other).toMatchObject({ status: 'published', version: 2 });
      expect(await events.outbox(RecordAudit)).toMatchObject([
        {
          action: 'event.published',
          subjectId: eventId,
          values: { status: { before: 'draft', after: 'published' } },
        },
      ]);
      expect(await service.list({}, createCall(null))).toMatchObject({ total: 1 });
    });

    it('rejects cancelling a draft or publishing an outdated version of the draft', async () => {
      const { id: eventId } = await insertEvent(events.owner, { status: 'draft' });
      await editing.update({ eventId, ...KEEP, title: 'Renamed' }, createCall(admin));
      expect(await refused(life.publish({ eventId, version: 1 }, createCall(admin)))).toBe('EDIT_CONFLICT');
      expect(await refused(life.cancel({ eventId }, createCall(admin)))).toBe('EVENT_IS_DRAFT');
      expect(await life.publish({ eventId, version: 2 }, createCall(admin))).toMatchObject({
        title: 'Renamed',
      });
    });

    it('notifies nobody about edits of a draft', async () => {
      const { id: eventId } = await insertEvent(events.owner, { status: 'draft' });
      await editing.update({ eventId, ...KEEP, title: 'Renamed', location: 'Town hall' }, createCall(admin));
      expect(await events.outbox(EventChanged)).toEqual([]);
    });

    it('publishes due drafts, audited as actions of the people who scheduled them', async () => {
      const grace = await events.administrator();
      const due = await insertEvent(events.owner, { status: 'draft', publishAt: daysFromNow(-0.001) });
      const set = await insertEvent(events.owner, { status: 'draft' });
      const later = await insertEvent(events.owner, { status: 'draft', publishAt: daysFromNow(0.01) });
      await editing.update(
        { eventId: set.id, ...KEEP, publishAt: daysFromNow(-0.001).toISOString() },
        createCall(grace),
      );
      await events.owner.query('DELETE FROM events.outbox');
      const publish = async () =>
        (await events.owner.query('SELECT events.publish_due() AS published')).rows[0].published;
      const editor = await events.owner.connect();
      try {
        await editor.query('BEGIN');
        await editor.query('SELECT FROM events.events WHERE id = $1 FOR UPDATE', [due.id]);
        expect(await publish()).toBe(1);
        await editor.query('COMMIT');
      } finally {
        editor.release();
      }
      expect([await publish(), await publish()]).toEqual([1, 0]);
      const audit = await events.outbox(RecordAudit);
      expect(audit.map(({ action, actorId, subjectId }) => [action, actorId, subjectId]).toSorted()).toEqual(
        [
          ['event.published', grace.sub, set.id],
          ['event.published', due.createdById, due.id],
        ].toSorted(),
      );
      expect(await service.get({ eventId: due.id }, createCall(null))).toMatchObject({
        status: 'published',
        publishAt: null,
      });
      expect(await service.get({ eventId: later.id }, createCall(admin))).toMatchObject({ status: 'draft' });
    });

    it('still sends an announcement that is withdrawn while the schedule publishes the draft', async () => {
      const due = await insertEvent(events.owner, { status: 'draft', publishAt: daysFromNow(-0.001) });
      await events.owner.query('INSERT INTO events.announcements (event_id) VALUES ($1)', [due.id]);
      await beforeCommit(events.owner, ['SELECT events.publish_due()'], () =>
        editing.update({ eventId: due.id, ...KEEP, announce: false }, createCall(admin)),
      );
      expect(await events.outbox(SendAnnouncement)).toEqual([{ eventId: due.id }]);
    });

    it('rejects a new announcement while the schedule publishes the draft', async () => {
      const due = await insertEvent(events.owner, { status: 'draft', publishAt: daysFromNow(-0.001) });
      const planned = beforeCommit(events.owner, ['SELECT events.publish_due()'], () =>
        editing.update({ eventId: due.id, ...KEEP, announce: true }, createCall(admin)),
      );
      await expect(planned).rejects.toMatchObject({
        details: { fields: { announce: ['announce is only for an event that is being published'] } },
      });
    });
  });

  it.each([
    ['a publishing time for a published event', { publishAt: daysFromNow(1).toISOString() }, 'publishAt'],
    [
      'a publishing time after the end',
      { status: 'draft', publishAt: daysFromNow(11).toISOString() },
      'publishAt',
    ],
    [
      'a registration that closes after the end',
      { registrationClosesAt: daysFromNow(11).toISOString() },
      'registrationClosesAt',
    ],
    [
      'a registration that closes when it opens',
      {
        registrationOpensAt: daysFromNow(5).toISOString(),
        registrationClosesAt: daysFromNow(5).toISOString(),
      },
      'registrationClosesAt',
    ],
  ] as const)('refuses %s', async (_, given, field) => {
    await expect(editing.create(form(given), createCall(admin))).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { fields: { [field]: [expect.stringContaining(field)] } },
    });
    const { id: eventId } = await editing.create(form(), createCall(admin));
    const fields = { ...given, status: undefined };
    await expect(editing.update({ eventId, ...KEEP, ...fields }, createCall(admin))).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { fields: { [field]: [expect.stringContaining(field)] } },
    });
  });

  it('lets an event move to a date before its registration deadline', async () => {
    const { id: eventId } = await editing.create(
      form({ registrationClosesAt: daysFromNow(9).toISOString() }),
      createCall(admin),
    );
    const dates = { startDate: daysFromNow(5).toISOString(), endDate: daysFromNow(5.1).toISOString() };
    expect(await editing.update({ eventId, ...KEEP, ...dates }, createCall(admin))).toMatchObject(dates);
  });

  describe('cancellation', () => {
    const published = async (given: Partial<EventRow> = {}) => {
      const event = await insertEvent(events.owner, { startDate: daysFromNow(3), ...given });
      const [one, two, waits, gone] = (await events.members(4)) as [string, string, string, string];
      for (const [userId, status] of [
        [one, 'registered'],
        [two, 'registered'],
        [waits, 'waitlisted'],
        [gone, 'cancelled'],
      ] as const)
        await insertRegistration(events.owner, { eventId: event.id, userId, status });
      return { event, one, two, waits };
    };

    it('keeps a cancelled event, and emails registered and waiting members once', async () => {
      const { event, one, two, waits } = await published({ capacity: 2, location: 'Town hall' });
      const cancelled = await life.cancel(
        {
          eventId: event.id,
          reason: 'The hall is flooded',
          version: 1,
        },
        createCall(admin),
      );
      expect(cancelled).toMatchObject({
        status: 'cancelled',
        cancelledAt: expect.any(String),
        cancelReason: 'The hall is flooded',
        registrationState: 'cancelled',
        registrationCount: 2,
        version: 2,
      });
      const again = await life.cancel(
        { eventId: event.id, reason: 'Another', version: 1 },
        createCall(admin),
      );
      expect(again).toEqual(cancelled);
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
      await life.cancel({ eventId: event.id }, createCall(admin));
      await events.owner.query('DELETE FROM events.outbox');
      expect(
        await refused(editing.update({ eventId: event.id, ...KEEP, title: 'Other' }, createCall(admin))),
      ).toBe('EVENT_CANCELLED');
      expect(await refused(life.publish({ eventId: event.id }, createCall(admin)))).toBe('EVENT_CANCELLED');
      await editing.delete({ eventId: event.id }, createCall(admin));
      expect(await events.outbox(EventCancelledMail)).toEqual([]);
      const { ics } = await events.get(CalendarService).ofEvent({ eventId: event.id });
      expect(ics).toContain('SEQUENCE:2');
    });

    it('rejects cancelling an outdated version, and sends no emails for a past event', async () => {
      const { event } = await published();
      await editing.update({ eventId: event.id, ...KEEP, capacity: 7 }, createCall(admin));
      expect(await refused(life.cancel({ eventId: event.id, version: 1 }, createCall(admin)))).toBe(
        'EDIT_CONFLICT',
      );
      const over = await published({ startDate: daysFromNow(-3) });
      await life.cancel({ eventId: over.event.id }, createCall(admin));
      expect(await events.outbox(EventCancelledMail)).toEqual([]);
    });

    it('withdraws an unsent change notice when the event is cancelled', async () => {
      const { event } = await published();
      await editing.update({ eventId: event.id, ...KEEP, title: 'Renamed' }, createCall(admin));
      expect(await events.outbox(EventChanged)).toHaveLength(1);
      await life.cancel({ eventId: event.id }, createCall(admin));
      expect(await events.outbox(EventChanged)).toEqual([]);
    });

    it('emails a cancellation to exactly the members whose simultaneous registration succeeded', async () => {
      const { id: eventId } = await insertEvent(events.owner);
      const members = await events.members(12);
      const registrations = members.map((userId) =>
        events.get(RegistrationsService).register({ eventId }, createCall(userId)),
      );
      const results = await outcomes([...registrations, life.cancel({ eventId }, createCall(admin))]);
      const { rows } = await events.owner.query<{ userId: string }>(
        `SELECT user_id AS "userId" FROM events.event_registrations WHERE event_id = $1 AND status = 'registered'`,
        [eventId],
      );
      expect((results.ok ?? 0) - 1).toBe(rows.length);
      const told = (await events.outbox(EventCancelledMail)).map(({ userId }) => userId);
      expect(told.toSorted()).toEqual(rows.map(({ userId }) => userId).toSorted());
    });
  });

  describe('the preview link', () => {
    it('shows the event until its preview link is replaced or revoked', async () => {
      const { id: eventId } = await insertEvent(events.owner, { status: 'draft', title: 'Secret' });
      const first = await life.makePreview({ eventId }, createCall(admin));
      expect(first).toEqual({
        token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        createdAt: expect.any(String),
      });
      expect(await life.preview({ token: first.token })).toMatchObject({
        id: eventId,
        status: 'draft',
        title: 'Secret',
      });
      const second = await life.makePreview({ eventId }, createCall(admin));
      expect(await refused(life.preview({ token: first.token }))).toBe('EVENT_NOT_FOUND');
      await life.publish({ eventId }, createCall(admin));
      expect(await life.preview({ token: second.token })).toMatchObject({ status: 'published' });
      await life.revokePreview({ eventId }, createCall(admin));
      await life.revokePreview({ eventId }, createCall(admin));
      expect(await refused(life.preview({ token: second.token }))).toBe('EVENT_NOT_FOUND');
      const audited = await events.outbox(RecordAudit);
      expect(
        audited.map(({ action, actorId, subjectId, subjectName }) => [
          action,
          actorId,
          subjectId,
          subjectName,
        ]),
      ).toEqual(
        ['event.previewMade', 'event.previewMade', 'event.published', 'event.previewRevoked'].map(
          (action) => [action, admin.sub, eventId, 'Secret'],
        ),
      );
    });

    it('stores no preview token, and ends the link when the event is deleted', async () => {
      const { id: eventId } = await insertEvent(events.owner, { status: 'draft' });
      const { token } = await life.makePreview({ eventId }, createCall(admin));
      const { rows } = await events.owner.query(
        'SELECT event_previews::text AS row FROM events.event_previews',
      );
      expect(rows[0].row).not.toContain(token);
      await editing.delete({ eventId }, createCall(admin));
      expect(await refused(life.preview({ token }))).toBe('EVENT_NOT_FOUND');
      expect(await refused(life.makePreview({ eventId }, createCall(admin)))).toBe('EVENT_NOT_FOUND');
      expect(await refused(life.revokePreview({ eventId }, createCall(admin)))).toBe('EVENT_NOT_FOUND');
    });
  });

  it('rejects changes to an event by a member who does not manage it', async () => {
    const { id: eventId } = await insertEvent(events.owner, { status: 'draft' });
    const none = await aMember();
    expect(await refused(life.publish({ eventId }, createCall(none)))).toBe('FORBIDDEN');
    expect(await refused(life.cancel({ eventId }, createCall(none)))).toBe('FORBIDDEN');
    expect(await refused(life.makePreview({ eventId }, createCall(none)))).toBe('FORBIDDEN');
    expect(await refused(life.revokePreview({ eventId }, createCall(none)))).toBe('FORBIDDEN');
  });
});

const DAY = 24 * 3_600_000;
const RUNS = 2_000;
const ZONE = 'Europe/London';
const local = (text: string, zone = ZONE) => DateTime.fromISO(text, { zone }).toJSDate();
const shown = (moment: Date | string, zone = ZONE) =>
  DateTime.fromJSDate(new Date(moment), { zone }).toFormat('yyyy-MM-dd HH:mm');

describe('moving a time by local days in any time zone', () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
  const moment = fc.date({
    min: new Date('1990-01-01T00:00Z'),
    max: new Date('2037-12-31T00:00Z'),
    noInvalidDate: true,
  });
  const days = fc.integer({ min: -400, max: 400 });

  it('moves a time at most one day too far, where the zone skipped a day', () => {
    fc.assert(
      fc.property(moment, days, zone, (from, count, name) => {
        const skipped = wallBetween(from, moved(from, count * DAY, name), name) - count * DAY;
        expect(skipped).toBeGreaterThanOrEqual(0);
        expect(skipped).toBeLessThanOrEqual(DAY);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('the dates of a series', () => {
  const starts = (first: string, every: SeriesStep, count: number, zone = ZONE) => {
    const event = { startDate: local(first, zone), endDate: local(first, zone) };
    const values = { ...event, registrationOpensAt: null, registrationClosesAt: null } as EventValues;
    return followers(values, { every, count, zone }).map(({ startDate }) => shown(startDate, zone));
  };

  const spans = (first: string, last: string, every: SeriesStep = 'week') => {
    const dates = { startDate: new Date(first), endDate: new Date(last) };
    const window = { registrationOpensAt: dates.startDate, registrationClosesAt: dates.endDate };
    return followers({ ...dates, ...window } as EventValues, { every, count: 3, zone: ZONE }).map((event) => [
      [event.startDate, event.endDate].map((moment) => shown(moment)),
      event.endDate.getTime() - event.startDate.getTime(),
      event.registrationClosesAt!.getTime() - event.registrationOpensAt!.getTime(),
    ]);
  };

  it.each([
    [
      'in the hour that the clocks skip',
      '2027-03-21T01:30Z',
      '2027-03-21T02:30Z',
      ['2027-03-28 02:30', '2027-03-28 03:30'],
    ],
    [
      'up to the hour that the clocks skip',
      '2027-03-21T01:30Z',
      '2027-03-21T02:00Z',
      ['2027-03-28 02:30', '2027-03-28 03:00'],
    ],
    [
      'in the hour that comes twice',
      '2026-10-25T00:30Z',
      '2026-10-25T01:30Z',
      ['2026-11-01 01:30', '2026-11-01 02:30'],
    ],
  ])('keeps the duration of repeated events %s', (_, first, last, next) => {
    const lasts = Date.parse(last) - Date.parse(first);
    const [following, ...more] = spans(first, last);
    expect(following).toEqual([next, lasts, lasts]);
    expect(more.map(([, length]) => length)).toEqual([lasts]);
  });

  it('keeps a monthly series at 18:30 on the last Thursday', () => {
    expect(starts('2026-09-24T18:30', 'month', 12)).toEqual([
      '2026-10-29 18:30',
      '2026-11-26 18:30',
      '2026-12-31 18:30',
      '2027-01-28 18:30',
      '2027-02-25 18:30',
      '2027-03-25 18:30',
      '2027-04-29 18:30',
      '2027-05-27 18:30',
      '2027-06-24 18:30',
      '2027-07-29 18:30',
      '2027-08-26 18:30',
    ]);
  });

  it.each<[string, string, SeriesStep, string[]]>([
    [
      'the second Tuesday',
      '2027-01-12T12:00',
      'month',
      ['2027-02-09 12:00', '2027-03-09 12:00', '2027-04-13 12:00'],
    ],
    [
      'the first Friday',
      '2027-01-01T00:00',
      'month',
      ['2027-02-05 00:00', '2027-03-05 00:00', '2027-04-02 00:00'],
    ],
    ['each week', '2027-03-21T10:00', 'week', ['2027-03-28 10:00', '2027-04-04 10:00', '2027-04-11 10:00']],
    [
      'every two weeks',
      '2026-10-18T10:00',
      'two-weeks',
      ['2026-11-01 10:00', '2026-11-15 10:00', '2026-11-29 10:00'],
    ],
    // clocks skip from 1:00 to 2:00 on the 28th
    [
      'a time that the clocks skip',
      '2027-03-21T01:30',
      'week',
      ['2027-03-28 02:30', '2027-04-04 01:30', '2027-04-11 01:30'],
    ],
  ])('continues a series with %s', (_, first, every, expected) => {
    expect(starts(first, every, 4)).toEqual(expected);
  });

  it.each(['Pacific/Auckland', 'America/New_York', 'Asia/Kathmandu'])(
    'keeps the local time of a series in %s',
    (zone) => {
      const all = starts('2026-09-24T18:30', 'month', 12, zone);
      expect(new Set(all.map((start) => start.slice(-5)))).toEqual(new Set(['18:30']));
    },
  );
});

describe('a series', () => {
  let service: EventEditingService;
  let admin: Identity;
  beforeAll(() => {
    service = events.get(EventEditingService);
  });
  beforeEach(async () => {
    await events.empty();
    admin = await events.administrator();
  });

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
  const all = async () => (await events.get(EventsService).list({}, createCall(admin))).items;

  it('creates a series of drafts with the values of the first event', async () => {
    const event = await base({ visibility: 'unlisted' });
    const made = await service.makeSeries({ eventId: event.id, every: 'week', count: 3 }, createCall(admin));
    const { seriesId } = (await all())[0]!;
    expect(seriesId).toEqual(expect.any(String));
    const same = {
      title: 'Breakfast',
      description: 'Tea',
      price: '5.00',
      capacity: 20,
      status: 'draft',
      visibility: 'unlisted',
      createdById: event.createdById,
      seriesId,
      registrationCount: 0,
      version: 1,
    };
    expect(made).toMatchObject([same, same]);
    expect(
      made.map(({ startDate, endDate, registrationOpensAt, registrationClosesAt }) =>
        [startDate, endDate, registrationOpensAt!, registrationClosesAt!].map((moment) => shown(moment)),
      ),
    ).toEqual([
      ['2032-03-25 18:30', '2032-03-25 20:00', '2032-03-18 09:00', '2032-03-25 12:00'],
      ['2032-04-01 18:30', '2032-04-01 20:00', '2032-03-25 09:00', '2032-04-01 12:00'],
    ]);
    expect((await events.outbox(RecordAudit)).map(({ action, subjectId }) => [action, subjectId])).toEqual(
      made.map(({ id }) => ['event.created', id]),
    );
    expect(await events.get(EventsService).get({ eventId: event.id }, createCall(null))).toMatchObject({
      status: 'published',
      version: 1,
    });
  });

  it('keeps a series at the same local time in the event’s time zone', async () => {
    const NEW_YORK = 'America/New_York';
    const there = (text: string) => local(text, NEW_YORK);
    const event = await base({
      timeZone: NEW_YORK,
      startDate: there('2032-03-11T18:30'),
      endDate: there('2032-03-11T20:00'),
      registrationOpensAt: null,
      registrationClosesAt: there('2032-03-11T12:00'),
    });
    const made = await service.makeSeries({ eventId: event.id, every: 'week', count: 4 }, createCall(admin));
    expect(made.map(({ timeZone }) => timeZone)).toEqual([NEW_YORK, NEW_YORK, NEW_YORK]);
    // clocks change on the 14th in New York and on the 28th in London
    expect(made.map(({ startDate }) => [shown(startDate, NEW_YORK), shown(startDate)])).toEqual([
      ['2032-03-18 18:30', '2032-03-18 22:30'],
      ['2032-03-25 18:30', '2032-03-25 22:30'],
      ['2032-04-01 18:30', '2032-04-01 23:30'],
    ]);
    expect(shown(made[0]!.registrationClosesAt!, NEW_YORK)).toBe('2032-03-18 12:00');
  });

  it('creates a series once per event, and never from a cancelled event', async () => {
    const { id: eventId } = await base();
    const make = () => service.makeSeries({ eventId, every: 'month', count: 2 }, createCall(admin));
    expect(await outcomes([make(), make()])).toEqual({ ok: 1, SERIES_EXISTS: 1 });
    expect(await all()).toHaveLength(2);
    const { id: cancelled } = await base({ status: 'cancelled' });
    const refused = service.makeSeries({ eventId: cancelled, every: 'week', count: 2 }, createCall(admin));
    await expect(refused).rejects.toMatchObject({ code: 'EVENT_CANCELLED' });
  });

  describe('with an edit to one event', () => {
    let series: string[];
    beforeEach(async () => {
      const event = await base();
      const made = await service.makeSeries(
        { eventId: event.id, every: 'week', count: 5 },
        createCall(admin),
      );
      series = [event.id, ...made.map(({ id }) => id)];
      await events.owner.query('DELETE FROM events.outbox');
    });
    const present = async () => {
      const found = new Map((await all()).map((event) => [event.id, event]));
      return series.map((id) => found.get(id)!);
    };

    it('changes no other event of the series by default', async () => {
      await service.update({ eventId: series[1]!, ...KEEP, title: 'Brunch' }, createCall(admin));
      await service.update({ eventId: series[1]!, ...KEEP, price: '6', scope: 'this' }, createCall(admin));
      expect((await present()).map(({ title, price }) => `${title} ${price}`)).toEqual([
        'Breakfast 5.00',
        'Brunch 6.00',
        ...Array.from({ length: 3 }, () => 'Breakfast 5.00'),
      ]);
    });

    it('changes only the edited fields of later events, and raises their versions', async () => {
      await service.update(
        { eventId: series[3]!, ...KEEP, title: 'Supper', location: 'Town hall' },
        createCall(admin),
      );
      await service.update(
        {
          eventId: series[1]!,
          ...KEEP,
          title: 'Brunch',
          version: 1,
          scope: 'later',
        },
        createCall(admin),
      );
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
      const own = {
        startDate: local('2032-04-02T09:00').toISOString(),
        endDate: local('2032-04-02T11:00').toISOString(),
      };
      await service.update({ eventId: series[2]!, ...KEEP, ...own }, createCall(admin));
      await service.update(
        {
          eventId: series[0]!,
          ...KEEP,
          startDate: local('2032-03-19T19:00').toISOString(),
          endDate: local('2032-03-19T21:00').toISOString(),
          registrationClosesAt: local('2032-03-19T18:00').toISOString(),
          scope: 'later',
        },
        createCall(admin),
      );
      const moments = (await present()).map(
        ({ startDate, endDate, registrationClosesAt, registrationOpensAt }) =>
          [startDate, endDate, registrationClosesAt!, registrationOpensAt!].map((moment) => shown(moment)),
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
      await service.update(
        {
          eventId: series[0]!,
          ...KEEP,
          timeZone: zone,
          startDate: local('2032-03-18T18:30', zone).toISOString(),
          endDate: local('2032-03-18T20:00', zone).toISOString(),
          registrationClosesAt: local('2032-03-18T12:00', zone).toISOString(),
          agenda: [
            {
              startsAt: local('2032-03-18T19:00', zone).toISOString(),
              title: 'Doors',
              endsAt: null,
              note: null,
            },
          ],
          scope: 'later',
        },
        createCall(admin),
      );
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
      const { content } = await events.get(EventsService).get({ eventId: series[3]! }, createCall(admin));
      expect(shown(content.agenda[0]!.startsAt, zone)).toBe('2032-04-08 19:00');
    });

    it('notifies the members of each changed event, and skips cancelled events', async () => {
      for (const eventId of [series[1]!, series[2]!])
        await events.get(EventLifeService).publish({ eventId }, createCall(admin));
      await events.get(EventLifeService).cancel({ eventId: series[2]! }, createCall(admin));
      await events.owner.query('DELETE FROM events.outbox');
      await service.update(
        {
          eventId: series[0]!,
          ...KEEP,
          location: 'Town hall',
          note: 'Bigger',
          scope: 'later',
        },
        createCall(admin),
      );
      const notices = await events.outbox(EventChanged);
      expect(notices.map(({ eventId, notes }) => [eventId, notes]).toSorted()).toEqual(
        [series[0]!, series[1]!].map((id) => [id, ['Bigger']]).toSorted(),
      );
      expect((await present()).map(({ location }) => location)).toEqual([
        'Town hall',
        'Town hall',
        null,
        'Town hall',
        'Town hall',
      ]);
    });

    it('gives later drafts the same publishing time relative to their start', async () => {
      await events.get(EventLifeService).publish({ eventId: series[2]! }, createCall(admin));
      const publishAt = local('2032-03-18T08:00').toISOString();
      await service.update({ eventId: series[1]!, ...KEEP, publishAt, scope: 'later' }, createCall(admin));
      expect((await present()).map((event) => event.publishAt && shown(event.publishAt))).toEqual([
        null,
        '2032-03-18 08:00',
        null,
        '2032-04-01 08:00',
        '2032-04-08 08:00',
      ]);
    });

    it('changes no event of a series if one of them cannot be changed', async () => {
      const eventId = series[2]!;
      await events.get(EventLifeService).publish({ eventId }, createCall(admin));
      for (const userId of await events.members(3))
        await insertRegistration(events.owner, { eventId, userId });
      const refused = service.update(
        { eventId: series[0]!, ...KEEP, capacity: 2, scope: 'later' },
        createCall(admin),
      );
      await expect(refused).rejects.toMatchObject({
        code: 'CAPACITY_BELOW_REGISTERED',
        details: { registered: 3 },
      });
      expect((await present()).map(({ capacity }) => capacity)).toEqual([20, 20, 20, 20, 20]);
    });

    it('requires a decision about waiting people before ending a series’ waiting lists', async () => {
      const [first = '', , third = ''] = series;
      await events.get(EventLifeService).publish({ eventId: third }, createCall(admin));
      for (const id of series) await updateRow(events.owner, 'events.events', id, { waitlistEnabled: true });
      await updateRow(events.owner, 'events.events', third, { capacity: 1, registrationOpensAt: null });
      const [placed = '', ...waiting] = await events.members(3);
      for (const userId of [placed, ...waiting])
        await events
          .get(RegistrationsService)
          .register({ eventId: third, waitlist: true }, createCall(userId));
      const turnOff = (more: Partial<UpdateEventRequest> = {}) =>
        service.update(
          { eventId: first, ...KEEP, waitlistEnabled: false, scope: 'later', ...more },
          createCall(admin),
        );
      const lists = async () => (await present()).map(({ waitlistEnabled }) => waitlistEnabled);
      await expect(turnOff()).rejects.toMatchObject({
        code: 'WAITLIST_NOT_EMPTY',
        details: { waiting: 2 },
      });
      expect(await lists()).toEqual([true, true, true, true, true]);
      await turnOff({ waitlistOff: 'dismiss' });
      expect(await lists()).toEqual([false, false, false, false, false]);
      expect((await present())[2]).toMatchObject({ capacity: 1, registrationCount: 1, waitingCount: 0 });
      const told = (await events.outbox(WaitlistDismissedMail)).map(({ userId }) => userId);
      expect(told.toSorted()).toEqual(waiting.toSorted());
    });

    it('does not deadlock when several events of a series are edited simultaneously', async () => {
      const edits = [0, 1, 2, 3].map((index) =>
        service.update(
          { eventId: series[index]!, ...KEEP, title: `Edit ${index}`, scope: 'later' },
          createCall(admin),
        ),
      );
      expect(await outcomes(edits)).toEqual({ ok: 4 });
    });

    it('ignores the scope "later" for an event without a series', async () => {
      const alone = await insertEvent(events.owner, { startDate: daysFromNow(1) });
      const edit = { eventId: alone.id, ...KEEP, title: 'Alone', scope: 'later' } as const;
      expect(await service.update(edit, createCall(admin))).toMatchObject({ title: 'Alone' });
      expect((await present()).map(({ title }) => title)).not.toContain('Alone');
    });
  });
});
