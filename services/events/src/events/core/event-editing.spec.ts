import {
  EventChanged,
  RecordAudit,
  type CreateEventRequest,
  type Identity,
  type NotifiedChange,
  type PictureChange,
  type UpdateEventRequest,
  EventCancelledMail,
  RollUpActivity,
  NamedInEventMail,
} from '@meetmark/contracts';
import type { EventFieldName } from '@meetmark/contracts/events/event-fields';
import { daysFromNow, insertEvent, type EventRow } from '@meetmark/testing/factories/events';
import { beforeCommit, codes, outcomes } from '@meetmark/testing';
import { updateRow } from '@meetmark/testing/factories/users';
import { DataSource } from 'typeorm';
import { createPicture, manageEvents } from '../../testing/manage-events.js';
import { createCall, eventsForTests, inject, UNKNOWN } from '../../testing/open-events.js';
import { PictureStore } from '@meetmark/platform';
import { EventsService } from './events.service.js';

const events = eventsForTests();

const NONE: PictureChange = { action: 'remove' };
const picture = (content: string) =>
  ({ action: 'store', picture: createPicture(content) }) satisfies PictureChange;

const { admin, create, change, remove, makeSeries, get, fetchSequence } = manageEvents(events);
const insert = (given: Partial<EventRow> = {}) => insertEvent(events.owner, given);
const invalid = (field: string) => ({
  code: 'VALIDATION_FAILED',
  details: { fields: { [field]: [expect.any(String)] } },
});

const at = (hour: number) => `2031-05-01T${hour}:00:00.000Z`;
const VENUE = { name: 'Leeds', address: null, note: 'Ring twice', mapUrl: null };
const AGENDA = [{ startsAt: at(17), endsAt: null, title: 'Doors', note: null }];

type Field = Exclude<EventFieldName, 'publishAt' | 'hosts' | 'coHosts' | 'topics' | 'questions'>;
/**
 * Changes of one field each, with the sequence of the calendar entry and the changes emailed to guests.
 * `details` are emailed only on request.
 */
const FIELDS: Record<Field, [Partial<UpdateEventRequest>, sequence: number, told: NotifiedChange[]]> = {
  title: [{ title: 'Renamed' }, 1, ['title']],
  description: [{ description: 'Bring a laptop' }, 1, ['details']],
  descriptionFormat: [{ descriptionFormat: 'markdown' }, 1, ['details']],
  startDate: [{ startDate: at(16) }, 1, ['time']],
  endDate: [{ endDate: at(20) }, 1, ['time']],
  location: [{ location: 'Town hall' }, 1, ['location']],
  format: [{ format: 'online' }, 1, ['location']],
  price: [{ price: '11' }, 0, ['price']],
  paymentNote: [{ paymentNote: 'Card at the door' }, 0, ['details']],
  capacity: [{ capacity: 51 }, 0, ['details']],
  isAllDay: [{ isAllDay: true }, 1, ['time']],
  timeZone: [{ timeZone: 'America/New_York' }, 1, ['details']],
  bannerImageUrl: [{ banner: picture('other') }, 0, ['details']],
  coverPattern: [{ coverPattern: 8 }, 0, ['details']],
  coverSquare: [{ coverSquare: { x: 0, y: 0.25, zoom: 1 } }, 0, []],
  coverWide: [{ coverWide: { x: 1, y: 0.75, zoom: 2.5 } }, 0, []],
  waitlistEnabled: [{ waitlistEnabled: true }, 0, []],
  visibility: [{ visibility: 'unlisted' }, 0, []],
  registrationOpensAt: [{ registrationOpensAt: at(10) }, 0, ['details']],
  registrationClosesAt: [{ registrationClosesAt: at(18) }, 0, ['details']],
  venue: [{ venue: VENUE, location: 'Leeds' }, 1, ['details']],
  onlineUrl: [{ onlineUrl: 'https://meet.example/room-7f3a' }, 1, ['online']],
  onlineNote: [{ onlineNote: 'Passcode' }, 1, ['details']],
  accessibility: [{ accessibility: 'Step-free' }, 0, ['accessibility']],
  agenda: [{ agenda: AGENDA }, 0, ['details']],
  speakers: [{ speakers: [{ name: 'Grace' }] }, 0, ['details']],
  resources: [{ resources: [{ title: 'Slides', url: 'https://slides.example/1' }] }, 0, ['details']],
  recap: [{ recap: 'Good' }, 0, ['details']],
};

