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
import { insertAdministrator, insertUser, updateRow } from '@meetmark/testing/factories/users';
import { PictureStore, StartedCall } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { eventsForTests, persistently } from '../testing/open-events.js';
import type { EventValues } from './event-changes.js';
import { EventEditingService } from './event-editing.service.js';
import { EventsService } from './events.service.js';
import { HandOverController } from './hand-over-of-1.0.0.js';
import { RegistrationsService } from '../registrations/registrations.service.js';

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

const formOf = (event: EventRow, given: Partial<UpdateEventRequest> = {}): UpdateEventRequest => ({
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
  const handOver = (fromUserId: string, toUserId: string) =>
    events
      .get(HandOverController)
      .handOver(
        { fromUserId, toUserId },
        new StartedCall({ identity: admin, requestId: 'test', timeLeft: 5_000 }),
      );

  it('makes one event of a request that comes again under its id, with one entry in the audit log', async () => {
    const request = form({ id: '01997000-0000-7000-8000-000000000001' });
    const first = await service.create(admin, request);
    expect(first.id).toBe(request.id);
    expect(await service.create(admin, request)).toEqual(first);
    expect(await events.outbox(RecordAudit)).toHaveLength(1);
    // nor does it show the event of somebody else
    const other = await events.administrator();
    await expect(service.create(other, request)).rejects.toMatchObject({ code: 'REQUEST_IN_PROGRESS' });
  });

  const sequenceOf = async (id: string) =>
    (await events.owner.query('SELECT sequence FROM events.events WHERE id = $1', [id])).rows[0].sequence;

  it('creates an event that belongs to the administrator and says so in the audit log', async () => {
    const created = await service.create(
      admin,
      form({ price: '12.5', capacity: 30, description: 'Two\nlines' }),
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

  it('may create what is past: communities record their history', async () => {
    const past = { startDate: '2019-01-01T10:00:00Z', endDate: '2019-01-01T11:00:00Z' };
    expect(await service.create(admin, form(past))).toMatchObject({
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
    expect(await service.create(admin, form({ price }))).toMatchObject({ price: stored });
  });

  it.each(['2031-05-01T17:00:00.000Z', '2031-05-01T16:59:59.999Z'])('refuses the end %s', async (endDate) => {
    await expect(service.create(admin, form({ endDate }))).rejects.toMatchObject({
      code: 'DATE_RANGE_INVALID',
    });
    const event = await insertEvent(events.owner);
    const refused = service.update(admin, formOf(event, { startDate: '2031-05-01T17:00:00.000Z', endDate }));
    await expect(refused).rejects.toMatchObject({ code: 'DATE_RANGE_INVALID' });
  });

  it('accepts an end one millisecond after the start', async () => {
    await service.create(admin, form({ endDate: '2031-05-01T17:00:00.001Z' }));
  });

  it.each([
    ['right', 'is_admin = false', 'FORBIDDEN'],
    ['sessions', 'session_epoch = 2', 'UNAUTHORIZED'],
  ])('is refused to an administrator whose %s ended since the token was signed', async (_, change, code) => {
    const event = await insertEvent(events.owner);
    const commands: (() => Promise<unknown>)[] = [
      () => service.create(admin, form()),
      () => service.update(admin, formOf(event, { title: 'Changed' })),
      () => service.delete(admin, event.id),
      () => handOver(event.createdById, admin.sub),
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

  it('knows no event that is not there', async () => {
    const refused = service.update(admin, { ...form(), eventId: UNKNOWN });
    await expect(refused).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });

  it('never sets the capacity below the number registered, and says that number', async () => {
    const event = await insertEvent(events.owner, { capacity: 10 });
    for (const userId of await events.members(3))
      await insertRegistration(events.owner, { eventId: event.id, userId });
    await expect(service.update(admin, formOf(event, { capacity: 2 }))).rejects.toMatchObject({
      code: 'CAPACITY_BELOW_REGISTERED',
      details: { registered: 3 },
    });
    expect(await service.update(admin, formOf(event, { capacity: 3 }))).toMatchObject({ capacity: 3 });
    expect(await service.update(admin, formOf(event, { capacity: null }))).toMatchObject({
      capacity: null,
    });
  });

  it('writes which fields changed to the audit log', async () => {
    const event = await insertEvent(events.owner, { capacity: 5 });
    const changed = { title: 'Renamed', capacity: 6, price: '3', banner: picture('banner') };
    await service.update(admin, formOf(event, changed));
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
    // and nothing else of the event
    expect(audited[0]!.values).toEqual({
      title: { before: event.title, after: 'Renamed' },
      capacity: { before: '5', after: '6' },
    });
  });

  it('does nothing when nothing changed', async () => {
    const event = await insertEvent(events.owner, { price: '12.50' });
    await service.update(admin, formOf(event, { price: '12.5' }));
    expect(await events.outbox(RecordAudit)).toEqual([]);
    expect(await events.outbox(EventChanged)).toEqual([]);
  });

  it('takes a format, keeps it when the form does not say, and names it when it changes', async () => {
    const created = await service.create(admin, form({ format: 'online' }));
    expect(created.format).toBe('online');
    const edit = { ...form(), eventId: created.id };
    expect(await service.update(admin, { ...edit, title: 'Renamed' })).toMatchObject({ format: 'online' });
    expect(await service.update(admin, { ...edit, title: 'Renamed', format: 'hybrid' })).toMatchObject({
      format: 'hybrid',
    });
    const changes = (await events.outbox(RecordAudit)).map(({ changed }) => changed);
    expect(changes).toEqual([[], ['title'], ['format']]);
  });

  it('keeps whether it takes all day when the form does not say', async () => {
    const event = await insertEvent(events.owner, { isAllDay: true });
    expect(await service.update(admin, formOf(event, { title: 'Renamed' }))).toMatchObject({
      isAllDay: true,
    });
    expect(await service.update(admin, formOf(event, { isAllDay: false }))).toMatchObject({
      isAllDay: false,
    });
  });

  it.each([['price'], ['capacity'], ['description'], ['location'], ['bannerImageUrl']])(
    'keeps %s and all the rest when only the title is sent, and clears it when it is null',
    async (field) => {
      const full = await service.create(
        admin,
        form({
          description: 'Bring a laptop',
          location: 'Town hall',
          format: 'hybrid',
          isAllDay: true,
          price: '10',
          capacity: 50,
          banner: picture('full'),
        }),
      );
      const keep = { eventId: full.id, banner: { action: 'keep' } as const };
      const renamed = await service.update(admin, { ...keep, title: 'Renamed' });
      expect(renamed).toEqual({ ...full, title: 'Renamed', updatedAt: expect.any(String), version: 2 });
      const cleared = field === 'bannerImageUrl' ? { banner: NONE } : { [field]: null };
      expect(await service.update(admin, { ...keep, ...cleared })).toMatchObject({ [field]: null });
    },
  );

  describe('from a version', () => {
    let grace: Identity;
    let event: EventRow;
    beforeEach(async () => {
      grace = await events.administrator();
      event = await insertEvent(events.owner, { capacity: 50, price: '10.00' });
    });
    const keep = { banner: { action: 'keep' } } as const;
    const change = (who: Identity, given: Partial<UpdateEventRequest>) =>
      service.update(who, { ...keep, eventId: event.id, ...given });

    it('that is the present one is saved and raises it by one', async () => {
      expect(await change(admin, { title: 'Renamed', version: 1 })).toMatchObject({ version: 2 });
      expect(await change(grace, { capacity: 60, version: 2 })).toMatchObject({ version: 3 });
    });

    it('that is older is refused, with who changed what and when, and changes nothing', async () => {
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

    /** A change of each field that an administrator writes. */
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
      waitlistEnabled: { waitlistEnabled: false },
      visibility: { visibility: 'unlisted' },
      publishAt: { publishAt: daysFromNow(0.5).toISOString() },
      registrationOpensAt: { registrationOpensAt: daysFromNow(-1).toISOString() },
      registrationClosesAt: { registrationClosesAt: daysFromNow(0.5).toISOString() },
    };
    it.each(Object.entries(OTHER))(
      'is raised by a change of %s, which is remembered, and kept by an edit that leaves it out',
      async (field, other) => {
        if (field === 'publishAt')
          event = await insertEvent(events.owner, { capacity: 50, price: '10.00', status: 'draft' });
        // parts are of a picture
        if (field === 'coverSquare' || field === 'coverWide')
          event = { ...event, id: (await service.create(admin, form({ banner: picture('cut') }))).id };
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

    it('that is not said is saved: the last one wins', async () => {
      await change(grace, { location: 'Town hall' });
      expect(await change(admin, { location: 'Library' })).toMatchObject({
        location: 'Library',
        version: 3,
      });
    });

    it('is repeated without harm when its answer was lost', async () => {
      const first = await change(admin, { title: 'Renamed', version: 1 });
      expect(await change(admin, { title: 'Renamed', version: 1 })).toEqual(first);
    });

    it('lets one of two saves at the same moment through', async () => {
      const saves = [
        change(admin, { title: 'One', version: 1 }),
        change(grace, { title: 'Two', version: 1 }),
      ];
      expect(await outcomes(saves)).toEqual({ ok: 1, EDIT_CONFLICT: 1 });
    });

    it('is not moved by registrations, by nothing, nor by another owner', async () => {
      const [userId] = (await events.members(1)) as [string];
      await insertRegistration(events.owner, { eventId: event.id, userId });
      await change(admin, { capacity: 50 });
      await handOver(event.createdById, grace.sub);
      expect(await change(admin, { title: 'Renamed', version: 1 })).toMatchObject({ version: 2 });
    });

    it('is raised by whatever writes the row, and never by the service itself', async () => {
      await updateRow(events.owner, 'events.events', event.id, { title: 'By hand' });
      await expect(change(admin, { title: 'Renamed', version: 1 })).rejects.toMatchObject({
        details: { present: { version: 2 }, edits: [{ by: null, own: false, changed: ['title'] }] },
      });
      const asService = events.get(DataSource).query('UPDATE events.events SET version = 1');
      await expect(asService).rejects.toMatchObject({
        message: expect.stringContaining('permission denied'),
      });
    });

    it('names no account that is gone', async () => {
      await change(grace, { title: 'Renamed', version: 1 });
      await events.owner.query('DELETE FROM auth.users WHERE id = $1', [grace.sub]);
      await expect(change(admin, { title: 'Again', version: 1 })).rejects.toMatchObject({
        details: { edits: [{ by: null, own: false, changed: ['title'] }] },
      });
    });
  });

  describe('telling those who are registered', () => {
    it.each([
      [{ title: 'Renamed' }, ['title']],
      [{ location: 'Town hall' }, ['location']],
      [{ format: 'online' as const }, ['location']],
      [{ price: '5' }, ['price']],
      [{ startDate: daysFromNow(0.5).toISOString() }, ['time']],
      [{ isAllDay: true, title: 'Renamed', location: 'Town hall' }, ['title', 'location', 'time']],
    ])('happens for %j, a while later', async (change, changed) => {
      const event = await insertEvent(events.owner);
      await service.update(admin, formOf(event, change));
      const [notice] = await events.outbox(EventChanged);
      const inEntry = changed.some((part) => part !== 'price');
      expect(notice).toMatchObject({ eventId: event.id, sequence: Number(inEntry) });
      expect(notice?.changed.toSorted()).toEqual(changed.toSorted());
      expect(await sequenceOf(event.id)).toBe(Number(inEntry));
      const { rows } = await events.owner.query(
        "SELECT round(extract(epoch FROM available_at - created_at))::integer AS delay FROM events.outbox WHERE job LIKE 'mail%'",
      );
      expect(rows).toEqual([{ delay: events.config.eventChangedDelay }]);
    });

    it.each([{ capacity: 9 }, { banner: picture('other') }])('does not happen for %j', async (change) => {
      const event = await insertEvent(events.owner);
      await service.update(admin, formOf(event, change));
      expect(await events.outbox(EventChanged)).toEqual([]);
      expect(await sequenceOf(event.id)).toBe(0);
    });

    it('does not happen for another time zone of the same moments, which the calendar entry and the audit log show', async () => {
      const event = await insertEvent(events.owner);
      await service.update(admin, formOf(event, { timeZone: 'America/New_York' }));
      expect(await events.outbox(EventChanged)).toEqual([]);
      expect(await sequenceOf(event.id)).toBe(1);
      expect(await events.outbox(RecordAudit)).toMatchObject([
        { changed: ['timeZone'], values: { timeZone: { before: null, after: 'America/New_York' } } },
      ]);
      const other = await insertEvent(events.owner);
      await service.update(admin, { ...formOf(other, { timeZone: 'America/New_York' }), notify: true });
      expect(await events.outbox(EventChanged)).toMatchObject([{ changed: ['details'] }]);
    });

    it('does not happen for a description, which the calendar entry shows all the same', async () => {
      const event = await insertEvent(events.owner);
      await service.update(admin, formOf(event, { description: 'New' }));
      expect(await events.outbox(EventChanged)).toEqual([]);
      expect(await sequenceOf(event.id)).toBe(1);
    });

    it('says nothing of edits that cancel each other out, but to those who registered in between', async () => {
      const event = await insertEvent(events.owner);
      await service.update(admin, formOf(event, { location: 'Town hall', title: 'Renamed' }));
      const [first] = await events.outbox(EventChanged);
      await service.update(admin, formOf(event, { title: 'Renamed' }));
      const [second] = await events.outbox(EventChanged);
      expect(second).toMatchObject({
        changed: ['title'],
        edited: ['location', 'title'],
        since: first?.since,
      });
      await service.update(admin, formOf(event));
      expect(await events.outbox(EventChanged)).toMatchObject([
        { changed: [], edited: ['location', 'title'], since: first?.since, sequence: 3 },
      ]);
    });

    it('names all that a notice of the version before this one named', async () => {
      const event = await insertEvent(events.owner);
      await events.owner.query(
        'INSERT INTO events.outbox (id, job, payload) VALUES (gen_random_uuid(), $1, $2)',
        [EventChanged.name, { eventId: event.id, sequence: 1, changed: ['time'] }],
      );
      await service.update(admin, formOf(event, { title: 'Renamed' }));
      expect(await events.outbox(EventChanged)).toMatchObject([{ changed: ['time', 'title'] }]);
    });

    it('does not happen when the organiser says so, whatever changed', async () => {
      const event = await insertEvent(events.owner);
      const changes = { title: 'Renamed', location: 'Town hall', price: '9', note: 'Never mind' };
      await service.update(admin, formOf(event, { ...changes, notify: false }));
      expect(await events.outbox(EventChanged)).toEqual([]);
    });

    it('happens when the organiser says so, for any change, with a note', async () => {
      const event = await insertEvent(events.owner);
      await service.update(
        admin,
        formOf(event, { description: 'Bring a laptop', notify: true, note: 'Look!' }),
      );
      expect(await events.outbox(EventChanged)).toMatchObject([{ changed: ['details'], notes: ['Look!'] }]);
      const other = await insertEvent(events.owner);
      const hidden = { visibility: 'unlisted', notify: true, note: 'We go quiet' } as const;
      await service.update(admin, formOf(other, hidden));
      await service.update(admin, formOf(other, hidden)); // a repeated request tells nothing again
      expect((await events.outbox(EventChanged)).map(({ notes }) => notes)).toEqual([
        ['Look!'],
        ['We go quiet'],
      ]);
    });

    it('keeps a note to itself where nothing is told', async () => {
      const event = await insertEvent(events.owner);
      await service.update(admin, formOf(event, { description: 'A typo less', note: 'Typo' }));
      expect(await events.outbox(EventChanged)).toEqual([]);
    });

    it('remembers what an event was before the first of several edits, and every note', async () => {
      const event = await insertEvent(events.owner, { title: 'First', price: '10' });
      const edits = [
        { title: 'Second', price: '10', note: 'One' },
        { title: 'Third', price: '12', notify: false, note: 'Unsaid' },
        { title: 'Third', price: '12', location: 'Town hall', note: 'Two' },
      ];
      for (const edit of edits) await service.update(admin, formOf(event, edit));
      expect(await events.outbox(EventChanged)).toMatchObject([
        {
          changed: ['title', 'location'],
          before: { title: 'First', location: JSON.stringify(['in_person', null]) },
          notes: ['One', 'Two'],
        },
      ]);
    });

    it('says no more what an edit that tells nothing has taken back', async () => {
      const event = await insertEvent(events.owner);
      await service.update(admin, formOf(event, { location: 'Town hall' }));
      await service.update(admin, formOf(event, { notify: false }));
      expect(await events.outbox(EventChanged)).toMatchObject([{ changed: [], edited: ['location'] }]);
    });

    it('does not happen for what is past, though its calendar entry changes', async () => {
      const event = await insertEvent(events.owner, { startDate: daysFromNow(-2) });
      await service.update(admin, formOf(event, { title: 'Renamed' }));
      expect(await events.outbox(EventChanged)).toEqual([]);
      expect(await sequenceOf(event.id)).toBe(1);
    });

    it('happens once for several edits, and names all that they changed', async () => {
      const event = await insertEvent(events.owner);
      const other = await insertEvent(events.owner);
      await service.update(admin, formOf(other, { title: 'Other' }));
      await service.update(admin, formOf(event, { title: 'Renamed' }));
      await service.update(admin, formOf(event, { title: 'Renamed', location: 'Town hall' }));
      await service.update(admin, formOf(event, { title: 'Again', location: 'Town hall' }));
      expect(await events.outbox(EventChanged)).toMatchObject([
        { eventId: other.id, sequence: 1, changed: ['title'] },
        { eventId: event.id, sequence: 3, changed: ['title', 'location'] },
      ]);
    });
  });

  describe('banners', () => {
    it('are stored once and read back byte by byte', async () => {
      const one = await service.create(admin, form({ banner: picture('same') }));
      const two = await service.create(admin, form({ banner: picture('same') }));
      expect(one.bannerImageUrl).toMatch(/^\/media\/banners\/[0-9a-f]{64}\.webp$/);
      expect(two.bannerImageUrl).toBe(one.bannerImageUrl);
      const { hash } = picture('same').picture!;
      const { base64 } = await events.get(PictureStore).get(hash);
      expect(Buffer.from(base64, 'base64').toString()).toBe('same');
    });

    it('are refused when their bytes have another hash', async () => {
      const banner = picture('one thing');
      banner.picture!.hash = picture('another').picture!.hash;
      await expect(service.create(admin, form({ banner }))).rejects.toMatchObject({
        code: 'PICTURE_BROKEN',
      });
    });

    it('stay, are taken over by a copy of the event, or go', async () => {
      const { id, bannerImageUrl: url } = await service.create(admin, form({ banner: picture('kept') }));
      const keep: PictureChange = { action: 'keep', url: url! };
      expect(await service.update(admin, { ...form({ banner: keep }), eventId: id })).toMatchObject({
        bannerImageUrl: url,
      });
      expect(await service.create(admin, form({ banner: keep }))).toMatchObject({ bannerImageUrl: url });
      expect(await service.update(admin, { ...form(), eventId: id })).toMatchObject({
        bannerImageUrl: null,
      });
    });

    it.each([
      `/media/banners/${'0'.repeat(64)}.webp`,
      `/media/avatars/${'0'.repeat(64)}.webp`,
      'https://elsewhere.example/a.webp',
      undefined,
    ])('that are to be kept but are not ours are refused (%s)', async (url) => {
      const refused = service.create(admin, form({ banner: { action: 'keep', url } }));
      await expect(refused).rejects.toMatchObject({ code: 'PICTURE_NOT_FOUND' });
    });

    it('of another event are refused where an event keeps its own', async () => {
      const other = await service.create(admin, form({ banner: picture('other event') }));
      const banner: PictureChange = { action: 'keep', url: other.bannerImageUrl! };
      const bare = await insertEvent(events.owner);
      const own = await service.create(admin, form({ banner: picture('own') }));
      for (const eventId of [bare.id, own.id])
        await expect(service.update(admin, { eventId, banner })).rejects.toMatchObject({
          code: 'VALIDATION_FAILED',
          details: { fields: { bannerImageUrl: [expect.any(String)] } },
        });
    });

    describe('and what is shown of them', () => {
      const coverSquare = { x: 0, y: 0.5, zoom: 2 };
      const coverWide = { x: 1, y: 0.5, zoom: 1 };
      const change = (eventId: string, given: Partial<UpdateEventRequest>) =>
        service.update(admin, { eventId, banner: { action: 'keep' }, ...given });

      it('is the middle of another picture, until it is moved there, and goes with the picture', async () => {
        const crops = { coverSquare, coverWide };
        const { id, ...made } = await service.create(admin, form({ banner: picture('a'), ...crops }));
        expect(made).toMatchObject(crops);
        const copy = form({ banner: { action: 'keep', url: made.bannerImageUrl! }, ...crops });
        expect(await service.create(admin, copy)).toMatchObject(crops);
        expect(await change(id, { banner: picture('b'), coverWide })).toMatchObject({
          coverSquare: null,
          coverWide,
        });
        expect(await change(id, { banner: NONE })).toMatchObject({ coverSquare: null, coverWide: null });
        await expect(change(id, { coverSquare })).rejects.toMatchObject({
          details: { fields: { coverSquare: [expect.any(String)] } },
        });
      });

      it('is a pattern only where there is no picture, whatever the version before stored', async () => {
        const { id, version } = await service.create(admin, form({ coverPattern: 3 }));
        await expect(
          service.create(admin, form({ banner: picture('a'), coverPattern: 3 })),
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

      it('is the same at every event of a series, from the beginning and after a change', async () => {
        const { id } = await service.create(admin, form({ banner: picture('series'), coverSquare }));
        const [later] = await service.makeSeries(admin, { eventId: id, every: 'week', count: 2 });
        expect(later).toMatchObject({ coverSquare, coverWide: null });
        await change(id, { scope: 'later', coverWide });
        const present = () => events.get(EventsService).get(later!.id, admin);
        expect(await present()).toMatchObject({ coverSquare, coverWide });
        await change(id, { scope: 'later', banner: NONE, coverPattern: 5 });
        expect(await present()).toMatchObject({ bannerImageUrl: null, coverPattern: 5, coverWide: null });
      });
    });

    it('that do not exist are refused', async () => {
      await expect(events.get(PictureStore).get('0'.repeat(64))).rejects.toMatchObject({
        code: 'PICTURE_NOT_FOUND',
      });
    });
  });

  it('hands every event of a user over to another, for admin of 1.0.0', async () => {
    const leaving = (await insertAdministrator(events.owner)).id;
    const theirs = [await insertEvent(events.owner, { createdById: leaving })];
    theirs.push(await insertEvent(events.owner, { createdById: leaving }));
    await insertEvent(events.owner); // somebody else’s
    await handOver(leaving, admin.sub);
    await events.owner.query('DELETE FROM auth.users WHERE id = $1', [leaving]);
    const { rows } = await events.owner.query('SELECT id FROM events.events WHERE created_by_id = $1', [
      admin.sub,
    ]);
    expect(rows.map((row) => row.id).toSorted()).toEqual(theirs.map((event) => event.id).toSorted());
    await expect(handOver(admin.sub, UNKNOWN)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
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

  it('removes its registrations, tells everybody who had a place, and is written to the audit log', async () => {
    const event = await insertEvent(events.owner, { title: 'Harvest supper', location: 'Town hall' });
    const [one, two, gone] = (await events.members(3)) as [string, string, string];
    for (const userId of [one, two]) await insertRegistration(events.owner, { eventId: event.id, userId });
    await insertRegistration(events.owner, { eventId: event.id, userId: gone, status: 'cancelled' });
    await service.delete(admin, event.id);

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

  it('tells those who waited, too, and keeps no calendar entry for them', async () => {
    const event = await insertEvent(events.owner, { capacity: 1 });
    const [has, waits] = (await events.members(2)) as [string, string];
    await insertRegistration(events.owner, { eventId: event.id, userId: has });
    await insertRegistration(events.owner, { eventId: event.id, userId: waits, status: 'waitlisted' });
    await service.delete(admin, event.id);
    const mails = await events.outbox(EventCancelledMail);
    expect(mails.map(({ userId, waiting = false }) => [userId, waiting]).toSorted()).toEqual(
      [
        [has, false],
        [waits, true],
      ].toSorted(),
    );
    expect(await rows('deleted_events', 'id', event.id)).toMatchObject([{ registered_user_ids: [has] }]);
  });

  it('withdraws the entry of each member under a number above all that this member was sent', async () => {
    const event = await insertEvent(events.owner);
    const [one, two] = (await events.members(2)) as [string, string];
    for (const userId of [one, two]) await insertRegistration(events.owner, { eventId: event.id, userId });
    await events.owner.query('UPDATE events.event_registrations SET entry_revision = 2 WHERE user_id = $1', [
      two,
    ]);
    await service.delete(admin, event.id);
    const mails = await events.outbox(EventCancelledMail);
    expect(Object.fromEntries(mails.map((mail) => [mail.userId, mail.event.sequence]))).toEqual({
      [one]: 1,
      [two]: 3,
    });
  });

  it('tells nobody of an event that is over', async () => {
    const event = await insertEvent(events.owner, { startDate: daysFromNow(-2) });
    const [userId] = (await events.members(1)) as [string];
    await insertRegistration(events.owner, { eventId: event.id, userId });
    await service.delete(admin, event.id);
    expect(await events.outbox(EventCancelledMail)).toEqual([]);
  });

  it('knows no event that is not there, or not any more', async () => {
    await expect(service.delete(admin, UNKNOWN)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
    const event = await insertEvent(events.owner);
    const twice = [service.delete(admin, event.id), service.delete(admin, event.id)];
    expect(await outcomes(twice)).toEqual({ ok: 1, EVENT_NOT_FOUND: 1 });
    expect(await events.outbox(RecordAudit)).toHaveLength(1);
  });

  it('tells exactly those whose registration was answered, while members come and go', async () => {
    const registrations = events.get(RegistrationsService);
    for (let round = 0; round < 5; round += 1) {
      await events.owner.query('DELETE FROM events.outbox');
      const { id: eventId } = await insertEvent(events.owner);
      const [comingBack, coming] = [await events.members(20), await events.members(20)];
      for (const userId of comingBack)
        await insertRegistration(events.owner, { eventId, userId, status: 'cancelled' });
      const placed: string[] = [];
      const register = async (userId: string) => {
        await persistently(() => registrations.register(userId, { eventId }));
        placed.push(userId);
      };
      const work = [...comingBack, ...coming].map(register);
      const outcome = await outcomes([...work, persistently(() => service.delete(admin, eventId))]);
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

describe('those who manage an event', () => {
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
    editing.create(organiser, { ...fields, ...given } as CreateEventRequest);
  const change = (eventId: string, given: object, as = organiser) =>
    editing.update(as, { eventId, banner: { action: 'keep' }, ...given });
  const agree = (eventId: string, agreed = true) =>
    service.answerRole(ada.sub, { eventId, role: 'host', agreed });
  const asked = async () => (await events.outbox(NamedInEventMail)).map(({ userId }) => userId);
  const managed = async (who: Identity) =>
    (await service.list({ managedBy: 'me' }, who)).items.map(({ id }) => id);

  it('are the organiser who created it, who alone of all organisers sees the draft', async () => {
    const { id, mayManage } = await create({ status: 'draft' });
    expect(mayManage).toBe(true);
    expect(await service.get(id, organiser)).toMatchObject({ mayManage: true });
    expect(await managed(organiser)).toEqual([id]);
    const other = await person(true);
    await expect(service.get(id, other)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
    await expect(change(id, { title: 'Mine' }, other)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
    expect(await managed(other)).toEqual([]);
    await expect(editing.create(ada, fields)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('are none any more once they are no organisers any more', async () => {
    const { id } = await create({ hosts: [organiser.sub], coHosts: [organiser.sub] });
    await updateRow(events.owner, 'auth.users', organiser.sub, { isOrganiser: false });
    const demoted = { ...organiser, isOrganiser: false };
    for (const token of [organiser, demoted])
      await expect(change(id, { title: 'Mine' }, token)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await service.get(id, demoted)).toMatchObject({ mayManage: false });
    expect(await managed(demoted)).toEqual([]);
  });

  it('are co-hosts as well, who are asked by mail, from when they agree until they are removed', async () => {
    const { id } = await create({ status: 'draft', hosts: [ada.sub], coHosts: [ada.sub] });
    expect(await asked()).toEqual([ada.sub]);
    await expect(service.get(id, ada)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
    expect(await service.roles(ada.sub)).toMatchObject([{ eventId: id, coHost: 'asked', agreedAt: null }]);
    expect(await agree(id)).toMatchObject({ coHost: 'agreed' });
    expect(await service.get(id, ada)).toMatchObject({
      mayManage: true,
      content: { hosts: [{ id: ada.sub, agreed: true, coHost: 'agreed' }] },
    });
    expect(await managed(ada)).toEqual([id]);
    expect(await change(id, { title: 'Lunch' }, ada)).toMatchObject({ title: 'Lunch', mayManage: true });
    await change(id, { hosts: [] });
    await expect(change(id, { title: 'Dinner' }, ada)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(service.get(id, ada)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });

  it('are not hosts who agreed to be shown before they were asked to manage', async () => {
    const { id } = await create({ hosts: [ada.sub] });
    expect(await agree(id)).not.toHaveProperty('coHost');
    await change(id, { coHosts: [ada.sub] });
    expect(await asked()).toEqual([ada.sub, ada.sub]);
    await expect(change(id, { title: 'Lunch' }, ada)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    // meanwhile they are shown, and nobody else learns what they are asked
    const { content } = await service.get(id, null);
    expect(content.hosts).toMatchObject([{ id: ada.sub, agreed: true }]);
    expect(content.hosts[0]).not.toHaveProperty('coHost');
    await agree(id);
    expect(await change(id, { title: 'Lunch' }, ada)).toMatchObject({ title: 'Lunch' });
    await change(id, { coHosts: [] });
    await expect(change(id, { title: 'Dinner' }, ada)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await service.get(id, null)).content.hosts).toHaveLength(1);
  });

  it('are those of the hosts alone', async () => {
    const refused = { code: 'VALIDATION_FAILED', details: { fields: { 'coHosts[0]': expect.any(Array) } } };
    await expect(create({ coHosts: [ada.sub] })).rejects.toMatchObject(refused);
    const { id } = await create();
    await expect(change(id, { coHosts: [ada.sub] })).rejects.toMatchObject(refused);
  });

  it('change no event of the series that they do not manage', async () => {
    const { id } = await create({ hosts: [ada.sub], coHosts: [ada.sub] });
    await agree(id);
    await editing.makeSeries(organiser, { eventId: id, every: 'week', count: 3 });
    const later = change(id, { title: 'Mine', scope: 'later' }, ada);
    await expect(later).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
    expect(await service.get(id, ada)).toMatchObject({ title: 'Breakfast' });
    expect(await change(id, { title: 'Lunch', scope: 'later' })).toMatchObject({ title: 'Lunch' });
  });
});
