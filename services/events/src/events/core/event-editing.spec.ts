import { createHash } from 'node:crypto';
import {
  EventChanged,
  RecordAudit,
  type CreateEventRequest,
  type Identity,
  type PictureChange,
  type UpdateEventRequest,
  EventCancelledMail,
  RollUpActivity,
  NamedInEventMail,
} from '@meetmark/contracts';
import {
  daysFromNow,
  insertEvent,
  insertRegistration,
  type EventRow,
} from '@meetmark/testing/factories/events';
import { beforeCommit, outcomes } from '@meetmark/testing';
import { insertUser, updateRow } from '@meetmark/testing/factories/users';
import { DataSource } from 'typeorm';
import { createCall, eventsForTests, persistently } from '../../testing/open-events.js';
import type { EventValues } from './event.entity.js';
import { EventEditingService } from './event-editing.service.js';
import { PictureStore } from '@meetmark/platform';
import { EventsService } from './events.service.js';
import { RegistrationsService } from '../../registrations/registrations.service.js';

const events = eventsForTests();

const UNKNOWN = '0197f000-0000-7000-8000-000000000000';
const NONE: PictureChange = { action: 'remove' };

const form = (given: Partial<CreateEventRequest> = {}): CreateEventRequest => ({
  title: 'Search marketing meetup',
  description: null,
  startDate: '2031-05-01T17:00:00.000Z',
  endDate: '2031-05-01T19:00:00.000Z',
  location: null,
  price: null,
  capacity: null,
  banner: NONE,
  ...given,
});

const toForm = (event: EventRow, given: Partial<UpdateEventRequest> = {}): UpdateEventRequest => ({
  ...form(),
  eventId: event.id,
  title: event.title,
  startDate: event.startDate.toISOString(),
  endDate: event.endDate.toISOString(),
  ...given,
});

const picture = (content: string): PictureChange => {
  const bytes = Buffer.from(content);
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { action: 'store', picture: { hash, base64: bytes.toString('base64'), width: 16, height: 9 } };
};

