import { EventCancelledMail, EventChanged, type Identity, RecordAudit } from '@meetmark/contracts';
import type { CreateEventRequest, EventStatus, EventVisibility } from '@meetmark/contracts';
import {
  daysFromNow,
  type EventRow,
  insertEvent,
  insertRegistration,
} from '@meetmark/testing/factories/events';
import { outcomes } from '@meetmark/testing';
import { CalendarFeedsService } from '../calendar/calendar-feeds.service.js';
import { CalendarService } from '../calendar/calendar.service.js';
import { RegistrationListsService } from '../registrations/registration-lists.service.js';
import { RegistrationsService } from '../registrations/registrations.service.js';
import { eventsForTests } from '../testing/open-events.js';
import { EventEditingService } from './event-editing.service.js';
import { EventLifeService } from './event-life.service.js';
import { EventsService } from './events.service.js';

const KEEP = { banner: { action: 'keep' } } as const;

describe('the life of an event', () => {
  const events = eventsForTests();
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

  describe('decides who sees it', () => {
    const KINDS: [EventStatus, EventVisibility, 'nowhere' | 'by its address' | 'everywhere'][] = [
      ['draft', 'public', 'nowhere'],
      ['draft', 'unlisted', 'nowhere'],
      ['published', 'public', 'everywhere'],
      ['published', 'unlisted', 'by its address'],
      ['cancelled', 'public', 'by its address'],
      ['cancelled', 'unlisted', 'by its address'],
    ];

    /** Every read of events that says something about one of them, and whether it says it. */
    const reads = (event: EventRow, viewer: Identity | null) => {
      const shows = async (promise: Promise<object>) => JSON.stringify(await promise).includes(event.id);
      const found = async (promise: Promise<unknown>) => (await refused(promise)) !== 'EVENT_NOT_FOUND';
      return {
        inLists: {
          list: shows(service.list({}, viewer)),
          page: shows(service.list({ limit: 5, time: 'upcoming', q: event.title }, viewer)),
          addresses: shows(service.listAddresses(1)),
        },
        byAddress: {
          get: found(service.get(event.id, viewer)),
          count: found(service.countRegistrations(event.id, viewer)),
          attendees: found(events.get(RegistrationListsService).attendees({ eventId: event.id }, viewer)),
          calendar: found(events.get(CalendarService).ofEvent(event.id)),
        },
      };
    };
    const settled = async (questions: Record<string, Promise<boolean>>) =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(questions).map(async ([name, answer]) => [name, await answer] as const),
        ),
      );

    it.each(KINDS)('%s and %s: visitors and members find it %s', async (status, visibility, where) => {
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
      // an administrator finds it wherever they look; the sitemap and calendar files are the same for everybody
      const { inLists, byAddress } = reads(event, admin);
      expect(await settled(inLists)).toMatchObject({ list: true, page: true });
      expect(await settled(byAddress)).toMatchObject({ get: true, count: true, attendees: true });
    });

    it('names the total of what the viewer finds, and filters by status for administrators only', async () => {
      for (const [status, visibility] of KINDS) await insertEvent(events.owner, { status, visibility });
      const member = await aMember();
      const totals = async (viewer: Identity | null) => {
        const all: number[] = [];
        for (const status of [undefined, 'draft', 'published', 'cancelled'] as const)
          all.push((await service.list({ status, limit: 1 }, viewer)).total);
        return all;
      };
      expect(await totals(admin)).toEqual([6, 2, 2, 2]);
      expect(await totals(member)).toEqual([1, 0, 1, 0]);
      expect(await totals(null)).toEqual([1, 0, 1, 0]);
    });

    it('counts published events only in the figures', async () => {
      for (const [status, visibility] of KINDS)
        await insertEvent(events.owner, { status, visibility, title: status });
      const { nextEvents, ...figures } = await service.summarise(admin);
      expect(figures).toMatchObject({ total: 2, createdLast30Days: 2, upcoming: 2 });
      expect(nextEvents.map(({ title }) => title)).toEqual(['published', 'published']);
    });

    it('keeps drafts out of calendars, and says of cancelled events in them that they are', async () => {
      const member = await aMember();
      for (const [status, visibility] of KINDS) {
        const title = `${status} ${visibility}`;
        const begun = status === 'cancelled' ? 'published' : status;
        const { id: eventId } = await insertEvent(events.owner, { status: begun, visibility, title });
        if (status !== 'draft') await insertRegistration(events.owner, { eventId, userId: member.sub });
        if (status === 'cancelled') await life.cancel(admin, { eventId });
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
      const { token } = await events.get(CalendarFeedsService).create(member.sub);
      const own = ['cancelled public', 'cancelled unlisted', 'published public', 'published unlisted'];
      expect(entries(await calendars.ofMember(token)).map(([title]) => title)).toEqual(own);
      const mine = await service.myEvents(member.sub, {});
      expect(mine.items.map(({ status, visibility }) => `${status} ${visibility}`).toSorted()).toEqual(own);
    });

    it('leaves nothing of a draft, nor of an unlisted event in the public calendar, when it is deleted', async () => {
      const draft = await insertEvent(events.owner, { status: 'draft' });
      const unlisted = await insertEvent(events.owner, { visibility: 'unlisted' });
      for (const { id } of [draft, unlisted]) await editing.delete(admin, id);
      const calendars = events.get(CalendarService);
      expect(await refused(calendars.ofEvent(draft.id))).toBe('EVENT_NOT_FOUND');
      expect((await calendars.ofEvent(unlisted.id)).ics).toContain('STATUS:CANCELLED');
      expect((await calendars.ofEverything()).ics).not.toContain('VEVENT');
    });
  });

  describe('as a draft', () => {
    it('begins when it is asked for, and is else published and public, as ever', async () => {
      expect(await editing.create(admin, form())).toMatchObject({
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
      const draft = await editing.create(admin, form({ status: 'draft', ...given }));
      expect(draft).toMatchObject({ status: 'draft', ...given });
      const eventId = draft.id;
      expect(await editing.update(admin, { eventId, ...KEEP, title: 'Renamed' })).toMatchObject(given);
      const cleared = { publishAt: null, registrationOpensAt: null, registrationClosesAt: null };
      expect(await editing.update(admin, { eventId, ...KEEP, ...cleared })).toMatchObject(cleared);
    });

    it('is published once, by whoever is first', async () => {
      const { id: eventId } = await insertEvent(events.owner, {
        status: 'draft',
        publishAt: daysFromNow(0.5),
      });
      const [one, other] = await Promise.all([
        life.publish(admin, { eventId, version: 1 }),
        life.publish(await events.administrator(), { eventId, version: 1 }),
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
      expect(await service.list({}, null)).toMatchObject({ total: 1 });
    });

    it('is not published from an older version, and cannot be cancelled', async () => {
      const { id: eventId } = await insertEvent(events.owner, { status: 'draft' });
      await editing.update(admin, { eventId, ...KEEP, title: 'Renamed' });
      expect(await refused(life.publish(admin, { eventId, version: 1 }))).toBe('EDIT_CONFLICT');
      expect(await refused(life.cancel(admin, { eventId }))).toBe('EVENT_IS_DRAFT');
      expect(await life.publish(admin, { eventId, version: 2 })).toMatchObject({ title: 'Renamed' });
    });

    it('tells nobody of its edits', async () => {
      const { id: eventId } = await insertEvent(events.owner, { status: 'draft' });
      await editing.update(admin, { eventId, ...KEEP, title: 'Renamed', location: 'Town hall' });
      expect(await events.outbox(EventChanged)).toEqual([]);
    });

    it('is published by the worker when its moment has come, in the name of who set it, and by nobody before', async () => {
      const grace = await events.administrator();
      const due = await insertEvent(events.owner, { status: 'draft', publishAt: daysFromNow(-0.001) });
      const set = await insertEvent(events.owner, { status: 'draft' });
      const later = await insertEvent(events.owner, { status: 'draft', publishAt: daysFromNow(0.01) });
      await editing.update(grace, { eventId: set.id, ...KEEP, publishAt: daysFromNow(-0.001).toISOString() });
      await events.owner.query('DELETE FROM events.outbox');
      const publish = async () =>
        (await events.owner.query('SELECT events.publish_due() AS published')).rows[0].published;
      // somebody edits one of them: it waits for the next time, and holds up nothing
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
      expect(await service.get(due.id, null)).toMatchObject({ status: 'published', publishAt: null });
      expect(await service.get(later.id, admin)).toMatchObject({ status: 'draft' });
    });
  });

  it.each([
    ['a time for publishing what is published', { publishAt: daysFromNow(1).toISOString() }, 'publishAt'],
    [
      'a time for publishing after the end',
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
    await expect(editing.create(admin, form(given))).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { fields: { [field]: [expect.stringContaining(field)] } },
    });
    const { id: eventId } = await editing.create(admin, form());
    const fields = { ...given, status: undefined };
    await expect(editing.update(admin, { eventId, ...KEEP, ...fields })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { fields: { [field]: [expect.stringContaining(field)] } },
    });
  });

  it('lets an event move before the closing of its registration for whoever knows nothing of that', async () => {
    const { id: eventId } = await editing.create(
      admin,
      form({ registrationClosesAt: daysFromNow(9).toISOString() }),
    );
    const dates = { startDate: daysFromNow(5).toISOString(), endDate: daysFromNow(5.1).toISOString() };
    expect(await editing.update(admin, { eventId, ...KEEP, ...dates })).toMatchObject(dates);
  });

  describe('when it is cancelled', () => {
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

    it('stays at its address with the reason, and everybody who is registered or waits is told once', async () => {
      const { event, one, two, waits } = await published({ capacity: 2, location: 'Town hall' });
      const cancelled = await life.cancel(admin, {
        eventId: event.id,
        reason: 'The hall is flooded',
        version: 1,
      });
      expect(cancelled).toMatchObject({
        status: 'cancelled',
        cancelledAt: expect.any(String),
        cancelReason: 'The hall is flooded',
        registrationState: 'cancelled',
        registrationCount: 2,
        version: 2,
      });
      const again = await life.cancel(admin, { eventId: event.id, reason: 'Another', version: 1 });
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
      const { ics } = await events.get(CalendarService).ofEvent(event.id);
      expect(ics).toContain('STATUS:CANCELLED');
      expect(ics).toContain('SEQUENCE:1');
      expect(ics.replaceAll('\r\n ', '')).toContain('/e/search-marketing-meetup');
    });

    it('takes no edits, does not come back, and is not told again when it is deleted', async () => {
      const { event } = await published();
      await life.cancel(admin, { eventId: event.id });
      await events.owner.query('DELETE FROM events.outbox');
      expect(await refused(editing.update(admin, { eventId: event.id, ...KEEP, title: 'Other' }))).toBe(
        'EVENT_CANCELLED',
      );
      expect(await refused(life.publish(admin, { eventId: event.id }))).toBe('EVENT_CANCELLED');
      await editing.delete(admin, event.id);
      expect(await events.outbox(EventCancelledMail)).toEqual([]);
      const { ics } = await events.get(CalendarService).ofEvent(event.id);
      expect(ics).toContain('SEQUENCE:2');
    });

    it('is refused from an older version, and tells nobody of what is over', async () => {
      const { event } = await published();
      await editing.update(admin, { eventId: event.id, ...KEEP, capacity: 7 });
      expect(await refused(life.cancel(admin, { eventId: event.id, version: 1 }))).toBe('EDIT_CONFLICT');
      const over = await published({ startDate: daysFromNow(-3) });
      await life.cancel(admin, { eventId: over.event.id });
      expect(await events.outbox(EventCancelledMail)).toEqual([]);
    });

    it('takes back a notice about a change that was not sent yet', async () => {
      const { event } = await published();
      await editing.update(admin, { eventId: event.id, ...KEEP, title: 'Renamed' });
      expect(await events.outbox(EventChanged)).toHaveLength(1);
      await life.cancel(admin, { eventId: event.id });
      expect(await events.outbox(EventChanged)).toEqual([]);
    });

    it('leaves nobody registered and untold, however many register at that moment', async () => {
      const { id: eventId } = await insertEvent(events.owner);
      const members = await events.members(12);
      const registrations = members.map((userId) =>
        events.get(RegistrationsService).register(userId, { eventId }),
      );
      const results = await outcomes([...registrations, life.cancel(admin, { eventId })]);
      const { rows } = await events.owner.query<{ userId: string }>(
        `SELECT user_id AS "userId" FROM events.event_registrations WHERE event_id = $1 AND status = 'registered'`,
        [eventId],
      );
      expect((results.ok ?? 0) - 1).toBe(rows.length);
      const told = (await events.outbox(EventCancelledMail)).map(({ userId }) => userId);
      expect(told.toSorted()).toEqual(rows.map(({ userId }) => userId).toSorted());
    });
  });

  describe('by its preview address', () => {
    it('is seen by whoever has that, until another is made or it is revoked', async () => {
      const { id: eventId } = await insertEvent(events.owner, { status: 'draft', title: 'Secret' });
      const first = await life.makePreview(admin, eventId);
      expect(first).toEqual({
        token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        createdAt: expect.any(String),
      });
      expect(await life.preview(first.token)).toMatchObject({
        id: eventId,
        status: 'draft',
        title: 'Secret',
      });
      const second = await life.makePreview(admin, eventId);
      expect(await refused(life.preview(first.token))).toBe('EVENT_NOT_FOUND');
      await life.publish(admin, { eventId });
      expect(await life.preview(second.token)).toMatchObject({ status: 'published' });
      await life.revokePreview(admin, eventId);
      await life.revokePreview(admin, eventId);
      expect(await refused(life.preview(second.token))).toBe('EVENT_NOT_FOUND');
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

    it('stands in the database as a hash, and ends with the event', async () => {
      const { id: eventId } = await insertEvent(events.owner, { status: 'draft' });
      const { token } = await life.makePreview(admin, eventId);
      const { rows } = await events.owner.query(
        'SELECT event_previews::text AS row FROM events.event_previews',
      );
      expect(rows[0].row).not.toContain(token);
      await editing.delete(admin, eventId);
      expect(await refused(life.preview(token))).toBe('EVENT_NOT_FOUND');
      expect(await refused(life.makePreview(admin, eventId))).toBe('EVENT_NOT_FOUND');
      expect(await refused(life.revokePreview(admin, eventId))).toBe('EVENT_NOT_FOUND');
    });
  });

  it('lets only administrators in', async () => {
    const { id: eventId } = await insertEvent(events.owner, { status: 'draft' });
    const none = await aMember();
    expect(await refused(life.publish(none, { eventId }))).toBe('FORBIDDEN');
    expect(await refused(life.cancel(none, { eventId }))).toBe('FORBIDDEN');
    expect(await refused(life.makePreview(none, eventId))).toBe('FORBIDDEN');
    expect(await refused(life.revokePreview(none, eventId))).toBe('FORBIDDEN');
  });
});