describe('editing events', () => {
  it('creates one event of the administrator, with an audit entry, for a repeated request', async () => {
    const id = '01997000-0000-7000-8000-000000000001';
    const request = { id, price: '12.5', capacity: 30, description: 'Two\nlines' };
    const created = await create(request);
    expect(created).toMatchObject({
      ...{ id, title: 'Search marketing meetup', description: 'Two\nlines', price: '12.50', capacity: 30 },
      ...{ createdById: admin.sub, format: 'in_person', isAllDay: false, registrationCount: 0 },
      registrations: [],
    });
    expect(created.updatedAt).toBe(created.createdAt);
    expect(await create(request)).toEqual(created);
    expect(await events.outbox(RecordAudit)).toMatchObject([
      {
        ...{ action: 'event.created', actorId: admin.sub, changed: [] },
        ...{ subjectId: id, subjectName: created.title },
      },
    ]);
    expect(await codes([create(request, await events.administrator())])).toEqual(['REQUEST_IN_PROGRESS']);
  });

  it('creates an event in the past that lasts one millisecond', async () => {
    const past = { startDate: '2019-01-01T10:00:00.000Z', endDate: '2019-01-01T10:00:00.001Z' };
    expect(await create(past)).toMatchObject(past);
  });

  it.each([
    ['0', null],
    ['0.00', null],
    [null, null],
    ['0.01', '0.01'],
    ['1000000', '1000000.00'],
  ])('stores the price %j as %j', async (price, stored) => {
    expect(await create({ price })).toMatchObject({ price: stored });
  });

  it.each(['2031-05-01T17:00:00.000Z', '2031-05-01T16:59:59.999Z'])(
    'rejects the end date %s for a start at 17:00',
    async (endDate) => {
      const [event, dates] = [await insert(), { startDate: '2031-05-01T17:00:00.000Z', endDate }];
      expect(await outcomes([create(dates), change(event, dates)])).toEqual({ DATE_RANGE_INVALID: 2 });
    },
  );

  it.each([
    ['role', 'is_admin = false', 'FORBIDDEN'],
    ['sessions', 'session_epoch = 2', 'UNAUTHORIZED'],
  ])('rejects an administrator whose %s ended after the token was signed', async (_, ended, code) => {
    const event = await insert();
    for (const command of [() => create(), () => change(event, { title: 'Changed' }), () => remove(event)]) {
      await updateRow(events.owner, 'auth.users', admin.sub, { isAdmin: true, sessionEpoch: 1 });
      const ending = beforeCommit(
        events.owner,
        [`UPDATE auth.users SET ${ended} WHERE id = $1`, [admin.sub]],
        command as () => Promise<unknown>,
      );
      await expect(ending).rejects.toMatchObject({ code });
    }
    expect(await events.outbox(RecordAudit)).toEqual([]);
  });

  it('rejects a capacity below the registration count and reports that count', async () => {
    const event = await insert({ capacity: 10 });
    await events.register(event.id, await events.members(3));
    await expect(change(event, { capacity: 2 })).rejects.toMatchObject({
      code: 'CAPACITY_BELOW_REGISTERED',
      details: { registered: 3 },
    });
    expect(await change(event, { capacity: 3 })).toMatchObject({ capacity: 3 });
  });

  it('queues a roll-up when a higher capacity promotes a waiting member', async () => {
    const event = await insert({ capacity: 1, waitlistEnabled: true });
    await events.register(event.id, await events.members(1));
    await events.register(event.id, await events.members(1), 'waitlisted');
    await change(event, { capacity: 2 });
    expect(await events.outbox(RollUpActivity)).toEqual([{}]);
  });

  it('writes the changed fields to the audit log', async () => {
    const event = await insert({ capacity: 5 });
    const timeZone = 'America/New_York';
    await change(event, { title: 'Renamed', capacity: 6, price: '3', timeZone, banner: picture('banner') });
    const audited = await events.outbox(RecordAudit);
    expect(audited).toMatchObject([
      {
        action: 'event.updated',
        actorId: admin.sub,
        subjectId: event.id,
        subjectName: 'Renamed',
        changed: ['title', 'price', 'capacity', 'timeZone', 'bannerImageUrl'],
      },
    ]);
    expect(audited[0]!.values).toEqual({
      title: { before: event.title, after: 'Renamed' },
      capacity: { before: '5', after: '6' },
      timeZone: { before: null, after: timeZone },
    });
  });

  it.each<[changed: string[], ...(typeof FIELDS)[Field]]>([
    ...Object.entries(FIELDS).map(([name, row]) => [[name], ...row] as [string[], ...typeof row]),
    [['location', 'venue'], { venue: { ...VENUE, address: 'Station Street' } }, 1, ['location', 'details']],
    [
      ['title', 'location', 'isAllDay', 'agenda', 'recap'],
      { title: 'Renamed', location: 'Town hall', isAllDay: true, agenda: AGENDA, recap: 'Good' },
      1,
      ['time', 'location', 'title', 'details'],
    ],
  ])(
    'audits the change %j, raises the version once and notifies guests',
    async (names, given, sequence, told) => {
      const base = { location: 'Leeds', price: '10', capacity: 50 };
      const createOne = () =>
        create({ ...base, ...(/^cover[SW]/.test(names[0]!) && { banner: picture('cut') }) });
      const fetchNotices = async () => (await events.outbox(EventChanged)).map((notice) => notice.changed);
      const [event, grace] = [await createOne(), await events.administrator()];
      const changed = await change(event, { ...given, version: 1 }, grace);
      expect(changed.version).toBe(2);
      expect(await change(event, { ...given, version: 1 }, grace)).toEqual(changed);
      const other = names.includes('title') ? { paymentNote: 'Cash' } : { title: 'Other' };
      await expect(change(event, { ...other, version: 1 })).rejects.toMatchObject({
        code: 'EDIT_CONFLICT',
        details: {
          present: { version: 2, content: changed.content },
          edits: [{ by: 'Grace Hopper', changed: names }],
        },
      });
      expect((await events.outbox(RecordAudit)).map((entry) => entry.changed)).toEqual([[], names]);
      expect(await fetchSequence(event)).toBe(sequence);
      const unasked = told.filter((part) => part !== 'details');
      expect(await fetchNotices()).toEqual(unasked.length === 0 ? [] : [unasked]);
      const updatedAt = expect.any(String) as string;
      expect(await change(event, other)).toEqual({ ...changed, ...other, updatedAt, version: 3 });
      await events.owner.query('DELETE FROM events.outbox');
      await change(await createOne(), { ...given, notify: true });
      expect(await fetchNotices()).toEqual([told]);
    },
  );

  it('writes no audit entry or notification when nothing changed', async () => {
    await change(await insert({ price: '12.50' }), { price: '12.5' });
    expect(await events.outbox(RecordAudit)).toEqual([]);
    expect(await events.outbox(EventChanged)).toEqual([]);
  });

  it('keeps fields that the edit omits, and clears fields that are null', async () => {
    const given: Partial<CreateEventRequest> = {
      ...{ description: 'Bring a laptop', location: 'Town hall', price: '10', capacity: 50 },
      ...{ format: 'hybrid', isAllDay: true },
    };
    const full = await create({ ...given, banner: picture('full') });
    expect(await change(full, { title: 'Renamed' })).toEqual({
      ...full,
      title: 'Renamed',
      updatedAt: expect.any(String),
      version: 2,
    });
    const cleared = { description: null, location: null, price: null, capacity: null };
    expect(await change(full, { ...cleared, banner: NONE })).toMatchObject({
      ...cleared,
      bannerImageUrl: null,
    });
  });

  describe('version check', () => {
    let grace: Identity;
    let event: EventRow;
    beforeEach(async () => {
      grace = await events.administrator();
      event = await insert({ capacity: 50, price: '10.00' });
    });

    it('rejects a change to an older version and reports who changed what and when', async () => {
      await change(event, { location: 'Town hall', capacity: 60, version: 1 }, grace);
      const { updatedAt } = await change(event, { price: '12', version: 2 });
      await expect(change(event, { location: 'Library', version: 1 })).rejects.toMatchObject({
        code: 'EDIT_CONFLICT',
        details: {
          present: { version: 3 },
          edits: [
            { own: true, at: updatedAt, changed: ['price'] },
            { by: 'Grace Hopper', own: false, changed: ['location', 'capacity'] },
          ],
        },
      });
      const again = await change(event, { location: 'Library', version: 3 });
      expect(again).toMatchObject({ location: 'Library', capacity: 60, price: '12.00', version: 4 });
    });

    it('accepts only one of two simultaneous edits', async () => {
      const saves = [
        change(event, { title: 'One', version: 1 }),
        change(event, { title: 'Two', version: 1 }, grace),
      ];
      expect(await outcomes(saves)).toEqual({ ok: 1, EDIT_CONFLICT: 1 });
    });

    it('keeps the version despite registrations, empty edits and a new owner', async () => {
      await events.register(event.id, await events.members(1));
      await change(event, { capacity: 50 });
      await updateRow(events.owner, 'events.events', event.id, { createdById: grace.sub });
      expect(await change(event, { title: 'Renamed', version: 1 })).toMatchObject({ version: 2 });
    });

    it('names no editor of direct database changes or with a deleted account', async () => {
      await updateRow(events.owner, 'events.events', event.id, { title: 'By hand' });
      await change(event, { location: 'Hull', version: 2 }, grace);
      await events.deleteUser(grace.sub);
      const edits = [['location'], ['title']].map((changed) => ({ by: null, own: false, changed }));
      await expect(change(event, { title: 'Renamed', version: 1 })).rejects.toMatchObject({
        details: { present: { version: 3 }, edits },
      });
    });

    it('keeps the service from setting versions', async () => {
      const asService = events.get(DataSource).query('UPDATE events.events SET version = 1');
      await expect(asService).rejects.toMatchObject({ code: '42501' });
    });
  });

  describe('notifying registered members', () => {
    it('delays a notice', async () => {
      await change(await insert(), { title: 'Renamed' });
      const delays = await events.rows(
        "SELECT round(extract(epoch FROM available_at - created_at))::integer AS delay FROM events.outbox WHERE job LIKE 'mail%'",
      );
      expect(delays).toEqual([{ delay: events.config.eventChangedDelay }]);
    });

    it('drops changes that later edits revert, even silently, but records every edited field', async () => {
      const event = await insert();
      const notice = async () => (await events.outbox(EventChanged))[0]!;
      await change(event, { location: 'Town hall', title: 'Renamed' });
      const { since } = await notice();
      const edited = ['location', 'title'];
      await change(event, { location: null });
      expect(await notice()).toMatchObject({ changed: ['title'], edited, since });
      await change(event, { title: event.title, notify: false });
      expect(await notice()).toMatchObject({ changed: [], edited, since, sequence: 3 });
    });

    it('adds a new change to a notice from the previous release', async () => {
      const event = await insert();
      await events.owner.query(
        'INSERT INTO events.outbox (id, job, payload) VALUES (gen_random_uuid(), $1, $2)',
        [EventChanged.name, { eventId: event.id, sequence: 1, changed: ['time'] }],
      );
      await change(event, { title: 'Renamed' });
      expect(await events.outbox(EventChanged)).toMatchObject([{ changed: ['time', 'title'] }]);
    });

    it('sends no notice, and drops the note, if the organiser or the edit requires none', async () => {
      const event = await insert();
      await change(event, { title: 'Renamed', price: '9', note: 'Never mind', notify: false });
      await change(event, { description: 'A typo less', note: 'Typo' });
      expect(await events.outbox(EventChanged)).toEqual([]);
    });

    it('notifies members of any change, with a note, at the organiser’s request', async () => {
      await change(await insert(), { description: 'Bring a laptop', notify: true, note: 'Look!' });
      expect(await events.outbox(EventChanged)).toMatchObject([{ changed: ['details'], notes: ['Look!'] }]);
      const other = await insert();
      for (let times = 0; times < 2; times += 1)
        await change(other, { visibility: 'unlisted', notify: true, note: 'We go quiet' });
      expect((await events.outbox(EventChanged)).map(({ notes }) => notes)).toEqual([
        ['Look!'],
        ['We go quiet'],
      ]);
    });

    it('combines the edits of an event in one notice with the original values and the notes', async () => {
      const [event, other] = [await insert({ title: 'First', price: '10' }), await insert()];
      await change(other, { title: 'Other' });
      await change(event, { title: 'Second', note: 'One' });
      await change(event, { title: 'Third', price: '12', notify: false, note: 'Unsaid' });
      await change(event, { location: 'Town hall', note: 'Two' });
      expect(await events.outbox(EventChanged)).toMatchObject([
        { eventId: other.id, sequence: 1, changed: ['title'] },
        {
          eventId: event.id,
          sequence: 3,
          changed: ['title', 'location'],
          before: { title: 'First', location: JSON.stringify(['in_person', null]) },
          notes: ['One', 'Two'],
        },
      ]);
    });

    it('notifies members of a change to a running event but not to a past one', async () => {
      const past = await insert({ startDate: daysFromNow(-2) });
      await change(past, { title: 'Renamed' });
      expect(await events.outbox(EventChanged)).toEqual([]);
      expect(await fetchSequence(past)).toBe(1);
      const running = await insert({ startDate: daysFromNow(-1), endDate: daysFromNow(1) });
      await change(running, { location: 'Town hall' });
      expect(await events.outbox(EventChanged)).toMatchObject([{ changed: ['location'] }]);
    });
  });

  describe('banners', () => {
    it('gives identical banners the same URL and returns the same bytes', async () => {
      const [one, two] = [
        await create({ banner: picture('same') }),
        await create({ banner: picture('same') }),
      ];
      expect(one.bannerImageUrl).toMatch(/^\/media\/banners\/[0-9a-f]{64}\.webp$/);
      expect(two.bannerImageUrl).toBe(one.bannerImageUrl);
      const store = events.get(PictureStore);
      const { base64 } = await store.get(picture('same').picture.hash);
      expect(Buffer.from(base64, 'base64').toString()).toBe('same');
      await expect(store.get('0'.repeat(64))).rejects.toMatchObject({ code: 'PICTURE_NOT_FOUND' });
    });

    it('rejects a banner whose bytes do not match the hash', async () => {
      const banner = picture('one thing');
      banner.picture.hash = picture('another').picture.hash;
      await expect(create({ banner })).rejects.toMatchObject({ code: 'PICTURE_BROKEN' });
    });

    it('keeps, copies or removes a banner on request', async () => {
      const { id, bannerImageUrl } = await create({ banner: picture('kept') });
      const banner: PictureChange = { action: 'keep', url: bannerImageUrl! };
      expect(await change({ id }, { banner })).toMatchObject({ bannerImageUrl });
      expect(await create({ banner })).toMatchObject({ bannerImageUrl });
      expect(await change({ id }, { banner: NONE })).toMatchObject({ bannerImageUrl: null });
    });

    it.each([
      `/media/banners/${'0'.repeat(64)}.webp`,
      `/media/avatars/${'0'.repeat(64)}.webp`,
      'https://elsewhere.example/a.webp',
      undefined,
    ])('rejects a request to keep a banner with an unknown URL (%s)', async (url) => {
      expect(await codes([create({ banner: { action: 'keep', url } })])).toEqual(['PICTURE_NOT_FOUND']);
    });

    it('rejects a request to keep the banner of another event', async () => {
      const { bannerImageUrl } = await create({ banner: picture('other event') });
      const banner: PictureChange = { action: 'keep', url: bannerImageUrl! };
      for (const event of [await insert(), await create({ banner: picture('own') })])
        await expect(change(event, { banner })).rejects.toMatchObject(invalid('bannerImageUrl'));
    });

    describe('cover settings', () => {
      const coverSquare = { x: 0, y: 0.5, zoom: 2 };
      const coverWide = { x: 1, y: 0.5, zoom: 1 };

      it('resets a crop when the cover image is replaced or removed', async () => {
        const crops = { coverSquare, coverWide };
        const event = await create({ banner: picture('a'), ...crops });
        expect(event).toMatchObject(crops);
        const copy = { banner: { action: 'keep', url: event.bannerImageUrl! }, ...crops } as const;
        expect(await create(copy)).toMatchObject(crops);
        expect(await change(event, { banner: picture('b'), coverWide })).toMatchObject({
          coverSquare: null,
          coverWide,
        });
        expect(await change(event, { banner: NONE })).toMatchObject({ coverSquare: null, coverWide: null });
        await expect(change(event, { coverSquare })).rejects.toMatchObject(invalid('coverSquare'));
      });

      it('allows a cover pattern only without an image', async () => {
        const event = await create({ coverPattern: 3 });
        const both = create({ banner: picture('a'), coverPattern: 3 });
        await expect(both).rejects.toMatchObject(invalid('coverPattern'));
        const repeated = { coverPattern: 3, bannerImageUrl: null, version: event.version };
        expect(await change(event, { coverPattern: 3 })).toMatchObject(repeated);
        expect(await change(event, { banner: picture('a') })).toMatchObject({ coverPattern: null });
        expect(await change(event, { banner: NONE, coverPattern: 4 })).toMatchObject({ coverPattern: 4 });
        const bannerHash = picture('a').picture.hash;
        await updateRow(events.owner, 'events.events', event.id, { bannerHash });
        expect(await change(event, { title: 'Renamed' })).toMatchObject({ coverPattern: null });
      });

      it('copies cover settings to a new series, and again with series edits', async () => {
        const event = await create({ banner: picture('series'), coverSquare });
        const [later] = await makeSeries(event);
        expect(later).toMatchObject({ coverSquare, coverWide: null });
        await change(event, { scope: 'later', coverWide });
        const present = () => get(later!);
        expect(await present()).toMatchObject({ coverSquare, coverWide });
        await change(event, { scope: 'later', banner: NONE, coverPattern: 5 });
        expect(await present()).toMatchObject({ bannerImageUrl: null, coverPattern: 5, coverWide: null });
      });
    });
  });
});