describe('editing events', () => {
  let service: EventEditingService;
  let admin: Identity;
  beforeAll(() => {
    service = events.get(EventEditingService);
  });
  beforeEach(async () => {
    await events.owner.query('DELETE FROM events.outbox');
    admin = await events.administrator();
  });

  it('creates one event and one audit entry for a repeated request', async () => {
    const request = form({ id: '01997000-0000-7000-8000-000000000001' });
    const first = await service.create(request, createCall(admin));
    expect(first.id).toBe(request.id);
    expect(await service.create(request, createCall(admin))).toEqual(first);
    expect(await events.outbox(RecordAudit)).toHaveLength(1);
    const other = await events.administrator();
    await expect(service.create(request, createCall(other))).rejects.toMatchObject({
      code: 'REQUEST_IN_PROGRESS',
    });
  });

  const fetchSequence = async (id: string) =>
    (await events.owner.query('SELECT sequence FROM events.events WHERE id = $1', [id])).rows[0].sequence;

  it('creates an event that belongs to the administrator, with an audit entry', async () => {
    const created = await service.create(
      form({ price: '12.5', capacity: 30, description: 'Two\nlines' }),
      createCall(admin),
    );
    expect(created).toMatchObject({
      title: 'Search marketing meetup',
      description: 'Two\nlines',
      price: '12.50',
      capacity: 30,
      createdById: admin.sub,
      format: 'in_person',
      isAllDay: false,
      registrationCount: 0,
      registrations: [],
    });
    expect(created.updatedAt).toBe(created.createdAt);
    expect(await events.outbox(RecordAudit)).toMatchObject([
      {
        action: 'event.created',
        actorId: admin.sub,
        subjectId: created.id,
        subjectName: created.title,
        changed: [],
      },
    ]);
  });

  it('creates an event with past dates', async () => {
    const past = { startDate: '2019-01-01T10:00:00Z', endDate: '2019-01-01T11:00:00Z' };
    expect(await service.create(form(past), createCall(admin))).toMatchObject({
      startDate: '2019-01-01T10:00:00.000Z',
    });
  });

  it.each([
    ['0', null],
    ['0.00', null],
    [null, null],
    ['0.01', '0.01'],
    ['1000000', '1000000.00'],
  ])('stores the price %j as %j', async (price, stored) => {
    expect(await service.create(form({ price }), createCall(admin))).toMatchObject({ price: stored });
  });

  it.each(['2031-05-01T17:00:00.000Z', '2031-05-01T16:59:59.999Z'])(
    'rejects the end date %s for a start at 17:00',
    async (endDate) => {
      await expect(service.create(form({ endDate }), createCall(admin))).rejects.toMatchObject({
        code: 'DATE_RANGE_INVALID',
      });
      const event = await insertEvent(events.owner);
      const refused = service.update(
        toForm(event, { startDate: '2031-05-01T17:00:00.000Z', endDate }),
        createCall(admin),
      );
      await expect(refused).rejects.toMatchObject({ code: 'DATE_RANGE_INVALID' });
    },
  );

  it('accepts an end one millisecond after the start', async () => {
    await service.create(form({ endDate: '2031-05-01T17:00:00.001Z' }), createCall(admin));
  });

  it.each([
    ['role', 'is_admin = false', 'FORBIDDEN'],
    ['sessions', 'session_epoch = 2', 'UNAUTHORIZED'],
  ])('rejects an administrator whose %s ended after the token was signed', async (_, change, code) => {
    const event = await insertEvent(events.owner);
    const commands: (() => Promise<unknown>)[] = [
      () => service.create(form(), createCall(admin)),
      () => service.update(toForm(event, { title: 'Changed' }), createCall(admin)),
      () => service.delete({ eventId: event.id }, createCall(admin)),
    ];
    for (const command of commands) {
      await updateRow(events.owner, 'auth.users', admin.sub, { isAdmin: true, sessionEpoch: 1 });
      const ending = beforeCommit(
        events.owner,
        [`UPDATE auth.users SET ${change} WHERE id = $1`, [admin.sub]],
        command,
      );
      await expect(ending).rejects.toMatchObject({ code });
    }
    expect(await events.outbox(RecordAudit)).toEqual([]);
  });

  it('rejects an edit of an unknown event', async () => {
    const refused = service.update({ ...form(), eventId: UNKNOWN }, createCall(admin));
    await expect(refused).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });

  it('rejects a capacity below the registration count and reports that count', async () => {
    const event = await insertEvent(events.owner, { capacity: 10 });
    for (const userId of await events.members(3))
      await insertRegistration(events.owner, { eventId: event.id, userId });
    await expect(service.update(toForm(event, { capacity: 2 }), createCall(admin))).rejects.toMatchObject({
      code: 'CAPACITY_BELOW_REGISTERED',
      details: { registered: 3 },
    });
    expect(await service.update(toForm(event, { capacity: 3 }), createCall(admin))).toMatchObject({
      capacity: 3,
    });
    expect(await service.update(toForm(event, { capacity: null }), createCall(admin))).toMatchObject({
      capacity: null,
    });
  });

  it('writes the changed fields to the audit log', async () => {
    const event = await insertEvent(events.owner, { capacity: 5 });
    const changed = { title: 'Renamed', capacity: 6, price: '3', banner: picture('banner') };
    await service.update(toForm(event, changed), createCall(admin));
    const audited = await events.outbox(RecordAudit);
    expect(audited).toMatchObject([
      {
        action: 'event.updated',
        actorId: admin.sub,
        subjectId: event.id,
        subjectName: 'Renamed',
        changed: ['title', 'price', 'capacity', 'bannerImageUrl'],
      },
    ]);
    expect(audited[0]!.values).toEqual({
      title: { before: event.title, after: 'Renamed' },
      capacity: { before: '5', after: '6' },
    });
  });

  it('writes no audit entry or notification when nothing changed', async () => {
    const event = await insertEvent(events.owner, { price: '12.50' });
    await service.update(toForm(event, { price: '12.5' }), createCall(admin));
    expect(await events.outbox(RecordAudit)).toEqual([]);
    expect(await events.outbox(EventChanged)).toEqual([]);
  });

  it('keeps an omitted format, and audits a change of the format', async () => {
    const created = await service.create(form({ format: 'online' }), createCall(admin));
    expect(created.format).toBe('online');
    const edit = { ...form(), eventId: created.id };
    expect(await service.update({ ...edit, title: 'Renamed' }, createCall(admin))).toMatchObject({
      format: 'online',
    });
    expect(
      await service.update({ ...edit, title: 'Renamed', format: 'hybrid' }, createCall(admin)),
    ).toMatchObject({
      format: 'hybrid',
    });
    const changes = (await events.outbox(RecordAudit)).map(({ changed }) => changed);
    expect(changes).toEqual([[], ['title'], ['format']]);
  });

  it('keeps the all-day setting when it is omitted', async () => {
    const event = await insertEvent(events.owner, { isAllDay: true });
    expect(await service.update(toForm(event, { title: 'Renamed' }), createCall(admin))).toMatchObject({
      isAllDay: true,
    });
    expect(await service.update(toForm(event, { isAllDay: false }), createCall(admin))).toMatchObject({
      isAllDay: false,
    });
  });

  it.each([['price'], ['capacity'], ['description'], ['location'], ['bannerImageUrl']])(
    'keeps %s if the edit omits it, and clears it on null',
    async (field) => {
      const full = await service.create(
        form({
          description: 'Bring a laptop',
          location: 'Town hall',
          format: 'hybrid',
          isAllDay: true,
          price: '10',
          capacity: 50,
          banner: picture('full'),
        }),
        createCall(admin),
      );
      const keep = { eventId: full.id, banner: { action: 'keep' } as const };
      const renamed = await service.update({ ...keep, title: 'Renamed' }, createCall(admin));
      expect(renamed).toEqual({ ...full, title: 'Renamed', updatedAt: expect.any(String), version: 2 });
      const cleared = field === 'bannerImageUrl' ? { banner: NONE } : { [field]: null };
      expect(await service.update({ ...keep, ...cleared }, createCall(admin))).toMatchObject({
        [field]: null,
      });
    },
  );

  describe('version check', () => {
    let grace: Identity;
    let event: EventRow;
    beforeEach(async () => {
      grace = await events.administrator();
      event = await insertEvent(events.owner, { capacity: 50, price: '10.00' });
    });
    const keep = { banner: { action: 'keep' } } as const;
    const change = (who: Identity, given: Partial<UpdateEventRequest>) =>
      service.update({ ...keep, eventId: event.id, ...given }, createCall(who));

    it('saves a change to the current version and raises the version by one', async () => {
      expect(await change(admin, { title: 'Renamed', version: 1 })).toMatchObject({ version: 2 });
      expect(await change(grace, { capacity: 60, version: 2 })).toMatchObject({ version: 3 });
    });

    it('rejects a change to an older version and reports who changed what and when', async () => {
      await change(grace, { location: 'Town hall', capacity: 60, version: 1 });
      const { updatedAt } = await change(admin, { price: '12', version: 2 });
      await expect(change(admin, { location: 'Library', version: 1 })).rejects.toMatchObject({
        code: 'EDIT_CONFLICT',
        details: {
          present: { version: 3 },
          edits: [
            { own: true, at: updatedAt, changed: ['price'] },
            { by: 'Grace Hopper', own: false, changed: ['location', 'capacity'] },
          ],
        },
      });
      const again = await change(admin, { location: 'Library', version: 3 });
      expect(again).toMatchObject({ location: 'Library', capacity: 60, price: '12.00', version: 4 });
    });

    const OTHER: Record<keyof EventValues, Partial<UpdateEventRequest>> = {
      title: { title: 'Renamed' },
      description: { description: 'Bring a laptop' },
      descriptionFormat: { descriptionFormat: 'markdown' },
      startDate: { startDate: daysFromNow(0.5).toISOString() },
      endDate: { endDate: daysFromNow(90).toISOString() },
      location: { location: 'Town hall' },
      format: { format: 'online' },
      price: { price: '11' },
      paymentNote: { paymentNote: 'Card at the door' },
      capacity: { capacity: 51 },
      isAllDay: { isAllDay: true },
      timeZone: { timeZone: 'America/New_York' },
      bannerHash: { banner: picture('versioned') },
      coverPattern: { coverPattern: 8 },
      coverSquare: { coverSquare: { x: 0, y: 0.25, zoom: 1 } },
      coverWide: { coverWide: { x: 1, y: 0.75, zoom: 2.5 } },
      waitlistEnabled: { waitlistEnabled: true },
      visibility: { visibility: 'unlisted' },
      publishAt: { publishAt: daysFromNow(0.5).toISOString() },
      registrationOpensAt: { registrationOpensAt: daysFromNow(-1).toISOString() },
      registrationClosesAt: { registrationClosesAt: daysFromNow(0.5).toISOString() },
    };
    it.each(Object.entries(OTHER))(
      'raises the version when %s changes, and keeps that value in later edits',
      async (field, other) => {
        if (field === 'publishAt')
          event = await insertEvent(events.owner, { capacity: 50, price: '10.00', status: 'draft' });
        if (field === 'coverSquare' || field === 'coverWide')
          event = {
            ...event,
            id: (await service.create(form({ banner: picture('cut') }), createCall(admin))).id,
          };
        const changed = await change(grace, other);
        expect(changed.version).toBe(2);
        const name = field === 'bannerHash' ? 'bannerImageUrl' : (field as keyof typeof changed);
        await expect(change(admin, { title: 'Other', version: 1 })).rejects.toMatchObject({
          details: { edits: [{ by: 'Grace Hopper', changed: [name] }] },
        });
        const kept = await change(admin, field === 'title' ? { location: 'Hull' } : { title: 'Other' });
        expect(kept[name]).toEqual(changed[name]);
      },
    );

    it('overwrites earlier changes if the request has no version', async () => {
      await change(grace, { location: 'Town hall' });
      expect(await change(admin, { location: 'Library' })).toMatchObject({
        location: 'Library',
        version: 3,
      });
    });

    it('returns the same result for a repeated edit', async () => {
      const first = await change(admin, { title: 'Renamed', version: 1 });
      expect(await change(admin, { title: 'Renamed', version: 1 })).toEqual(first);
    });

    it('accepts only one of two simultaneous edits', async () => {
      const saves = [
        change(admin, { title: 'One', version: 1 }),
        change(grace, { title: 'Two', version: 1 }),
      ];
      expect(await outcomes(saves)).toEqual({ ok: 1, EDIT_CONFLICT: 1 });
    });

    it('keeps the version despite registrations, empty edits and a new owner', async () => {
      const [userId] = (await events.members(1)) as [string];
      await insertRegistration(events.owner, { eventId: event.id, userId });
      await change(admin, { capacity: 50 });
      await updateRow(events.owner, 'events.events', event.id, { createdById: grace.sub });
      expect(await change(admin, { title: 'Renamed', version: 1 })).toMatchObject({ version: 2 });
    });

    it('counts direct database changes as edits, and keeps the service from setting versions', async () => {
      await updateRow(events.owner, 'events.events', event.id, { title: 'By hand' });
      await expect(change(admin, { title: 'Renamed', version: 1 })).rejects.toMatchObject({
        details: { present: { version: 2 }, edits: [{ by: null, own: false, changed: ['title'] }] },
      });
      const asService = events.get(DataSource).query('UPDATE events.events SET version = 1');
      await expect(asService).rejects.toMatchObject({
        message: expect.stringContaining('permission denied'),
      });
    });

    it('names no editor in a conflict if the editor’s account was deleted', async () => {
      await change(grace, { title: 'Renamed', version: 1 });
      await events.owner.query('DELETE FROM auth.users WHERE id = $1', [grace.sub]);
      await expect(change(admin, { title: 'Again', version: 1 })).rejects.toMatchObject({
        details: { edits: [{ by: null, own: false, changed: ['title'] }] },
      });
    });
  });

  describe('notifying registered members', () => {
    it.each([
      [{ title: 'Renamed' }, ['title']],
      [{ location: 'Town hall' }, ['location']],
      [{ format: 'online' as const }, ['location']],
      [{ price: '5' }, ['price']],
      [{ startDate: daysFromNow(0.5).toISOString() }, ['time']],
      [{ isAllDay: true, title: 'Renamed', location: 'Town hall' }, ['title', 'location', 'time']],
    ])('notifies members of %j after a delay', async (change, changed) => {
      const event = await insertEvent(events.owner);
      await service.update(toForm(event, change), createCall(admin));
      const [notice] = await events.outbox(EventChanged);
      const inEntry = changed.some((part) => part !== 'price');
      expect(notice).toMatchObject({ eventId: event.id, sequence: Number(inEntry) });
      expect(notice?.changed.toSorted()).toEqual(changed.toSorted());
      expect(await fetchSequence(event.id)).toBe(Number(inEntry));
      const { rows } = await events.owner.query(
        "SELECT round(extract(epoch FROM available_at - created_at))::integer AS delay FROM events.outbox WHERE job LIKE 'mail%'",
      );
      expect(rows).toEqual([{ delay: events.config.eventChangedDelay }]);
    });

    it.each([{ capacity: 9 }, { banner: picture('other') }])('notifies nobody of %j', async (change) => {
      const event = await insertEvent(events.owner);
      await service.update(toForm(event, change), createCall(admin));
      expect(await events.outbox(EventChanged)).toEqual([]);
      expect(await fetchSequence(event.id)).toBe(0);
    });

    it('does not notify members of a new time zone, but updates calendar and audit log', async () => {
      const event = await insertEvent(events.owner);
      await service.update(toForm(event, { timeZone: 'America/New_York' }), createCall(admin));
      expect(await events.outbox(EventChanged)).toEqual([]);
      expect(await fetchSequence(event.id)).toBe(1);
      expect(await events.outbox(RecordAudit)).toMatchObject([
        { changed: ['timeZone'], values: { timeZone: { before: null, after: 'America/New_York' } } },
      ]);
      const other = await insertEvent(events.owner);
      await service.update(
        { ...toForm(other, { timeZone: 'America/New_York' }), notify: true },
        createCall(admin),
      );
      expect(await events.outbox(EventChanged)).toMatchObject([{ changed: ['details'] }]);
    });

    it('does not notify members of a new description, but changes the calendar entry', async () => {
      const event = await insertEvent(events.owner);
      await service.update(toForm(event, { description: 'New' }), createCall(admin));
      expect(await events.outbox(EventChanged)).toEqual([]);
      expect(await fetchSequence(event.id)).toBe(1);
    });

    it('notifies members only of net changes, but records every edited field', async () => {
      const event = await insertEvent(events.owner);
      await service.update(toForm(event, { location: 'Town hall', title: 'Renamed' }), createCall(admin));
      const [first] = await events.outbox(EventChanged);
      await service.update(toForm(event, { title: 'Renamed' }), createCall(admin));
      const [second] = await events.outbox(EventChanged);
      expect(second).toMatchObject({
        changed: ['title'],
        edited: ['location', 'title'],
        since: first?.since,
      });
      await service.update(toForm(event), createCall(admin));
      expect(await events.outbox(EventChanged)).toMatchObject([
        { changed: [], edited: ['location', 'title'], since: first?.since, sequence: 3 },
      ]);
    });

    it('adds a new change to a notice from the previous release', async () => {
      const event = await insertEvent(events.owner);
      await events.owner.query(
        'INSERT INTO events.outbox (id, job, payload) VALUES (gen_random_uuid(), $1, $2)',
        [EventChanged.name, { eventId: event.id, sequence: 1, changed: ['time'] }],
      );
      await service.update(toForm(event, { title: 'Renamed' }), createCall(admin));
      expect(await events.outbox(EventChanged)).toMatchObject([{ changed: ['time', 'title'] }]);
    });

    it('does not notify members if the organiser turns notification off', async () => {
      const event = await insertEvent(events.owner);
      const changes = { title: 'Renamed', location: 'Town hall', price: '9', note: 'Never mind' };
      await service.update(toForm(event, { ...changes, notify: false }), createCall(admin));
      expect(await events.outbox(EventChanged)).toEqual([]);
    });

    it('notifies members of any change, with a note, at the organiser’s request', async () => {
      const event = await insertEvent(events.owner);
      await service.update(
        toForm(event, { description: 'Bring a laptop', notify: true, note: 'Look!' }),
        createCall(admin),
      );
      expect(await events.outbox(EventChanged)).toMatchObject([{ changed: ['details'], notes: ['Look!'] }]);
      const other = await insertEvent(events.owner);
      const hidden = { visibility: 'unlisted', notify: true, note: 'We go quiet' } as const;
      await service.update(toForm(other, hidden), createCall(admin));
      await service.update(toForm(other, hidden), createCall(admin));
      expect((await events.outbox(EventChanged)).map(({ notes }) => notes)).toEqual([
        ['Look!'],
        ['We go quiet'],
      ]);
    });

    it('drops a note when there is no notification', async () => {
      const event = await insertEvent(events.owner);
      await service.update(toForm(event, { description: 'A typo less', note: 'Typo' }), createCall(admin));
      expect(await events.outbox(EventChanged)).toEqual([]);
    });

    it('keeps the original values and the notes of several edits', async () => {
      const event = await insertEvent(events.owner, { title: 'First', price: '10' });
      const edits = [
        { title: 'Second', price: '10', note: 'One' },
        { title: 'Third', price: '12', notify: false, note: 'Unsaid' },
        { title: 'Third', price: '12', location: 'Town hall', note: 'Two' },
      ];
      for (const edit of edits) await service.update(toForm(event, edit), createCall(admin));
      expect(await events.outbox(EventChanged)).toMatchObject([
        {
          changed: ['title', 'location'],
          before: { title: 'First', location: JSON.stringify(['in_person', null]) },
          notes: ['One', 'Two'],
        },
      ]);
    });

    it('omits a change that a silent edit has reverted', async () => {
      const event = await insertEvent(events.owner);
      await service.update(toForm(event, { location: 'Town hall' }), createCall(admin));
      await service.update(toForm(event, { notify: false }), createCall(admin));
      expect(await events.outbox(EventChanged)).toMatchObject([{ changed: [], edited: ['location'] }]);
    });

    it('does not notify members of a past event, but changes its calendar entry', async () => {
      const event = await insertEvent(events.owner, { startDate: daysFromNow(-2) });
      await service.update(toForm(event, { title: 'Renamed' }), createCall(admin));
      expect(await events.outbox(EventChanged)).toEqual([]);
      expect(await fetchSequence(event.id)).toBe(1);
    });

    it('notifies members of a change to a running event', async () => {
      const event = await insertEvent(events.owner, { startDate: daysFromNow(-1), endDate: daysFromNow(1) });
      await service.update(toForm(event, { location: 'Town hall' }), createCall(admin));
      expect(await events.outbox(EventChanged)).toMatchObject([{ changed: ['location'] }]);
    });

    it('notifies members once of several edits, and names all changes', async () => {
      const event = await insertEvent(events.owner);
      const other = await insertEvent(events.owner);
      await service.update(toForm(other, { title: 'Other' }), createCall(admin));
      await service.update(toForm(event, { title: 'Renamed' }), createCall(admin));
      await service.update(toForm(event, { title: 'Renamed', location: 'Town hall' }), createCall(admin));
      await service.update(toForm(event, { title: 'Again', location: 'Town hall' }), createCall(admin));
      expect(await events.outbox(EventChanged)).toMatchObject([
        { eventId: other.id, sequence: 1, changed: ['title'] },
        { eventId: event.id, sequence: 3, changed: ['title', 'location'] },
      ]);
    });
  });

  describe('banners', () => {
    it('gives identical banners the same URL and returns the same bytes', async () => {
      const one = await service.create(form({ banner: picture('same') }), createCall(admin));
      const two = await service.create(form({ banner: picture('same') }), createCall(admin));
      expect(one.bannerImageUrl).toMatch(/^\/media\/banners\/[0-9a-f]{64}\.webp$/);
      expect(two.bannerImageUrl).toBe(one.bannerImageUrl);
      const { hash } = picture('same').picture!;
      const { base64 } = await events.get(PictureStore).get(hash);
      expect(Buffer.from(base64, 'base64').toString()).toBe('same');
    });

    it('rejects a banner whose bytes do not match the hash', async () => {
      const banner = picture('one thing');
      banner.picture!.hash = picture('another').picture!.hash;
      await expect(service.create(form({ banner }), createCall(admin))).rejects.toMatchObject({
        code: 'PICTURE_BROKEN',
      });
    });

    it('keeps, copies or removes a banner on request', async () => {
      const { id, bannerImageUrl: url } = await service.create(
        form({ banner: picture('kept') }),
        createCall(admin),
      );
      const keep: PictureChange = { action: 'keep', url: url! };
      expect(
        await service.update({ ...form({ banner: keep }), eventId: id }, createCall(admin)),
      ).toMatchObject({
        bannerImageUrl: url,
      });
      expect(await service.create(form({ banner: keep }), createCall(admin))).toMatchObject({
        bannerImageUrl: url,
      });
      expect(await service.update({ ...form(), eventId: id }, createCall(admin))).toMatchObject({
        bannerImageUrl: null,
      });
    });

    it.each([
      `/media/banners/${'0'.repeat(64)}.webp`,
      `/media/avatars/${'0'.repeat(64)}.webp`,
      'https://elsewhere.example/a.webp',
      undefined,
    ])('rejects a request to keep a banner with an unknown URL (%s)', async (url) => {
      const refused = service.create(form({ banner: { action: 'keep', url } }), createCall(admin));
      await expect(refused).rejects.toMatchObject({ code: 'PICTURE_NOT_FOUND' });
    });

    it('rejects a request to keep the banner of another event', async () => {
      const other = await service.create(form({ banner: picture('other event') }), createCall(admin));
      const banner: PictureChange = { action: 'keep', url: other.bannerImageUrl! };
      const bare = await insertEvent(events.owner);
      const own = await service.create(form({ banner: picture('own') }), createCall(admin));
      for (const eventId of [bare.id, own.id])
        await expect(service.update({ eventId, banner }, createCall(admin))).rejects.toMatchObject({
          code: 'VALIDATION_FAILED',
          details: { fields: { bannerImageUrl: [expect.any(String)] } },
        });
    });

    describe('cover settings', () => {
      const coverSquare = { x: 0, y: 0.5, zoom: 2 };
      const coverWide = { x: 1, y: 0.5, zoom: 1 };
      const change = (eventId: string, given: Partial<UpdateEventRequest>) =>
        service.update({ eventId, banner: { action: 'keep' }, ...given }, createCall(admin));

      it('resets a crop when the cover image is replaced or removed', async () => {
        const crops = { coverSquare, coverWide };
        const { id, ...made } = await service.create(
          form({ banner: picture('a'), ...crops }),
          createCall(admin),
        );
        expect(made).toMatchObject(crops);
        const copy = form({ banner: { action: 'keep', url: made.bannerImageUrl! }, ...crops });
        expect(await service.create(copy, createCall(admin))).toMatchObject(crops);
        expect(await change(id, { banner: picture('b'), coverWide })).toMatchObject({
          coverSquare: null,
          coverWide,
        });
        expect(await change(id, { banner: NONE })).toMatchObject({ coverSquare: null, coverWide: null });
        await expect(change(id, { coverSquare })).rejects.toMatchObject({
          details: { fields: { coverSquare: [expect.any(String)] } },
        });
      });

      it('allows a cover pattern only without an image', async () => {
        const { id, version } = await service.create(form({ coverPattern: 3 }), createCall(admin));
        await expect(
          service.create(form({ banner: picture('a'), coverPattern: 3 }), createCall(admin)),
        ).rejects.toMatchObject({
          details: { fields: { coverPattern: [expect.any(String)] } },
        });
        const repeated = await change(id, { coverPattern: 3 });
        expect(repeated).toMatchObject({ coverPattern: 3, bannerImageUrl: null, version });
        expect(await change(id, { banner: picture('a') })).toMatchObject({ coverPattern: null });
        expect(await change(id, { banner: NONE, coverPattern: 4 })).toMatchObject({ coverPattern: 4 });
        const { hash } = picture('a').picture!;
        await updateRow(events.owner, 'events.events', id, { bannerHash: hash });
        expect(await change(id, { title: 'Renamed' })).toMatchObject({ coverPattern: null });
      });

      it('copies cover settings to a new series, and again with series edits', async () => {
        const { id } = await service.create(
          form({ banner: picture('series'), coverSquare }),
          createCall(admin),
        );
        const [later] = await service.makeSeries({ eventId: id, every: 'week', count: 2 }, createCall(admin));
        expect(later).toMatchObject({ coverSquare, coverWide: null });
        await change(id, { scope: 'later', coverWide });
        const present = () => events.get(EventsService).get({ eventId: later!.id }, createCall(admin));
        expect(await present()).toMatchObject({ coverSquare, coverWide });
        await change(id, { scope: 'later', banner: NONE, coverPattern: 5 });
        expect(await present()).toMatchObject({ bannerImageUrl: null, coverPattern: 5, coverWide: null });
      });
    });

    it('does not find a banner that was never stored', async () => {
      await expect(events.get(PictureStore).get('0'.repeat(64))).rejects.toMatchObject({
        code: 'PICTURE_NOT_FOUND',
      });
    });
  });
});

