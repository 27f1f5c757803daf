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
import { outcomes } from '@meetmark/testing';
import {
  daysFromNow,
  type EventRow,
  insertEvent,
  insertRegistration,
} from '@meetmark/testing/factories/events';
import { insertUser, updateRow } from '@meetmark/testing/factories/users';
import { DataSource } from 'typeorm';
import { EventEditingService } from '../events/event-editing.service.js';
import { EventLifeService } from '../events/event-life.service.js';
import { EventsService } from '../events/events.service.js';
import { RegistrationListsService } from '../registrations/registration-lists.service.js';
import { RegistrationsService } from '../registrations/registrations.service.js';
import { eventsForTests, persistently } from '../testing/open-events.js';
import { GuestsService } from './guests.service.js';

const UNKNOWN = '0197f000-0000-7000-8000-000000000000';

describe('the guest list', () => {
  const events = eventsForTests();
  let guests: GuestsService;
  let registrations: RegistrationsService;
  let admin: Identity;
  let eventId: string;
  /** Of nobody yet. */
  let email: string;
  const given = (event: Partial<EventRow> = {}) => insertEvent(events.owner, event);
  beforeAll(() => {
    guests = events.get(GuestsService);
    registrations = events.get(RegistrationsService);
  });
  beforeEach(async () => {
    await events.empty();
    email = `grace-${randomUUID()}@example.org`;
    admin = await events.administrator();
    eventId = (await given()).id;
  });

  const add = (name: string, more: { email?: string; raiseCapacity?: boolean } = {}, at = eventId) =>
    persistently(() => guests.add(admin, { eventId: at, name, ...more }));
  const list = async (filter: Omit<Parameters<GuestsService['list']>[1], 'eventId'> = {}, at = eventId) =>
    (await guests.list(admin, { eventId: at, ...filter })).items;
  const names = (listed: Guest[]) => listed.map(({ name }) => name);
  const figures = async (id = eventId) =>
    (
      await events.owner.query(
        'SELECT capacity, registration_count AS registered, waiting_count AS waiting, version FROM events.events WHERE id = $1',
        [id],
      )
    ).rows[0];
  const member = (more: { email?: string; emailVerifiedAt?: Date | null } = {}) =>
    insertUser(events.owner, more);

  it('has members and people without an account, in the order of arrival', async () => {
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

  it('is found by state, by who came, and by a part of name or address', async () => {
    const [ada, waits] = [await member({ email: 'ada@navy.example' }), await member()];
    await insertRegistration(events.owner, { eventId, userId: ada.id });
    const grace = await add('Grace 100%', { email });
    await updateRow(events.owner, 'events.events', eventId, { capacity: 2 });
    await insertRegistration(events.owner, { eventId, userId: waits.id, status: 'waitlisted' });
    await events.owner.query(
      `UPDATE events.event_registrations SET checked_in_at = now(), checked_in_by = 'door' WHERE id = $1`,
      [grace.id],
    );
    expect(names(await list({ state: 'waitlisted' }))).toHaveLength(1);
    expect(names(await list({ checkedIn: 'true' }))).toEqual(['Grace 100%']);
    expect(await list({ checkedIn: 'false', state: 'registered' })).toMatchObject([{ userId: ada.id }]);
    expect(await list({ q: 'NAVY' })).toMatchObject([{ userId: ada.id }]);
    expect(await list({ q: 'lovelace' })).toMatchObject([{ userId: ada.id }, { userId: waits.id }]);
    expect(await list({ q: 'lovelace', state: 'waitlisted' })).toMatchObject([{ userId: waits.id }]);
    for (const q of ['0%', 'GRACE-', 'grace 1']) expect(names(await list({ q }))).toEqual(['Grace 100%']);
    expect(await list({ q: '100_' })).toEqual([]);
  });

  it('comes in pages, whose total counts what was searched', async () => {
    for (let n = 0; n < 5; n += 1) await add(`Guest ${n}`);
    const first = await guests.list(admin, { eventId, limit: 2, q: 'guest' });
    expect(first.total).toBe(5);
    const second = await guests.list(admin, { eventId, limit: 2, q: 'guest', cursor: first.nextCursor! });
    expect(names([...first.items, ...second.items])).toEqual([0, 1, 2, 3].map((n) => `Guest ${n}`));
  });

  describe('of 5,000, a fifth of them members,', () => {
    const [MEMBERS, OTHERS] = [1_000, 4_000];
    let long: string;
    /** With a hundredth of them, and as many of each rare name. */
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
      // no vacuum: what an index has not sorted in yet is read as well
      await events.owner.query('ANALYZE auth.users, events.event_registrations');
    });
    afterEach(async () => {
      await events.empty();
      await events.owner.query("DELETE FROM auth.users WHERE password_hash = '$argon2id$unusable'");
    });

    /** Pages of 8 kB that PostgreSQL reads for a first page, without a total that is counted once in two seconds. */
    const readFor = async (q: string, at: string) => {
      const dataSource = events.get(DataSource);
      const sent: [string, unknown[]?][] = [];
      const logger = dataSource.logger;
      dataSource.logger = {
        ...logger,
        logQuery: (sql, parameters) => void sent.push([sql, parameters as unknown[]]),
      };
      const page = await guests.list(admin, { eventId: at, q, limit: 20 });
      dataSource.logger = logger;
      let read = 0;
      for (const [sql, parameters] of sent) {
        if (!/^(SELECT|WITH)/.test(sql) || sql.includes('"matching"')) continue;
        const explained = () =>
          events.owner.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`, parameters);
        await explained(); // the first of a connection reads the catalogue as well
        const { Plan: plan } = (await explained()).rows[0]['QUERY PLAN'][0];
        read += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      }
      return { read, found: page.total };
    };

    it('costs a search what it does among 50, of a rare name and of one that all have', async () => {
      const found: Record<string, number> = {};
      const ratios: Record<string, number> = {};
      for (const q of ['ann', 'theodora', 'zzz', 'bench', 'guest']) {
        const [ofLong, ofShort] = [await readFor(q, long), await readFor(q, short)];
        [found[q], ratios[q]] = [ofLong.found, ofLong.read / ofShort.read];
      }
      expect(found).toEqual({ ann: 20, theodora: 20, zzz: 0, bench: 4_960, guest: 4_000 });
      expect(Math.max(...Object.values(ratios))).toBeLessThanOrEqual(1.3);
    }, 60_000);
  });

  it('finds each of many of one name once, page by page, by state and by who came', async () => {
    await events.owner.query(
      `INSERT INTO events.event_registrations (id, event_id, guest_name, show_me)
       SELECT gen_random_uuid(), $1, 'Bench Guest', 'no' FROM generate_series(1, 600)`,
      [eventId],
    );
    const ada = await member();
    await insertRegistration(events.owner, { eventId, userId: ada.id });
    const ask = { eventId, q: 'GUEST', state: 'registered', checkedIn: 'false', limit: 250 } as const;
    const seen = new Set<string>();
    const sizes: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await guests.list(admin, { ...ask, cursor });
      expect(page.total).toBe(600);
      for (const { id } of page.items) seen.add(id);
      sizes.push(page.items.length);
      cursor = page.nextCursor;
    }
    expect([seen.size, sizes]).toEqual([600, [250, 250, 100]]);
    expect(await list({ q: 'guest', checkedIn: 'true' })).toEqual([]);
  });

  it('shows people without an account to nobody else', async () => {
    await add('Grace', { email });
    const lists = events.get(RegistrationListsService);
    expect(await lists.attendees({ eventId })).toEqual({ items: [], total: 1, nextCursor: null });
    expect(await lists.list(admin, { eventId })).toMatchObject({ items: [], total: 0 });
    const page = await events.get(EventsService).get(eventId, null);
    expect(page.registrationCount).toBe(1);
    expect(JSON.stringify(page)).not.toContain('Grace');
  });

  it('is shown to nobody without the right, and changed by nobody, nor is that of an event that is not there', async () => {
    const { id: guestId } = await add('Grace');
    const [stranger] = await events.members(1);
    const demoted = await insertUser(events.owner, { isOrganiser: true });
    const own = await given({ createdById: demoted.id });
    const calls = (caller: Identity, event: string): Promise<unknown>[] => [
      guests.list(caller, { eventId: event }),
      guests.add(caller, { eventId: event, name: 'Grace' }),
      guests.edit(caller, { eventId: event, guestId, paid: true }),
      guests.place(caller, { eventId: event, guestId }),
      guests.remove(caller, { eventId: event, guestId }),
    ];
    const organiser = { sub: demoted.id, epoch: 1, isAdmin: false, isOrganiser: true };
    expect(await outcomes([guests.list(organiser, { eventId: own.id })])).toEqual({ ok: 1 });
    await updateRow(events.owner, 'auth.users', demoted.id, { isOrganiser: false });
    const refused = [...calls({ ...organiser, sub: stranger! }, eventId), ...calls(organiser, own.id)];
    expect(await outcomes(refused)).toEqual({ FORBIDDEN: 10 });
    await expect(list({}, UNKNOWN)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
    await expect(add('Grace', {}, UNKNOWN)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });

  it('mails whoever was added with an address, and keeps no name in the audit log', async () => {
    const { id } = await add('Grace', { email });
    await add('Nameless');
    expect(await events.outbox(RegistrationConfirmedMail)).toMatchObject([{ registrationId: id }]);
    const audit = await events.outbox(RecordAudit);
    expect(audit.map(({ action }) => action)).toEqual(['event.guestAdded', 'event.guestAdded']);
    expect(JSON.stringify(audit)).not.toMatch(/Grace|Nameless/);
  });

  it('has each address once, whoever it belongs to, and takes somebody back who was removed', async () => {
    const ada = await member();
    await insertRegistration(events.owner, { eventId, userId: ada.id });
    const grace = await add('Grace', { email });
    for (const again of [email.toUpperCase(), ada.email])
      await expect(add('Again', { email: again })).rejects.toMatchObject({ code: 'GUEST_EXISTS' });
    await guests.remove(admin, { eventId, guestId: grace.id });
    expect(await add('Grace H.', { email })).toMatchObject({
      id: grace.id,
      name: 'Grace H.',
      state: 'registered',
    });
    expect(await figures()).toMatchObject({ registered: 2 });
  });

  it('takes one of twenty who add the same address at the same moment', async () => {
    const added = await outcomes(Array.from({ length: 20 }, () => add('Grace', { email })));
    expect(added).toEqual({ ok: 1, GUEST_EXISTS: 19 });
    expect(await figures()).toMatchObject({ registered: 1 });
  });

  describe('of a full event', () => {
    beforeEach(async () => {
      eventId = (await given({ capacity: 1 })).id;
      await insertRegistration(events.owner, { eventId, userId: (await member()).id });
    });
    const waits = async () => {
      const { id } = await member();
      await registrations.register(id, { eventId, waitlist: true });
      return id;
    };

    it('says how many wait, and adds one place when asked: not for who waits', async () => {
      await waits();
      await waits();
      await expect(add('Grace')).rejects.toMatchObject({ code: 'EVENT_FULL', details: { waiting: 2 } });
      const before = await figures();
      await add('Grace', { raiseCapacity: true });
      expect(await figures()).toEqual({
        capacity: 2,
        registered: 2,
        waiting: 2,
        version: before.version + 1,
      });
      const values = { capacity: { before: '1', after: '2' } };
      expect(await events.outbox(RecordAudit)).toMatchObject([
        { action: 'event.updated', changed: ['capacity'], values },
        { action: 'event.guestAdded' },
      ]);
      expect(await events.outbox(PromotedMail)).toEqual([]);
      expect(names(await list({ state: 'registered' }))).toContain('Grace');
    });

    it('gives a place that a guest loses to the first who waits', async () => {
      await waits();
      const { id } = await add('Grace', { raiseCapacity: true });
      await guests.remove(admin, { eventId, guestId: id });
      expect(await figures()).toMatchObject({ capacity: 2, registered: 2, waiting: 0 });
    });

    it('gives a place out of turn, and tells the person', async () => {
      await waits();
      const userId = await waits();
      const waiting = (await list({ state: 'waitlisted' })).find((guest) => guest.userId === userId)!;
      const place = (raiseCapacity?: boolean) =>
        guests.place(admin, { eventId, guestId: waiting.id, raiseCapacity });
      await expect(place()).rejects.toMatchObject({ code: 'EVENT_FULL' });
      expect(await place(true)).toMatchObject({ id: waiting.id, state: 'registered' });
      expect(await figures()).toMatchObject({ capacity: 2, registered: 2, waiting: 1 });
      expect(await events.outbox(PromotedMail)).toMatchObject([{ registrationId: waiting.id }]);
      expect(await place()).toMatchObject({ state: 'registered' });
    });
  });

  it('holds at most the capacity however many are added while others register', async () => {
    eventId = (await given({ capacity: 10 })).id;
    const members = await events.members(20);
    await outcomes([
      ...members.map((id) => persistently(() => registrations.register(id, { eventId }))),
      ...Array.from({ length: 20 }, (_, n) => add(`Guest ${n}`)),
    ]);
    expect(await figures()).toMatchObject({ capacity: 10, registered: 10 });
    expect(await list({ state: 'registered' })).toHaveLength(10);
  });

  it.each([
    ['draft', 'EVENT_NOT_PUBLISHED'],
    ['cancelled', 'EVENT_CANCELLED'],
  ] as const)('of a %s event takes nobody', async (status, code) => {
    const event = await given({ status });
    await expect(add('Grace', {}, event.id)).rejects.toMatchObject({ code });
  });

  it('tells who is removed the reason, by whatever address there is, and is done once', async () => {
    const ada = await member();
    await insertRegistration(events.owner, { eventId, userId: ada.id });
    await add('Grace', { email });
    await add('Unknown');
    for (const { id } of await list())
      for (const reason of ['Only 3 chairs', 'again'])
        await guests.remove(admin, { eventId, guestId: id, reason });
    expect(await list({ state: 'registered' })).toEqual([]);
    expect(await events.outbox(PlaceRemovedMail)).toMatchObject([
      { reason: 'Only 3 chairs', waited: false },
      { reason: 'Only 3 chairs', waited: false },
    ]);
    expect(await figures()).toMatchObject({ registered: 0 });
  });

  it('keeps a note and who has paid; what is left out stays', async () => {
    const { id: guestId } = await add('Grace');
    const change = (fields: { note?: string | null; paid?: boolean }) =>
      guests.edit(admin, { eventId, guestId, ...fields });
    const paid = await change({ note: 'Brings cake', paid: true });
    expect(paid).toMatchObject({ note: 'Brings cake', paidAt: expect.any(String) });
    expect(await change({ paid: true })).toEqual(paid);
    expect(await change({ note: null })).toEqual({ ...paid, note: null });
    expect(await change({ paid: false })).toMatchObject({ paidAt: null });
    const elsewhere = { eventId: (await given()).id, guestId };
    for (const refused of [
      () => guests.edit(admin, { ...elsewhere, paid: true }),
      () => guests.remove(admin, elsewhere),
    ])
      await expect(refused()).rejects.toMatchObject({ code: 'GUEST_NOT_FOUND' });
  });

  it('says of an event that is over who had a place and did not come', async () => {
    const grace = await add('Grace');
    const came = await add('Came');
    const gone = await add('Gone');
    await guests.remove(admin, { eventId, guestId: gone.id });
    await updateRow(events.owner, 'events.events', eventId, {
      startDate: daysFromNow(-2),
      endDate: daysFromNow(-1),
    });
    const noShows = async () => {
      const shown = new Map((await list()).map(({ id, noShow }) => [id, noShow]));
      return [grace, came, gone].map(({ id }) => shown.get(id));
    };
    // without any check-in it is not known who came
    expect(await noShows()).toEqual([false, false, false]);
    await events.owner.query(
      "UPDATE events.event_registrations SET checked_in_at = now(), checked_in_by = 'door' WHERE id = $1",
      [came.id],
    );
    expect(await noShows()).toEqual([true, false, false]);
  });

  describe('when somebody proves the address that an organiser typed', () => {
    const registersAs = async (more: Parameters<typeof member>[0] = {}) => {
      const user = await member({ email, ...more });
      return { ...user, register: () => persistently(() => registrations.register(user.id, { eventId })) };
    };
    const one = async () => {
      const listed = await list();
      expect(listed).toHaveLength(1);
      return listed[0]!;
    };

    it('gives the place to the member, also at a full event, and looks as it did', async () => {
      eventId = (await given({ capacity: 1 })).id;
      const added = await add('Grace', { email });
      const { id, register } = await registersAs();
      expect(await register()).toMatchObject({
        created: true,
        registration: { id: added.id, userId: id, status: 'registered', showMe: 'name' },
      });
      expect(await one()).toEqual(added);
      expect(await list({ q: 'Lovelace' })).toEqual([]);
      expect((await events.get(RegistrationListsService).list(admin, { eventId })).items).toEqual([]);
      expect(await figures()).toMatchObject({ registered: 1, capacity: 1 });
      expect(await register()).toMatchObject({ created: false, registration: { id: added.id } });
    });

    it('also after registration has closed', async () => {
      await add('Grace', { email });
      await events.owner.query('UPDATE events.events SET registration_closes_at = now() WHERE id = $1', [
        eventId,
      ]);
      const { register } = await registersAs();
      expect(await register()).toMatchObject({ registration: { status: 'registered' } });
    });

    it('also when the member had given a place up before, under a number that calendars believe', async () => {
      const { id: userId, register } = await registersAs();
      await register();
      await registrations.unregister(userId, eventId);
      const added = await add('Grace', { email });
      expect(await register()).toMatchObject({ registration: { id: added.id } });
      const { rows } = await events.owner.query(
        'SELECT entry_revision AS revision FROM events.event_registrations WHERE event_id = $1',
        [eventId],
      );
      expect(rows).toEqual([{ revision: 2 }]);
    });

    it('once, however many calls come at the same moment', async () => {
      const added = await add('Grace', { email });
      const { register } = await registersAs();
      const answers = await Promise.all(Array.from({ length: 10 }, register));
      expect(new Set(answers.map(({ registration }) => registration.id))).toEqual(new Set([added.id]));
      expect(answers.filter(({ created }) => created)).toHaveLength(1);
      expect(await figures()).toMatchObject({ registered: 1 });
    });

    it('but not while the address is unproved, nor for anybody else', async () => {
      await add('Grace', { email });
      const { register } = await registersAs({ emailVerifiedAt: null });
      await register();
      const [other] = await events.members(1);
      await registrations.register(other!, { eventId });
      expect(await list()).toHaveLength(3);
    });

    it('ends with the account, and as before for the organisers when the member gives the place up', async () => {
      const added = await add('Grace', { email });
      const { id, register } = await registersAs();
      await register();
      await registrations.unregister(id, eventId);
      expect(await one()).toEqual({ ...added, state: 'cancelled' });
      expect(await guests.place(admin, { eventId, guestId: added.id })).toMatchObject({
        state: 'registered',
      });
      await events.owner.query('DELETE FROM auth.users WHERE id = $1', [id]);
      expect(await list()).toEqual([]);
      expect(await figures()).toMatchObject({ registered: 0 });
    });
  });

  it.each(['cancelled', 'deleted'] as const)(
    'is told when the event is %s, with and without an account',
    async (how) => {
      const ada = await member();
      await insertRegistration(events.owner, { eventId, userId: ada.id });
      await add('Grace', { email });
      await add('Unknown');
      await (how === 'cancelled'
        ? events.get(EventLifeService).cancel(admin, { eventId })
        : events.get(EventEditingService).delete(admin, eventId));
      const told = (await events.outbox(EventCancelledMail)).map(({ userId, guest }) => userId ?? guest);
      expect(told).toHaveLength(2);
      expect(told).toEqual(expect.arrayContaining([ada.id, { name: 'Grace', email }]));
    },
  );

  it('costs registrations further statements only at an event that has guests with an address', async () => {
    const [one, two] = (await events.members(2)) as [string, string];
    await add('Grace');
    // the prepared statement itself is not among them
    expect(await events.statements(() => registrations.register(one, { eventId }))).toEqual([]);
    await add('Grace', { email });
    expect(await events.statements(() => registrations.register(two, { eventId }))).not.toEqual([]);
  });
});