describe('deleting an event', () => {
  const rows = (table: string, column: string, id: string) =>
    events.rows(`SELECT * FROM events.${table} WHERE ${column} = $1`, id);

  it('removes registrations, emails registered members and writes an audit entry', async () => {
    const event = await insert({ title: 'Harvest supper', location: 'Town hall' });
    const [one, two, gone] = (await events.members(3)) as [string, string, string];
    const [, ofTwo] = await events.register(event.id, [one, two]);
    await updateRow(events.owner, 'events.event_registrations', ofTwo!, { entryRevision: 2 });
    await events.register(event.id, [gone], 'cancelled');
    await remove(event);

    expect(await rows('events', 'id', event.id)).toEqual([]);
    expect(await rows('event_registrations', 'event_id', event.id)).toEqual([]);
    const told = {
      id: event.id,
      slug: 'harvest-supper',
      title: event.title,
      location: 'Town hall',
      format: 'in_person',
      startDate: event.startDate.toISOString(),
      endDate: event.endDate.toISOString(),
      isAllDay: false,
      timeZone: null,
    };
    const mails = await events.outbox(EventCancelledMail);
    expect(Object.fromEntries(mails.map((mail) => [mail.userId, mail.event]))).toEqual({
      [one]: { ...told, sequence: 1 },
      // withdraws the calendar entry with a higher sequence than before
      [two]: { ...told, sequence: 3 },
    });
    expect(await events.outbox(RollUpActivity)).toHaveLength(1);
    expect(await events.outbox(RecordAudit)).toMatchObject([
      { action: 'event.deleted', actorId: admin.sub, subjectId: event.id, subjectName: event.title },
    ]);
    expect(await rows('deleted_events', 'id', event.id)).toMatchObject([{ sequence: 1, title: event.title }]);
  });

  it('emails people on the waiting list but keeps no calendar entry for them', async () => {
    const event = await insert({ capacity: 1 });
    const [has, waits] = (await events.members(2)) as [string, string];
    await events.register(event.id, [has]);
    await events.register(event.id, [waits], 'waitlisted');
    await remove(event);
    const mails = await events.outbox(EventCancelledMail);
    expect(Object.fromEntries(mails.map(({ userId, waiting }) => [userId, waiting]))).toEqual({
      [has]: undefined,
      [waits]: true,
    });
    expect(await rows('deleted_events', 'id', event.id)).toMatchObject([{ registered_user_ids: [has] }]);
  });

  it('rejects an edit or deletion of an unknown or already deleted event', async () => {
    const [event, unknown] = [await insert(), { id: UNKNOWN }];
    const all = [change(unknown, {}), remove(unknown), remove(event), remove(event)];
    expect(await outcomes(all)).toEqual({ ok: 1, EVENT_NOT_FOUND: 3 });
    expect(await events.outbox(RecordAudit)).toHaveLength(1);
  });
});