describe('deleting an event', () => {
  let service: EventEditingService;
  let admin: Identity;
  beforeAll(() => {
    service = events.get(EventEditingService);
  });
  beforeEach(async () => {
    await events.owner.query('DELETE FROM events.outbox');
    admin = await events.administrator();
  });

  const rows = async (table: string, column: string, id: string) =>
    (await events.owner.query(`SELECT * FROM events.${table} WHERE ${column} = $1`, [id])).rows;

  it('removes registrations, emails registered members and writes an audit entry', async () => {
    const event = await insertEvent(events.owner, { title: 'Harvest supper', location: 'Town hall' });
    const [one, two, gone] = (await events.members(3)) as [string, string, string];
    for (const userId of [one, two]) await insertRegistration(events.owner, { eventId: event.id, userId });
    await insertRegistration(events.owner, { eventId: event.id, userId: gone, status: 'cancelled' });
    await service.delete({ eventId: event.id }, createCall(admin));

    expect(await rows('events', 'id', event.id)).toEqual([]);
    expect(await rows('event_registrations', 'event_id', event.id)).toEqual([]);
    const mails = await events.outbox(EventCancelledMail);
    expect(mails.map((mail) => mail.userId).toSorted()).toEqual([one, two].toSorted());
    expect(mails[0]?.event).toEqual({
      id: event.id,
      slug: 'harvest-supper',
      title: event.title,
      location: 'Town hall',
      format: 'in_person',
      startDate: event.startDate.toISOString(),
      endDate: event.endDate.toISOString(),
      isAllDay: false,
      timeZone: null,
      sequence: 1,
    });
    expect(await events.outbox(RollUpActivity)).toHaveLength(1);
    expect(await events.outbox(RecordAudit)).toMatchObject([
      { action: 'event.deleted', actorId: admin.sub, subjectId: event.id, subjectName: event.title },
    ]);
    expect(await rows('deleted_events', 'id', event.id)).toMatchObject([{ sequence: 1, title: event.title }]);
  });

  it('emails people on the waiting list but keeps no calendar entry for them', async () => {
    const event = await insertEvent(events.owner, { capacity: 1 });
    const [has, waits] = (await events.members(2)) as [string, string];
    await insertRegistration(events.owner, { eventId: event.id, userId: has });
    await insertRegistration(events.owner, { eventId: event.id, userId: waits, status: 'waitlisted' });
    await service.delete({ eventId: event.id }, createCall(admin));
    const mails = await events.outbox(EventCancelledMail);
    expect(mails.map(({ userId, waiting = false }) => [userId, waiting]).toSorted()).toEqual(
      [
        [has, false],
        [waits, true],
      ].toSorted(),
    );
    expect(await rows('deleted_events', 'id', event.id)).toMatchObject([{ registered_user_ids: [has] }]);
  });

  it("withdraws each member's calendar entry with a higher sequence than before", async () => {
    const event = await insertEvent(events.owner);
    const [one, two] = (await events.members(2)) as [string, string];
    for (const userId of [one, two]) await insertRegistration(events.owner, { eventId: event.id, userId });
    await events.owner.query('UPDATE events.event_registrations SET entry_revision = 2 WHERE user_id = $1', [
      two,
    ]);
    await service.delete({ eventId: event.id }, createCall(admin));
    const mails = await events.outbox(EventCancelledMail);
    expect(Object.fromEntries(mails.map((mail) => [mail.userId, mail.event.sequence]))).toEqual({
      [one]: 1,
      [two]: 3,
    });
  });

  it('emails nobody when a past event is deleted', async () => {
    const event = await insertEvent(events.owner, { startDate: daysFromNow(-2) });
    const [userId] = (await events.members(1)) as [string];
    await insertRegistration(events.owner, { eventId: event.id, userId });
    await service.delete({ eventId: event.id }, createCall(admin));
    expect(await events.outbox(EventCancelledMail)).toEqual([]);
  });

  it('rejects an unknown or already deleted event', async () => {
    await expect(service.delete({ eventId: UNKNOWN }, createCall(admin))).rejects.toMatchObject({
      code: 'EVENT_NOT_FOUND',
    });
    const event = await insertEvent(events.owner);
    const twice = [
      service.delete({ eventId: event.id }, createCall(admin)),
      service.delete({ eventId: event.id }, createCall(admin)),
    ];
    expect(await outcomes(twice)).toEqual({ ok: 1, EVENT_NOT_FOUND: 1 });
    expect(await events.outbox(RecordAudit)).toHaveLength(1);
  });

  it('emails a deletion to exactly the members whose concurrent registration succeeded', async () => {
    const registrations = events.get(RegistrationsService);
    for (let round = 0; round < 5; round += 1) {
      await events.owner.query('DELETE FROM events.outbox');
      const { id: eventId } = await insertEvent(events.owner);
      const [comingBack, coming] = [await events.members(20), await events.members(20)];
      for (const userId of comingBack)
        await insertRegistration(events.owner, { eventId, userId, status: 'cancelled' });
      const placed: string[] = [];
      const register = async (userId: string) => {
        await persistently(() => registrations.register({ eventId }, createCall(userId)));
        placed.push(userId);
      };
      const work = [...comingBack, ...coming].map(register);
      const outcome = await outcomes([
        ...work,
        persistently(() => service.delete({ eventId }, createCall(admin))),
      ]);
      expect(Object.keys(outcome).filter((code) => code !== 'ok' && code !== 'EVENT_NOT_FOUND')).toEqual([]);
      const told = (await events.outbox(EventCancelledMail)).map((mail) => mail.userId);
      expect(told.toSorted()).toEqual(placed.toSorted());
      expect(await rows('event_registrations', 'event_id', eventId)).toEqual([]);
    }
  });
});

