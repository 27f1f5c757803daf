import { randomUUID } from 'node:crypto';
import {
  EventCancelledMail,
  type Guest,
  type Identity,
  PlaceRemovedMail,
  PromotedMail,
  RecordAudit,
  RegistrationConfirmedMail,
} from '@meetmark/contracts';
import { refuses } from '@meetmark/platform/testing/test-service';
import { outcomes } from '@meetmark/testing';
import { readPages } from '@meetmark/testing/read-pages';
import {
  daysFromNow,
  type EventRow,
  insertEvent,
  insertRegistration,
} from '@meetmark/testing/factories/events';
import { insertUser, updateRow } from '@meetmark/testing/factories/users';
import { EventEditingService } from '../events/core/event-editing.service.js';
import { EventLifeService } from '../events/core/event-life.service.js';
import { EventsService } from '../events/core/events.service.js';
import { RegistrationListsService } from '../registrations/registration-lists.service.js';
import { RegistrationsService } from '../registrations/registrations.service.js';
import { createCall, eventsForTests, inject, persistently, UNKNOWN } from '../testing/open-events.js';
import { GuestsService } from './guests.service.js';

describe('the guest list', () => {
  const events = eventsForTests();
  const guests = inject(events, GuestsService);
  const registrations = inject(events, RegistrationsService);
  let admin: Identity;
  let eventId: string;
  let email: string;
  const given = (event: Partial<EventRow> = {}) => insertEvent(events.owner, event);
  beforeEach(async () => {
    await events.empty();
    email = `grace-${randomUUID()}@example.org`;
    admin = await events.administrator();
    eventId = (await given()).id;
  });

  const add = (name: string, more: { email?: string; raiseCapacity?: boolean } = {}, at = eventId) =>
    persistently(() => guests.add({ eventId: at, name, ...more }, createCall(admin)));
  const list = async (filter: Omit<Parameters<GuestsService['list']>[0], 'eventId'> = {}, at = eventId) =>
    (await guests.list({ eventId: at, ...filter }, createCall(admin))).items;
  const names = (listed: Guest[]) => listed.map(({ name }) => name);
  const figures = () => events.counts(eventId);
  const member = (more: { email?: string; emailVerifiedAt?: Date | null } = {}) =>
    insertUser(events.owner, more);

  it('lists members and guests without an account, in order of registration', async () => {
    const ada = await member();
    await insertRegistration(events.owner, { eventId, userId: ada.id, registeredAt: daysFromNow(-1) });
    const grace = await add('Grace', { email });
    expect(grace).toMatchObject({ name: 'Grace', email, userId: null, state: 'registered', noShow: false });
    expect(await list()).toEqual([
      expect.objectContaining({ name: 'Ada Lovelace', email: ada.email, userId: ada.id }),
      grace,
    ]);
    expect(await figures()).toMatchObject({ registered: 2 });
  });

  it('finds guests by state, check-in, name and email address', async () => {
    const [ada, waits] = [await member({ email: 'ada@navy.example' }), await member()];
    await insertRegistration(events.owner, { eventId, userId: ada.id });
    const grace = await add('Grace 100%', { email });
    await updateRow(events.owner, 'events.events', eventId, { capacity: 2 });
    await insertRegistration(events.owner, { eventId, userId: waits.id, status: 'waitlisted' });
    await events.checkIn(grace.id);
    expect(names(await list({ state: 'waitlisted' }))).toHaveLength(1);
    expect(names(await list({ checkedIn: 'true' }))).toEqual(['Grace 100%']);
    expect(await list({ checkedIn: 'false', state: 'registered' })).toMatchObject([{ userId: ada.id }]);
    expect(await list({ q: 'NAVY' })).toMatchObject([{ userId: ada.id }]);
    expect(await list({ q: 'lovelace' })).toMatchObject([{ userId: ada.id }, { userId: waits.id }]);
    expect(await list({ q: 'lovelace', state: 'waitlisted' })).toMatchObject([{ userId: waits.id }]);
    for (const q of ['0%', 'GRACE-', 'grace 1']) expect(names(await list({ q }))).toEqual(['Grace 100%']);
    expect(await list({ q: '100_' })).toEqual([]);
  });

  it('finds guests regardless of accents', async () => {
    const zoe = await insertUser(events.owner, { firstName: 'Zoë', lastName: 'Müller' });
    await insertRegistration(events.owner, { eventId, userId: zoe.id });
    await add('Éric Łukasz');
    for (const q of ['zoe mull', 'MU\u0308LLER']) expect(names(await list({ q }))).toEqual(['Zoë Müller']);
    for (const q of ['eric l', 'ÉRIC', 'lukasz']) expect(names(await list({ q }))).toEqual(['Éric Łukasz']);
  });

  it('lists guests page by page, with the total of all matches', async () => {
    for (let n = 0; n < 5; n += 1) await add(`Guest ${n}`);
    const ask = (cursor?: string) =>
      guests.list({ eventId, limit: 2, q: 'guest', cursor }, createCall(admin));
    expect((await ask()).total).toBe(5);
    expect(names(await readPages(ask))).toEqual([0, 1, 2, 3, 4].map((n) => `Guest ${n}`));
  });

  describe('with 5,000 guests', () => {
    const [MEMBERS, OTHERS] = [1_000, 4_000];
    let long: string;
    /** Event with far fewer guests, but the same number of guests with rare names. */
    let short: string;
    beforeEach(async () => {
      [long, short] = [eventId, (await given()).id];
      const { rows } = await events.owner.query<{ id: string }>(
        `INSERT INTO auth.users (id, email, password_hash, first_name, last_name)
         SELECT gen_random_uuid(), gen_random_uuid() || '@example.com', '$argon2id$unusable',
           CASE WHEN n % 50 = 1 THEN 'Annabel' ELSE 'Bench' END, 'Member' FROM generate_series(1, $1::integer) AS n
         RETURNING id, first_name`,
        [MEMBERS],
      );
      await events.owner.query(
        `INSERT INTO events.event_registrations (id, event_id, user_id, registered_at)
         SELECT gen_random_uuid(), event, member.id, now() - random() * interval '30 days'
         FROM auth.users AS member, unnest($1::uuid[]) AS event
         WHERE member.id = ANY ($2) AND (event = $3 OR member.first_name = 'Annabel' OR member.id = ANY ($4))`,
        [[long, short], rows.map(({ id }) => id), long, rows.slice(0, 30).map(({ id }) => id)],
      );
      for (const [event, size] of [
        [long, OTHERS],
        [short, OTHERS / 100],
      ] as const)
        await events.owner.query(
          `INSERT INTO events.event_registrations (id, event_id, guest_name, guest_email, show_me, registered_at)
           SELECT gen_random_uuid(), $1, CASE WHEN n <= 20 THEN 'Theodora' ELSE 'Bench' END || ' Guest', 'g-' || n || '@example.com',
             'no', now() - random() * interval '30 days' FROM generate_series(1, $2::integer) AS n`,
          [event, size],
        );
      // skips VACUUM, so that searches also have to read pending index entries
      await events.owner.query('ANALYZE auth.users, events.event_registrations');
    });
    afterEach(async () => {
      await events.empty();
      await events.owner.query("DELETE FROM auth.users WHERE password_hash = '$argon2id$unusable'");
    });

    const readFor = (q: string, at: string) =>
      events.pagesRead(() => guests.list({ eventId: at, q, limit: 20 }, createCall(admin)));

    it('reads hardly more data to search 5,000 guests than a short list', async () => {
      const found: Record<string, number> = {};
      const ratios: Record<string, number> = {};
      for (const q of ['ann', 'theodora', 'zzz', 'bench', 'guest']) {
        const [[ofLong, { total }], [ofShort]] = [await readFor(q, long), await readFor(q, short)];
        [found[q], ratios[q]] = [total, ofLong / ofShort];
      }
      expect(found).toEqual({ ann: 20, theodora: 20, zzz: 0, bench: 4_960, guest: 4_000 });
      expect(Math.max(...Object.values(ratios))).toBeLessThanOrEqual(1.3);
    }, 60_000);
  });

  it('finds each of 600 guests with the same name once, page by page', async () => {
    await events.owner.query(
      `INSERT INTO events.event_registrations (id, event_id, guest_name, show_me)
       SELECT gen_random_uuid(), $1, 'Bench Guest', 'no' FROM generate_series(1, 600)`,
      [eventId],
    );
    const ada = await member();
    await insertRegistration(events.owner, { eventId, userId: ada.id });
    const ask = { eventId, q: 'GUEST', state: 'registered', checkedIn: 'false', limit: 250 } as const;
    expect(await guests.list(ask, createCall(admin))).toMatchObject({ total: 600 });
    const found = await readPages((cursor) => guests.list({ ...ask, cursor }, createCall(admin)));
    expect([found.length, new Set(found.map(({ id }) => id)).size]).toEqual([600, 600]);
    expect(await list({ q: 'guest', checkedIn: 'true' })).toEqual([]);
  });

  it('hides guests without an account from other lists and the event page', async () => {
    await add('Grace', { email });
    const lists = events.get(RegistrationListsService);
    expect(await lists.attendees({ eventId }, createCall(null))).toMatchObject({ items: [], total: 1 });
    expect(await lists.list({ eventId }, createCall(admin))).toMatchObject({ items: [], total: 0 });
    const page = await events.get(EventsService).get({ eventId }, createCall(null));
    expect(page.registrationCount).toBe(1);
    expect(JSON.stringify(page)).not.toContain('Grace');
  });

  it('rejects callers who do not manage the event, and unknown events', async () => {
    const [stranger = ''] = await events.members(1);
    const calls = (at: string, caller: Identity | string): Promise<unknown>[] => [
      guests.list({ eventId: at }, createCall(caller)),
      guests.add({ eventId: at, name: 'Grace' }, createCall(caller)),
    ];
    expect(await outcomes(calls(eventId, stranger))).toEqual({ FORBIDDEN: 2 });
    expect(await outcomes(calls(UNKNOWN, admin))).toEqual({ EVENT_NOT_FOUND: 2 });
  });

  it('emails added guests, and leaves their names out of the audit log', async () => {
    const { id } = await add('Grace', { email });
    await add('Nameless');
    expect(await events.outbox(RegistrationConfirmedMail)).toEqual([
      { registrationId: id, registeredAt: expect.any(String) },
    ]);
    const audit = await events.outbox(RecordAudit);
    expect(audit.map(({ action }) => action)).toEqual(['event.guestAdded', 'event.guestAdded']);
    expect(JSON.stringify(audit)).not.toMatch(/Grace|Nameless/);
  });

  it('accepts an email address once per event, and again after removing the guest', async () => {
    const ada = await member();
    await insertRegistration(events.owner, { eventId, userId: ada.id });
    const grace = await add('Grace', { email });
    for (const again of [email.toUpperCase(), ada.email])
      await refuses('GUEST_EXISTS', add('Again', { email: again }));
    await guests.remove({ eventId, ids: [grace.id] }, createCall(admin));
    const renewed = { id: grace.id, name: 'Grace H.', state: 'registered' };
    expect(await add('Grace H.', { email })).toMatchObject(renewed);
    expect(await figures()).toMatchObject({ registered: 2 });
  });

  it('accepts only one of twenty simultaneous additions of an email address', async () => {
    const added = await outcomes(Array.from({ length: 20 }, () => add('Grace', { email })));
    expect(added).toEqual({ ok: 1, GUEST_EXISTS: 19 });
    expect(await figures()).toMatchObject({ registered: 1 });
  });

  describe('of a full event', () => {
    beforeEach(async () => {
      eventId = (await given({ capacity: 1, waitlistEnabled: true })).id;
      await insertRegistration(events.owner, { eventId, userId: (await member()).id });
    });
    const waits = async () => {
      const { id } = await member();
      await registrations.register({ eventId, waitlist: true }, createCall(id));
      return id;
    };

    it('adds a guest to a full event only if the request raises the capacity', async () => {
      await waits();
      await waits();
      await expect(add('Grace')).rejects.toMatchObject({ code: 'EVENT_FULL', details: { waiting: 2 } });
      const { version } = await figures();
      await add('Grace', { raiseCapacity: true });
      expect(await figures()).toEqual({ capacity: 2, registered: 2, waiting: 2, version: version + 1 });
      const values = { capacity: { before: '1', after: '2' } };
      expect(await events.outbox(RecordAudit)).toMatchObject([
        { action: 'event.updated', changed: ['capacity'], values },
        { action: 'event.guestAdded' },
      ]);
      expect(await events.outbox(PromotedMail)).toEqual([]);
      expect(names(await list({ state: 'registered' }))).toContain('Grace');
    });

    it('gives the place of a removed guest to the waiting list', async () => {
      await waits();
      const { id } = await add('Grace', { raiseCapacity: true });
      await guests.remove({ eventId, ids: [id] }, createCall(admin));
      expect(await figures()).toMatchObject({ capacity: 2, registered: 2, waiting: 0 });
    });

    it('promotes a waiting member out of turn and notifies them', async () => {
      await waits();
      const userId = await waits();
      const waiting = (await list({ state: 'waitlisted' })).find((guest) => guest.userId === userId)!;
      const place = (raiseCapacity?: boolean) =>
        guests.place({ eventId, guestId: waiting.id, raiseCapacity }, createCall(admin));
      await refuses('EVENT_FULL', place());
      expect(await place(true)).toMatchObject({ id: waiting.id, state: 'registered' });
      expect(await figures()).toMatchObject({ capacity: 2, registered: 2, waiting: 1 });
      expect(await events.outbox(PromotedMail)).toMatchObject([{ registrationId: waiting.id }]);
      expect(await place()).toMatchObject({ state: 'registered' });
    });
  });

  it('never exceeds the capacity when guests are added while members register', async () => {
    eventId = (await given({ capacity: 10 })).id;
    const members = await events.members(20);
    await outcomes([
      ...members.map((id) => persistently(() => registrations.register({ eventId }, createCall(id)))),
      ...Array.from({ length: 20 }, (_, n) => add(`Guest ${n}`)),
    ]);
    expect(await figures()).toMatchObject({ capacity: 10, registered: 10 });
    expect(await list({ state: 'registered' })).toHaveLength(10);
  });

  it.each([
    ['draft', 'EVENT_NOT_PUBLISHED'],
    ['cancelled', 'EVENT_CANCELLED'],
  ] as const)('rejects an addition to a %s event', async (status, code) => {
    const event = await given({ status });
    await refuses(code, add('Grace', {}, event.id));
  });

  it('emails each removed guest once, with the reason', async () => {
    await events.register(eventId, await events.members(1));
    await add('Grace', { email });
    await add('Unknown');
    for (const { id } of await list())
      for (const reason of ['Only 3 chairs', 'again'])
        await guests.remove({ eventId, ids: [id], reason }, createCall(admin));
    expect(await list({ state: 'registered' })).toEqual([]);
    const removed = { reason: 'Only 3 chairs', waited: false };
    expect(await events.outbox(PlaceRemovedMail)).toMatchObject([removed, removed]);
    expect(await figures()).toMatchObject({ registered: 0 });
  });

  it('removes several guests together, and ignores guests who were already removed', async () => {
    await updateRow(events.owner, 'events.events', eventId, { capacity: 2, waitlistEnabled: true });
    const registered = await events.register(eventId, await events.members(1));
    const grace = await add('Grace');
    const waiting = await events.register(eventId, await events.members(1), 'waitlisted');
    await events.owner.query('DELETE FROM events.outbox');
    const ids = [grace.id, ...waiting, ...registered, UNKNOWN];
    for (let times = 0; times < 2; times += 1)
      await guests.remove({ eventId, ids, reason: 'Moved' }, createCall(admin));
    expect(await figures()).toMatchObject({ registered: 0, waiting: 0 });
    expect(await events.outbox(PlaceRemovedMail)).toHaveLength(2);
    expect(await events.outbox(RecordAudit)).toHaveLength(3);
    await refuses('GUEST_NOT_FOUND', guests.remove({ eventId, ids: [UNKNOWN] }, createCall(admin)));
  });

  it('removes people while they register again, without a deadlock', async () => {
    const members = await events.members(8);
    for (const userId of members) await registrations.register({ eventId }, createCall(userId));
    const ids = (await list()).map(({ id }) => id);
    const storm = await outcomes([
      ...[ids, ids.toReversed()].map((some) =>
        persistently(() => guests.remove({ eventId, ids: some }, createCall(admin))),
      ),
      ...members.map((userId) => persistently(() => registrations.register({ eventId }, createCall(userId)))),
    ]);
    expect(storm).toEqual({ ok: 10 });
    expect((await figures()).registered).toBe((await list({ state: 'registered' })).length);
  });

  it('marks and finds members with an unconfirmed email address', async () => {
    const [ada, uma] = [await member(), await member({ emailVerifiedAt: null })];
    for (const { id: userId } of [ada, uma]) await insertRegistration(events.owner, { eventId, userId });
    await add('Grace', { email });
    const found = async (filter: Parameters<typeof list>[0]) =>
      (await list(filter)).map(({ name, userId, unconfirmed }) => [userId ?? name, unconfirmed]);
    for (const q of [undefined, 'a']) {
      expect(await found({ q, unconfirmed: 'true' })).toEqual([[uma.id, true]]);
      expect(await found({ q, unconfirmed: 'false' })).toEqual([
        [ada.id, false],
        ['Grace', false],
      ]);
    }
  });

  it('does not mark a guest added by an organiser as unconfirmed', async () => {
    const taken = await member({ email });
    await add('Grace', { email });
    await registrations.register({ eventId }, createCall(taken.id));
    await updateRow(events.owner, 'auth.users', taken.id, { emailVerifiedAt: null });
    expect(await list()).toMatchObject([{ name: 'Grace', userId: null, unconfirmed: false }]);
    expect(await list({ unconfirmed: 'true' })).toEqual([]);
    expect(await list({ q: 'grace', unconfirmed: 'true' })).toEqual([]);
  });

  it('stores a note and the payment of a guest, and keeps omitted fields', async () => {
    const { id: guestId } = await add('Grace');
    const change = (fields: { note?: string | null; paid?: boolean }) =>
      guests.edit({ eventId, guestId, ...fields }, createCall(admin));
    const paid = await change({ note: 'Brings cake', paid: true });
    expect(paid).toMatchObject({ note: 'Brings cake', paidAt: expect.any(String) });
    expect(await change({ paid: true })).toEqual(paid);
    expect(await change({ note: null })).toEqual({ ...paid, note: null });
    expect(await change({ paid: false })).toMatchObject({ paidAt: null });
    const { id: elsewhere } = await given();
    const refused = [
      guests.edit({ eventId: elsewhere, guestId, paid: true }, createCall(admin)),
      guests.remove({ eventId: elsewhere, ids: [guestId] }, createCall(admin)),
    ];
    expect(await outcomes(refused as Promise<unknown>[])).toEqual({ GUEST_NOT_FOUND: 2 });
  });

  it('marks no-shows after the event if anyone was checked in', async () => {
    const grace = await add('Grace');
    const came = await add('Came');
    const gone = await add('Gone');
    await guests.remove({ eventId, ids: [gone.id] }, createCall(admin));
    await updateRow(events.owner, 'events.events', eventId, {
      startDate: daysFromNow(-2),
      endDate: daysFromNow(-1),
    });
    const noShows = async () => {
      const shown = new Map((await list()).map(({ id, noShow }) => [id, noShow]));
      return [grace, came, gone].map(({ id }) => shown.get(id));
    };
    expect(await noShows()).toEqual([false, false, false]);
    await events.checkIn(came.id);
    expect(await noShows()).toEqual([true, false, false]);
  });

  describe('when a member has the email address of an added guest', () => {
    const registersAs = async (more: Parameters<typeof member>[0] = {}) => {
      const user = await member({ email, ...more });
      return {
        ...user,
        register: () => persistently(() => registrations.register({ eventId }, createCall(user.id))),
      };
    };
    const one = async () => {
      const listed = await list();
      expect(listed).toHaveLength(1);
      return listed[0]!;
    };

    it('lets a member take over a guest’s registration, even at a full event', async () => {
      eventId = (await given({ capacity: 1 })).id;
      const added = await add('Grace', { email });
      const { id, register } = await registersAs();
      expect(await register()).toMatchObject({
        created: true,
        registration: { id: added.id, userId: id, status: 'registered', showMe: 'linkedin' },
      });
      expect(await one()).toEqual(added);
      expect(await list({ q: 'Lovelace' })).toEqual([]);
      const lists = events.get(RegistrationListsService);
      expect((await lists.list({ eventId }, createCall(admin))).items).toEqual([]);
      expect(await figures()).toMatchObject({ registered: 1, capacity: 1 });
      expect(await register()).toMatchObject({ created: false, registration: { id: added.id } });
    });

    it('lets a member take over a guest’s registration after registration has closed', async () => {
      await add('Grace', { email });
      await updateRow(events.owner, 'events.events', eventId, { registrationClosesAt: daysFromNow(-1) });
      const { register } = await registersAs();
      expect(await register()).toMatchObject({ registration: { status: 'registered' } });
    });

    it('raises the calendar revision when a member takes over a registration after cancelling', async () => {
      const { id: userId, register } = await registersAs();
      await register();
      await registrations.unregister({ eventId }, createCall(userId));
      const added = await add('Grace', { email });
      expect(await register()).toMatchObject({ registration: { id: added.id } });
      const revisions =
        'SELECT entry_revision AS revision FROM events.event_registrations WHERE event_id = $1';
      expect(await events.rows(revisions, eventId)).toEqual([{ revision: 2 }]);
    });

    it('hands over a guest’s registration only once under simultaneous calls', async () => {
      const added = await add('Grace', { email });
      const { register } = await registersAs();
      const answers = await Promise.all(Array.from({ length: 10 }, register));
      expect(new Set(answers.map(({ registration }) => registration.id))).toEqual(new Set([added.id]));
      expect(answers.filter(({ created }) => created)).toHaveLength(1);
      expect(await figures()).toMatchObject({ registered: 1 });
    });

    it('requires the guest’s verified email address to take over the registration', async () => {
      await add('Grace', { email });
      const { register } = await registersAs({ emailVerifiedAt: null });
      await register();
      const [other] = await events.members(1);
      await registrations.register({ eventId }, createCall(other!));
      expect(await list()).toHaveLength(3);
    });

    it('keeps a guest’s details after cancellation, but deletes them with the member’s account', async () => {
      const added = await add('Grace', { email });
      const { id, register } = await registersAs();
      await register();
      await registrations.unregister({ eventId }, createCall(id));
      expect(await one()).toEqual({ ...added, state: 'cancelled' });
      const placed = await guests.place({ eventId, guestId: added.id }, createCall(admin));
      expect(placed.state).toBe('registered');
      await events.deleteUser(id);
      expect(await list()).toEqual([]);
      expect(await figures()).toMatchObject({ registered: 0 });
    });
  });

  it('keeps past guests without a name once their account is closed or deleted', async () => {
    const past = await given({ startDate: daysFromNow(-2) });
    const ada = await member();
    const { id } = await insertRegistration(events.owner, {
      ...{ eventId: past.id, userId: ada.id, registeredAt: daysFromNow(-3), showMe: 'public' },
    });
    const guestList = async () => (await guests.list({ eventId: past.id }, createCall(admin))).items;
    await updateRow(events.owner, 'events.event_registrations', id, { note: `Call ${ada.firstName}` });
    await updateRow(events.owner, 'auth.users', ada.id, { closedAt: new Date() });
    const former = { id, name: '', email: null, userId: null, profileImageUrl: null, state: 'registered' };
    expect(await guestList()).toMatchObject([former]);
    await events.deleteUser(ada.id);
    expect(await guestList()).toMatchObject([{ ...former, note: null, answers: {} }]);
  });

  it.each(['cancelled', 'deleted'] as const)(
    'notifies guests with and without an account when the event is %s',
    async (how) => {
      const ada = await member();
      await insertRegistration(events.owner, { eventId, userId: ada.id });
      await add('Grace', { email });
      await add('Unknown');
      await (how === 'cancelled'
        ? events.get(EventLifeService).cancel({ eventId }, createCall(admin))
        : events.get(EventEditingService).delete({ eventId }, createCall(admin)));
      const told = (await events.outbox(EventCancelledMail)).map(({ userId, guest }) => userId ?? guest);
      expect(told).toHaveLength(2);
      expect(told).toEqual(expect.arrayContaining([ada.id, { name: 'Grace', email }]));
    },
  );

  it('runs extra statements for a registration only if a guest has an email address', async () => {
    const [one, two] = (await events.members(2)) as [string, string];
    const statements = (userId: string) =>
      events.statements(() => registrations.register({ eventId }, createCall(userId)));
    await add('Grace');
    expect(await statements(one)).toEqual([]);
    await add('Grace', { email });
    expect(await statements(two)).not.toEqual([]);
  });
});