describe('managing an event', () => {
  const reading = inject(events, EventsService);
  let organiser: Identity;
  let ada: Identity;
  beforeEach(async () => {
    organiser = await events.person({ isOrganiser: true });
    ada = await events.person();
  });

  const organise = (given: Partial<CreateEventRequest> = {}) => create(given, organiser);
  const rename = (event: { id: string }, who: Identity, given: Partial<UpdateEventRequest> = {}) =>
    change(event, { title: 'Lunch', ...given }, who);
  const agree = ({ id: eventId }: { id: string }) =>
    reading.answerRole({ eventId, role: 'host', agreed: true }, createCall(ada.sub));
  const asked = async () => (await events.outbox(NamedInEventMail)).map(({ userId }) => userId);
  const managed = async (who: Identity) =>
    (await reading.list({ managedBy: 'me' }, createCall(who))).items.map(({ id }) => id);
  const FORBIDDEN = { code: 'FORBIDDEN' };
  const NOT_FOUND = { code: 'EVENT_NOT_FOUND' };

  it('lets the organiser who created an event manage it, but no other organiser', async () => {
    const event = await organise({ status: 'draft' });
    expect(event.mayManage).toBe(true);
    expect(await get(event, organiser)).toMatchObject({ mayManage: true });
    expect(await managed(organiser)).toEqual([event.id]);
    const other = await events.person({ isOrganiser: true });
    await expect(get(event, other)).rejects.toMatchObject(NOT_FOUND);
    await expect(rename(event, other)).rejects.toMatchObject(NOT_FOUND);
    expect(await managed(other)).toEqual([]);
    await expect(create({}, ada)).rejects.toMatchObject(FORBIDDEN);
  });

  it('ends the access of event creators who are no longer organisers', async () => {
    const event = await organise({ hosts: [organiser.sub], coHosts: [organiser.sub] });
    await updateRow(events.owner, 'auth.users', organiser.sub, { isOrganiser: false });
    const demoted = { ...organiser, isOrganiser: false };
    for (const token of [organiser, demoted])
      await expect(rename(event, token)).rejects.toMatchObject(FORBIDDEN);
    expect(await get(event, demoted)).toMatchObject({ mayManage: false });
    expect(await managed(demoted)).toEqual([]);
  });

  it('lets co-hosts manage an event from their agreement until their removal', async () => {
    const event = await organise({ status: 'draft', hosts: [ada.sub], coHosts: [ada.sub] });
    expect(await asked()).toEqual([ada.sub]);
    await expect(get(event, ada)).rejects.toMatchObject(NOT_FOUND);
    expect(await reading.roles({}, createCall(ada.sub))).toMatchObject([
      { eventId: event.id, coHost: 'asked', agreedAt: null },
    ]);
    expect(await agree(event)).toMatchObject({ coHost: 'agreed' });
    expect(await get(event, ada)).toMatchObject({
      mayManage: true,
      content: { hosts: [{ id: ada.sub, agreed: true, coHost: 'agreed' }] },
    });
    expect(await managed(ada)).toEqual([event.id]);
    expect(await rename(event, ada)).toMatchObject({ title: 'Lunch', mayManage: true });
    await change(event, { hosts: [] }, organiser);
    await expect(rename(event, ada)).rejects.toMatchObject(FORBIDDEN);
    await expect(get(event, ada)).rejects.toMatchObject(NOT_FOUND);
  });

  it('refuses management by hosts who only agreed to be shown', async () => {
    const event = await organise({ hosts: [ada.sub] });
    expect(await agree(event)).not.toHaveProperty('coHost');
    await change(event, { coHosts: [ada.sub] }, organiser);
    expect(await asked()).toEqual([ada.sub, ada.sub]);
    await expect(rename(event, ada)).rejects.toMatchObject(FORBIDDEN);
    const { hosts } = (await get(event, null)).content;
    expect(hosts).toMatchObject([{ id: ada.sub, agreed: true }]);
    expect(hosts[0]).not.toHaveProperty('coHost');
    await agree(event);
    expect(await rename(event, ada)).toMatchObject({ title: 'Lunch' });
    await change(event, { coHosts: [] }, organiser);
    await expect(rename(event, ada)).rejects.toMatchObject(FORBIDDEN);
    expect((await get(event, null)).content.hosts).toHaveLength(1);
  });

  it('accepts only hosts of an event as its co-hosts', async () => {
    const coHosts = [ada.sub];
    await expect(organise({ coHosts })).rejects.toMatchObject(invalid('coHosts[0]'));
    await expect(change(await organise(), { coHosts }, organiser)).rejects.toMatchObject(
      invalid('coHosts[0]'),
    );
  });

  it('rejects a co-host’s series edit unless the co-host manages all later events', async () => {
    const event = await organise({ hosts: [ada.sub], coHosts: [ada.sub] });
    await agree(event);
    await makeSeries(event, 3);
    await expect(rename(event, ada, { scope: 'later' })).rejects.toMatchObject(NOT_FOUND);
    expect(await get(event, ada)).toMatchObject({ title: event.title });
    expect(await rename(event, organiser, { scope: 'later' })).toMatchObject({ title: 'Lunch' });
  });
});