const fields = {
  ...{ title: 'Breakfast', startDate: '2032-03-18T18:30:00Z', endDate: '2032-03-18T20:00:00Z' },
  ...{ description: null, location: null, price: null, capacity: null, banner: { action: 'remove' } },
} as CreateEventRequest;

describe('managing an event', () => {
  let editing: EventEditingService;
  let service: EventsService;
  let organiser: Identity;
  let ada: Identity;
  beforeAll(() => {
    editing = events.get(EventEditingService);
    service = events.get(EventsService);
  });
  const person = async (isOrganiser: boolean): Promise<Identity> => {
    const { id: sub } = await insertUser(events.owner, { isOrganiser });
    return { sub, isAdmin: false, isOrganiser, epoch: 1 };
  };
  beforeEach(async () => {
    await events.empty();
    organiser = await person(true);
    ada = await person(false);
  });

  const create = (given: Partial<CreateEventRequest> = {}) =>
    editing.create({ ...fields, ...given } as CreateEventRequest, createCall(organiser));
  const change = (eventId: string, given: object, as = organiser) =>
    editing.update({ eventId, banner: { action: 'keep' }, ...given }, createCall(as));
  const agree = (eventId: string, agreed = true) =>
    service.answerRole({ eventId, role: 'host', agreed }, createCall(ada.sub));
  const asked = async () => (await events.outbox(NamedInEventMail)).map(({ userId }) => userId);
  const managed = async (who: Identity) =>
    (await service.list({ managedBy: 'me' }, createCall(who))).items.map(({ id }) => id);

  it('lets the organiser who created an event manage it, but no other organiser', async () => {
    const { id, mayManage } = await create({ status: 'draft' });
    expect(mayManage).toBe(true);
    expect(await service.get({ eventId: id }, createCall(organiser))).toMatchObject({ mayManage: true });
    expect(await managed(organiser)).toEqual([id]);
    const other = await person(true);
    await expect(service.get({ eventId: id }, createCall(other))).rejects.toMatchObject({
      code: 'EVENT_NOT_FOUND',
    });
    await expect(change(id, { title: 'Mine' }, other)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
    expect(await managed(other)).toEqual([]);
    await expect(editing.create(fields, createCall(ada))).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('ends the access of event creators who are no longer organisers', async () => {
    const { id } = await create({ hosts: [organiser.sub], coHosts: [organiser.sub] });
    await updateRow(events.owner, 'auth.users', organiser.sub, { isOrganiser: false });
    const demoted = { ...organiser, isOrganiser: false };
    for (const token of [organiser, demoted])
      await expect(change(id, { title: 'Mine' }, token)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await service.get({ eventId: id }, createCall(demoted))).toMatchObject({ mayManage: false });
    expect(await managed(demoted)).toEqual([]);
  });

  it('lets co-hosts manage an event from their agreement until their removal', async () => {
    const { id } = await create({ status: 'draft', hosts: [ada.sub], coHosts: [ada.sub] });
    expect(await asked()).toEqual([ada.sub]);
    await expect(service.get({ eventId: id }, createCall(ada))).rejects.toMatchObject({
      code: 'EVENT_NOT_FOUND',
    });
    expect(await service.roles({}, createCall(ada.sub))).toMatchObject([
      { eventId: id, coHost: 'asked', agreedAt: null },
    ]);
    expect(await agree(id)).toMatchObject({ coHost: 'agreed' });
    expect(await service.get({ eventId: id }, createCall(ada))).toMatchObject({
      mayManage: true,
      content: { hosts: [{ id: ada.sub, agreed: true, coHost: 'agreed' }] },
    });
    expect(await managed(ada)).toEqual([id]);
    expect(await change(id, { title: 'Lunch' }, ada)).toMatchObject({ title: 'Lunch', mayManage: true });
    await change(id, { hosts: [] });
    await expect(change(id, { title: 'Dinner' }, ada)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(service.get({ eventId: id }, createCall(ada))).rejects.toMatchObject({
      code: 'EVENT_NOT_FOUND',
    });
  });

  it('refuses management by hosts who only agreed to be shown', async () => {
    const { id } = await create({ hosts: [ada.sub] });
    expect(await agree(id)).not.toHaveProperty('coHost');
    await change(id, { coHosts: [ada.sub] });
    expect(await asked()).toEqual([ada.sub, ada.sub]);
    await expect(change(id, { title: 'Lunch' }, ada)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const { content } = await service.get({ eventId: id }, createCall(null));
    expect(content.hosts).toMatchObject([{ id: ada.sub, agreed: true }]);
    expect(content.hosts[0]).not.toHaveProperty('coHost');
    await agree(id);
    expect(await change(id, { title: 'Lunch' }, ada)).toMatchObject({ title: 'Lunch' });
    await change(id, { coHosts: [] });
    await expect(change(id, { title: 'Dinner' }, ada)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await service.get({ eventId: id }, createCall(null))).content.hosts).toHaveLength(1);
  });

  it('accepts only hosts of an event as its co-hosts', async () => {
    const refused = { code: 'VALIDATION_FAILED', details: { fields: { 'coHosts[0]': expect.any(Array) } } };
    await expect(create({ coHosts: [ada.sub] })).rejects.toMatchObject(refused);
    const { id } = await create();
    await expect(change(id, { coHosts: [ada.sub] })).rejects.toMatchObject(refused);
  });

  it('rejects a co-host’s series edit unless the co-host manages all later events', async () => {
    const { id } = await create({ hosts: [ada.sub], coHosts: [ada.sub] });
    await agree(id);
    await editing.makeSeries({ eventId: id, every: 'week', count: 3 }, createCall(organiser));
    const later = change(id, { title: 'Mine', scope: 'later' }, ada);
    await expect(later).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
    expect(await service.get({ eventId: id }, createCall(ada))).toMatchObject({ title: 'Breakfast' });
    expect(await change(id, { title: 'Lunch', scope: 'later' })).toMatchObject({ title: 'Lunch' });
  });
});
