import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  DOOR_LINK_LIFE,
  DOOR_UNDO_WITHIN,
  type DoorItem,
  type DoorResult,
  type Identity,
  RecordAudit,
  REGISTERED,
  RegistrationConfirmedMail,
} from '@meetmark/contracts';
import { refuses } from '@meetmark/platform/testing/test-service';
import { outcomes } from '@meetmark/testing';
import {
  daysFromNow,
  type EventRow,
  insertEvent,
  insertRegistration,
  type RegistrationRow,
} from '@meetmark/testing/factories/events';
import { updateRow } from '@meetmark/testing/factories/users';
import { DataSource } from 'typeorm';
import { EventEditingService } from '../events/core/event-editing.service.js';
import { EventsConfig } from '../events.config.js';
import { GuestsService } from '../guests/guests.service.js';
import { lockDoor } from '../registrations/participants.repository.js';
import { RegistrationsService } from '../registrations/registrations.service.js';
import { createCall, eventsForTests, inject, persistently, UNKNOWN } from '../testing/open-events.js';
import { DoorService } from './door.service.js';
import { GuestCodes } from './guest-codes.js';

const HOUR = 3_600_000;
const MINUTE = 60_000;

describe('door check-in', () => {
  const events = eventsForTests();
  const door = inject(events, DoorService);
  const codes = inject(events, GuestCodes);
  let admin: Identity;
  let event: EventRow;
  let token: string;
  beforeEach(async () => {
    await events.empty();
    admin = await events.administrator();
    event = await insertEvent(events.owner, { title: 'Tonight', startDate: new Date(Date.now() + HOUR) });
    token = await linkFor(event.id);
    await events.owner.query("UPDATE events.door_links SET created_at = now() - interval '1 day'");
  });

  const manage = () => door.get({ eventId: event.id }, createCall(admin));
  const linkFor = async (eventId: string) => (await door.createLink({ eventId }, createCall(admin))).token;
  const guest = async (status: RegistrationRow['status'] = REGISTERED, eventId = event.id) => {
    const [userId] = await events.members(1);
    return insertRegistration(events.owner, { eventId, userId: userId!, status });
  };
  const guests = async (count: number) => events.register(event.id, await events.members(count));
  const addGrace = async () => {
    const given = { eventId: event.id, name: 'Grace', email: 'grace@example.org' };
    return (await events.get(GuestsService).add(given, createCall(admin))).id;
  };
  const cancelEvent = () =>
    updateRow(events.owner, 'events.events', event.id, { status: 'cancelled', cancelledAt: new Date() });
  const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString();
  const moment = (msAgo: number) => new Date(Date.now() - msAgo).toISOString();
  /** Creates an undo of the item, by default five seconds later by the phone's clock. */
  const takeBack = ({ key, at }: DoorItem, after = 5_000): DoorItem => ({
    ...{ key: randomUUID(), at: new Date(Date.parse(at) + after).toISOString(), undo: key },
  });
  const scan = (guestId: string, given: Partial<DoorItem> = {}): DoorItem => ({
    ...{ key: randomUUID(), at: ago(0), guestId },
    ...given,
  });
  const scanCode = (code: string) => scan('', { guestId: undefined, code });
  const send = (items: DoorItem[], given: { sentAt?: string; token?: string } = {}) =>
    persistently(() => door.checkIn({ token, sentAt: new Date().toISOString(), items, ...given }));
  const one = async (item: DoorItem): Promise<DoorResult> => (await send([item]))[0]!;
  const rows = () =>
    events.rows<{ id: string; at: Date; by: string }>(
      `SELECT id, checked_in_at AS at, checked_in_by AS by FROM events.event_registrations
       WHERE event_id = $1 AND checked_in_at IS NOT NULL`,
      event.id,
    );
  const near = (at: Date, minutes: number) =>
    expect(Math.abs(at.getTime() - (Date.now() - minutes * MINUTE))).toBeLessThan(20_000);

  it("shows phones each guest's name and state, without email addresses or user ids", async () => {
    const { id } = await guest();
    await addGrace();
    await one(scan(id));
    const snapshot = await door.snapshot({ token });
    expect(snapshot.counts).toEqual({ registered: 2, checkedIn: 1 });
    expect(snapshot.guests).toEqual([
      {
        ...{ id, name: 'Ada Lovelace', state: 'registered', checkedInAt: expect.any(String) },
        codeDigest: createHash('sha256').update(codes.getGuestCode(id)).digest('base64url'),
      },
      expect.objectContaining({ name: 'Grace', checkedInAt: null }),
    ]);
    expect(JSON.stringify(snapshot)).not.toMatch(/@|userId/);
  });

  it('checks a guest in once, by name or by code, and repeats its answer to a repeated scan', async () => {
    const [ada, grace] = (await guests(2)) as [string, string];
    const item = scan(ada, { at: ago(5) });
    const answers = await send([item, scanCode(codes.getGuestCode(grace))]);
    expect(answers).toMatchObject([
      { result: 'ok', guestId: ada, name: 'Ada Lovelace' },
      { result: 'ok', guestId: grace },
    ]);
    expect(await one(item)).toEqual(answers[0]);
    expect(await one({ ...item, key: item.key.toUpperCase() })).toMatchObject({ result: 'ok' });
    const first = (await rows()).find(({ id }) => id === ada)!;
    expect(first.by).toBe('door');
    expect(await one(scan(ada))).toMatchObject({ result: 'already', at: first.at.toISOString() });
    expect(await one({ ...item, guestId: grace })).toEqual({ key: item.key, result: 'unknown' });
    expect(await rows()).toHaveLength(2);
  });

  it('names the right event for another event’s code, and rejects unknown codes', async () => {
    const title = 'Another evening';
    const other = await insertEvent(events.owner, { title });
    const { id } = await guest(REGISTERED, other.id);
    expect(await one(scanCode(codes.getGuestCode(id)))).toMatchObject({ result: 'wrong-event', title });
    for (const text of [randomBytes(16).toString('base64url'), codes.getVenueCode(event.id)])
      expect(await one(scanCode(text))).toMatchObject({ result: 'unknown' });
    expect(await one(scan(UNKNOWN))).toMatchObject({ result: 'unknown' });
    expect(await rows()).toEqual([]);
  });

  it.each(['cancelled', 'waitlisted'] as const)(
    'requires an override to check in a %s guest',
    async (status) => {
      const { id } = await guest(status === 'cancelled' ? status : REGISTERED);
      await updateRow(events.owner, 'events.events', event.id, { capacity: 1 });
      const who = status === 'cancelled' ? id : (await guest('waitlisted')).id;
      expect(await one(scan(who))).toMatchObject({ result: 'not-registered', state: status });
      expect(await one(scan(who, { override: true }))).toMatchObject({ result: 'ok' });
      expect(await one(scan(who))).toMatchObject({ result: 'already' });
    },
  );

  it('refuses a check-in at a cancelled event, even with an override', async () => {
    const { id } = await guest();
    await cancelEvent();
    const refusal = { result: 'refused', reason: 'event-cancelled' };
    expect(await one(scan(id, { override: true }))).toMatchObject(refusal);
    expect((await door.snapshot({ token })).event.cancelled).toBe(true);
  });

  it('undoes a check-in, and accepts a repeated undo', async () => {
    const { id } = await guest();
    const item = scan(id, { at: ago(1) });
    await one(item);
    const undo = takeBack(item);
    for (let time = 0; time < 2; time += 1)
      expect(await one(undo)).toMatchObject({ result: 'ok', guestId: id, at: null });
    expect(await rows()).toEqual([]);
    expect(await one(scan(id))).toMatchObject({ result: 'ok' });
    expect(await one({ ...undo, undo: UNKNOWN })).toMatchObject({ result: 'unknown' });
    const both = scan(id, { at: ago(2) });
    await send([both, takeBack(both)]);
    expect(await rows()).toHaveLength(1);
  });

  it.each([
    [DOOR_UNDO_WITHIN, 'ok'],
    [DOOR_UNDO_WITHIN + 1, 'refused'],
    [-DOOR_UNDO_WITHIN - 1, 'refused'],
    [HOUR, 'refused'],
  ] as const)('answers an undo made %d ms after the check-in: %s', async (after, result) => {
    const { id } = await guest();
    const item = scan(id, { at: ago(50) });
    await one(item);
    // the phone was offline, and its clock is an hour behind
    const undo = takeBack(item, after);
    const answer = (await send([undo], { sentAt: ago(60) }))[0];
    const reason = result === 'refused' && { reason: 'undo-too-late' };
    expect(answer).toMatchObject({ result, guestId: id, ...reason });
    expect(await rows()).toHaveLength(result === 'ok' ? 0 : 1);
    expect(await one(undo)).toEqual(answer);
  });

  it('keeps the earlier of two scan times and answers ok to the first scan received', async () => {
    const { id } = await guest();
    const [early, late] = [scan(id, { at: ago(9) }), scan(id, { at: ago(7) })];
    expect(await one(late)).toMatchObject({ result: 'ok' });
    const first = await one(early);
    expect(first).toMatchObject({ result: 'already', guestId: id });
    near(new Date(first.at!), 9);
    near((await rows())[0]!.at, 9);
    expect(await one(late)).toMatchObject({ result: 'ok', at: first.at });
    expect(await one(early)).toEqual(first);
    // undoing one phone's scan keeps the other phone's scan
    await one(takeBack(late));
    near((await rows())[0]!.at, 9);
    expect(await one(scan(id))).toMatchObject({ result: 'already' });
  });

  it('answers ok to only one of three simultaneous scans of a code, for 20 guests', async () => {
    const people = await guests(20);
    // a scan that arrives later may have an earlier time
    const scans = people.map((id) => [100, 0, 50].map((ms) => scan(id, { at: moment(ms) })));
    const sendAll = () =>
      Promise.all(
        scans.map(async (items) => (await Promise.all(items.map(one))).map(({ result }) => result)),
      );
    const results = await sendAll();
    expect(results.map((each) => each.toSorted())).toEqual(people.map(() => ['already', 'already', 'ok']));
    expect(await sendAll()).toEqual(results);
  });

  it('handles check-ins from the previous version, which answered ok to every scan', async () => {
    const { id } = await guest();
    const [item, other] = [scan(id, { at: ago(5) }), scan(id, { at: ago(6) })];
    for (const { key, at } of [item, other])
      await events.owner.query(
        'INSERT INTO events.check_ins (event_id, key, registration_id, at) VALUES ($1, $2, $3, $4)',
        [event.id, key, id, at],
      );
    for (const { key, at } of [item, other])
      expect(await one(scan(id, { key, at }))).toMatchObject({ result: 'ok' });
    expect(await one(scan(id))).toMatchObject({ result: 'already', at: other.at });
    expect(await one(takeBack(item))).toMatchObject({ result: 'ok', at: other.at });
    expect(await one(takeBack(other, 11_000))).toMatchObject({ result: 'refused', reason: 'undo-too-late' });
  });

  it('repeats its answer to a scan after the registration or the event is cancelled', async () => {
    const { id, userId } = await guest();
    const item = scan(id);
    const first = await one(item);
    await events.get(RegistrationsService).unregister({ eventId: event.id }, createCall(userId));
    expect(await one(item)).toEqual(first);
    await cancelEvent();
    expect(await one(item)).toEqual(first);
  });

  it('corrects times from a wrong phone clock, and replaces future times with now', async () => {
    const [slow, fast, ahead] = (await guests(3)) as [string, string, string];
    await send([scan(slow, { at: ago(70) })], { sentAt: ago(60) });
    await send([scan(fast, { at: ago(-50) })], { sentAt: ago(-60) });
    await send([scan(ahead, { at: ago(-600) })]);
    const at = new Map((await rows()).map((row) => [row.id, row.at]));
    near(at.get(slow)!, 10);
    near(at.get(fast)!, 10);
    near(at.get(ahead)!, 0);
  });

  it('handles a batch of 100 scans in as many statements as one scan', async () => {
    const [first = '', ...people] = await guests(51);
    const few = await events.statements(() => one(scan(first)));
    // only the first scan of a guest within the batch is answered with ok, but the earliest time is stored
    const items = people.flatMap((id) => [scan(id, { at: ago(3) }), scan(id, { at: ago(9) })]);
    let results: DoorResult[] = [];
    const many = await events.statements(async () => {
      results = await send(items);
    });
    expect(many).toEqual(few);
    expect(results.map(({ result }) => result)).toEqual(people.flatMap(() => ['ok', 'already']));
    expect((await send(items)).map(({ result }) => result)).toEqual(results.map(({ result }) => result));
    for (const { id, at } of await rows()) near(at, id === first ? 0 : 9);
  });

  describe('for a walk-in', () => {
    const walk = (given: object = {}) =>
      persistently(() =>
        door.walkIn({
          ...{ token, key: randomUUID(), name: 'Wanda', at: ago(1), sentAt: ago(0) },
          ...given,
        }),
      );

    it('adds and checks in a walk-in once per key, even for simultaneous requests', async () => {
      const key = randomUUID();
      const answers = await Promise.all(Array.from({ length: 10 }, () => walk({ key })));
      expect(answers[0]).toMatchObject({ key, result: 'ok', name: 'Wanda' });
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(await rows()).toHaveLength(1);
      expect((await door.snapshot({ token })).counts).toEqual({ registered: 1, checkedIn: 1 });
    });

    it('checks in the existing guest when a walk-in gives that guest’s email address', async () => {
      const guestId = await addGrace();
      expect(await walk({ email: 'grace@example.org' })).toMatchObject({ guestId, name: 'Grace' });
      expect(await rows()).toHaveLength(1);
    });

    it('requires an override for a walk-in who is on the waiting list', async () => {
      const email = 'waits@example.org';
      await guest();
      await updateRow(events.owner, 'events.events', event.id, { capacity: 1 });
      const { id, userId } = await guest('waitlisted');
      await updateRow(events.owner, 'auth.users', userId, { email });
      const refusal = { result: 'not-registered', state: 'waitlisted', guestId: id };
      expect(await walk({ email })).toMatchObject(refusal);
      expect(await walk({ email, override: true })).toMatchObject({ result: 'ok', guestId: id });
    });

    it('requires an override for a walk-in at a full event, then adds the guest', async () => {
      await guest();
      await updateRow(events.owner, 'events.events', event.id, { capacity: 1 });
      await expect(walk()).rejects.toMatchObject({ code: 'EVENT_FULL', details: { waiting: 0 } });
      expect(await walk({ override: true })).toMatchObject({ result: 'ok' });
      expect((await door.snapshot({ token })).counts).toEqual({ registered: 2, checkedIn: 1 });
    });

    describe('with an email address', () => {
      const addresses = (count: number) => Array.from({ length: count }, (_, n) => `w${n}@example.org`);
      const mailed = async () => (await events.outbox(RegistrationConfirmedMail)).length;

      it('emails at most 20 walk-ins per link and day, even for simultaneous requests', async () => {
        const many = addresses(25).map((email) => () => walk({ email }));
        expect(await outcomes(many.map((ask) => ask()))).toEqual({ ok: 20, DOOR_MAIL_LIMIT: 5 });
        expect(await mailed()).toBe(20);
        expect(await rows()).toHaveLength(20);
        await walk({ email: 'other@example.org', token: await linkFor(event.id) });
        expect(await mailed()).toBe(21);
        await events.owner.query("UPDATE events.check_ins SET mailed_at = mailed_at - interval '24 hours'");
        await walk({ email: 'tomorrow@example.org' });
        expect(await mailed()).toBe(22);
      });

      it('requires an override beyond the email limit, and then stores no email address', async () => {
        for (const email of addresses(20)) await walk({ email });
        const beyond = { key: randomUUID(), name: 'Zoe', email: 'zoe@example.org' };
        await refuses('DOOR_MAIL_LIMIT', walk(beyond));
        for (let times = 0; times < 2; times += 1)
          expect(await walk({ ...beyond, override: true })).toMatchObject({ result: 'ok', name: 'Zoe' });
        expect(await mailed()).toBe(20);
        const stored = "SELECT guest_email AS email FROM events.event_registrations WHERE guest_name = 'Zoe'";
        expect(await events.rows(stored)).toEqual([{ email: null }]);
      });

      it('does not count repeated walk-ins or existing guests towards the email limit', async () => {
        for (const email of [...addresses(19), ...addresses(19)]) await walk({ email });
        await addGrace();
        await walk({ email: 'grace@example.org' });
        await walk({ email: 'twentieth@example.org' });
        await refuses('DOOR_MAIL_LIMIT', walk({ email: 'one-more@example.org' }));
        await walk();
      });
    });
  });

  describe('with an ended link', () => {
    const revoke = async () => {
      const linkId = (await manage()).links.at(-1)!.id;
      await door.revokeLink({ eventId: event.id, linkId }, createCall(admin));
      return linkId;
    };
    const walk = (given: object = {}) =>
      door.walkIn({ token, key: randomUUID(), name: 'Wanda', at: ago(5), sentAt: ago(0), ...given });
    const refused = (work: Promise<unknown>) => refuses('DOOR_LINK_ENDED', work);

    it('rejects a revoked link immediately but still accepts other links', async () => {
      const other = await linkFor(event.id);
      const ours = await revoke();
      const revoked = { id: ours, revokedAt: expect.any(String) };
      expect((await manage()).links).toMatchObject([{ revokedAt: null }, revoked]);
      await refused(door.snapshot({ token }));
      await refused(walk());
      expect((await door.snapshot({ token: other })).guests).toEqual([]);
    });

    it('records each scan from an ended link once, and checks nobody in', async () => {
      const { id } = await guest();
      const linkId = await revoke();
      const items = [scan(id, { at: ago(5) }), scanCode('x'.repeat(22))];
      for (let time = 0; time < 2; time += 1) await refused(send(items));
      expect(await rows()).toEqual([]);
      const { refusals } = await manage();
      expect(refusals).toHaveLength(2);
      const named = refusals.find(({ name }) => name === 'Ada Lovelace')!;
      expect(named).toMatchObject({ linkId, walkIn: false, email: null, reason: 'revoked' });
      near(new Date(named.at), 5);
    });

    it('records each walk-in from an ended link once, with name and email address', async () => {
      const linkId = await revoke();
      const walked = { key: randomUUID(), email: 'wanda@example.org' };
      for (let time = 0; time < 2; time += 1) await refused(walk(walked));
      await refused(walk({ name: 'Will' }));
      expect((await door.snapshot({ token: await linkFor(event.id) })).guests).toEqual([]);
      const { refusals } = await manage();
      const walkIn = { linkId, walkIn: true, reason: 'revoked' };
      expect(refusals.toSorted((one, other) => (one.name! < other.name! ? -1 : 1))).toMatchObject([
        { ...walkIn, name: 'Wanda', email: 'wanda@example.org' },
        { ...walkIn, name: 'Will', email: null },
      ]);
    });

    it('does not record an undone scan from an ended link', async () => {
      const { id } = await guest();
      await revoke();
      const item = scan(id);
      await refused(send([item, takeBack(item)]));
      expect((await manage()).refusals).toEqual([]);
    });

    it('rejects a door link 12 hours after the event', async () => {
      const endedAgo = (ms: number) =>
        updateRow(events.owner, 'events.events', event.id, {
          startDate: daysFromNow(-3),
          endDate: new Date(Date.now() - ms),
        });
      await endedAgo(DOOR_LINK_LIFE - MINUTE);
      await door.snapshot({ token });
      await endedAgo(DOOR_LINK_LIFE + MINUTE);
      await refused(door.snapshot({ token }));
      await refused(door.createLink({ eventId: event.id }, createCall(admin)));
    });

    it('rejects an unknown door link token', async () => {
      await refused(door.snapshot({ token: 'x'.repeat(43) }));
      await refused(send([scan(UNKNOWN)], { token: 'x'.repeat(43) }));
    });
  });

  describe('with corrections by an organiser', () => {
    const correct = (guestId: string, checkedIn: boolean) =>
      persistently(() =>
        events.get(GuestsService).edit({ eventId: event.id, guestId, checkedIn }, createCall(admin)),
      );

    it('lets an organiser undo the scans of several phones and check guests in', async () => {
      const { id } = await guest();
      const scans = [scan(id, { at: ago(50) }), scan(id, { at: ago(55) })];
      for (const item of scans) await one(item);
      expect(await correct(id, false)).toMatchObject({ checkedInAt: null, checkedInBy: null });
      expect(await rows()).toEqual([]);
      for (const item of scans) await one(item);
      expect(await rows()).toEqual([]);
      const again = await correct(id, true);
      expect(again.checkedInBy).toBe('organiser');
      expect(await correct(id, true)).toEqual(again);
      expect(await one(scan(id))).toMatchObject({ result: 'already', at: again.checkedInAt });
    });

    it('writes a correction to the audit log once, with the old and new value', async () => {
      const { id } = await guest();
      const first = await one(scan(id));
      await correct(id, false);
      await correct(id, false);
      const [, entry, ...more] = await events.outbox(RecordAudit);
      expect(more).toEqual([]);
      expect(entry).toMatchObject({
        ...{ action: 'event.guestUpdated', actorId: admin.sub, subjectId: event.id },
        values: { checkedIn: { before: first.at, after: null } },
      });
    });

    it('stores one check-in per guest when phones and the organiser act at the same time', async () => {
      const people = await guests(10);
      await Promise.all(
        people.flatMap((id) => [one(scan(id)), correct(id, true), one(scan(id, { at: ago(1) }))]),
      );
      expect(await rows()).toHaveLength(10);
      const twice = 'SELECT FROM events.check_ins WHERE let_in GROUP BY registration_id HAVING count(*) > 1';
      expect(await events.rows(twice)).toEqual([]);
    });

    it.each([
      ['a check-in at the door', async () => one(scan((await guest()).id))],
      ['a correction', async () => correct((await guest()).id, true)],
      [
        'the deletion of the event',
        () => events.get(EventEditingService).delete({ eventId: event.id }, createCall(admin)),
      ],
    ])('makes %s wait until earlier check-ins have ended', async (_, act) => {
      const { acting } = await events.get(DataSource).transaction(async (manager) => {
        await lockDoor(manager, event.id);
        const acts = act();
        const waiting = events.lockWaits().then(() => 'waiting');
        expect(await Promise.race([acts.then(() => 'done'), waiting])).toBe('waiting');
        return { acting: acts };
      });
      await acting;
    });

    it('rejects a check-in without a registration or at a cancelled event', async () => {
      const { id } = await guest('cancelled');
      await refuses('NOT_REGISTERED', correct(id, true));
      await refuses('GUEST_NOT_FOUND', correct(UNKNOWN, true));
      const [came, other] = [await guest(), await guest()];
      await one(scan(came.id));
      await cancelEvent();
      await refuses('EVENT_CANCELLED', correct(other.id, true));
      expect(await correct(came.id, false)).toMatchObject({ checkedInAt: null });
    });
  });

  it('limits an event to twenty active door links, even for simultaneous requests', async () => {
    const ask = () => persistently(() => linkFor(event.id));
    expect(await outcomes(Array.from({ length: 25 }, ask))).toEqual({ ok: 19, DOOR_LINK_LIMIT: 6 });
    const [link] = (await manage()).links;
    await door.revokeLink({ eventId: event.id, linkId: link!.id }, createCall(admin));
    await ask();
    const active = (await manage()).links.map(({ revokedAt }) => revokedAt === null);
    expect(active).toEqual([...Array<true>(20).fill(true), false]);
  });

  it('lets only managers create a door link, which is audited and stored as a hash', async () => {
    const stranger = await events.person();
    await refuses('FORBIDDEN', door.createLink({ eventId: event.id }, createCall(stranger)));
    const unknown = { eventId: event.id, linkId: UNKNOWN };
    await refuses('DOOR_LINK_NOT_FOUND', door.revokeLink(unknown, createCall(admin)));
    expect((await events.outbox(RecordAudit)).map(({ action }) => action)).toEqual(['event.doorLinkMade']);
    expect(await events.rows('SELECT token_hash FROM events.door_links')).toEqual([
      { token_hash: createHash('sha256').update(token).digest() },
    ]);
  });

  describe("on a guest's own phone", () => {
    const enter = (userId: string, venueCode = codes.getVenueCode(event.id)) =>
      door.checkInSelf({ eventId: event.id, venueCode }, createCall(userId));

    it('lets guests check themselves in with the venue code', async () => {
      const { id, userId } = await guest();
      const first = await enter(userId);
      expect(await enter(userId)).toEqual(first);
      expect(await rows()).toEqual([{ id, at: new Date(first.checkedInAt), by: 'self' }]);
    });

    it('rejects self check-in with a wrong code, unregistered, or outside check-in hours', async () => {
      const [{ userId }, [nobody]] = [await guest(), await events.members(1)];
      const other = (await insertEvent(events.owner)).id;
      for (const code of [codes.getVenueCode(other), codes.getGuestCode(event.id), 'x'.repeat(22)])
        await refuses('CODE_INVALID', enter(userId, code));
      await refuses('NOT_REGISTERED', enter(nobody!));
      const at = (start: number, end: number) =>
        updateRow(events.owner, 'events.events', event.id, {
          startDate: new Date(Date.now() + start * HOUR),
          endDate: new Date(Date.now() + end * HOUR),
        });
      await at(2.1, 3);
      await refuses('CHECK_IN_CLOSED', enter(userId));
      await at(-2, -0.1);
      await refuses('CHECK_IN_CLOSED', enter(userId));
      await at(1.9, 3);
      await enter(userId);
    });

    it('finds a published event only by its venue code', async () => {
      const { id } = await guest();
      const venue = codes.getVenueCode(event.id);
      expect(await door.findVenue({ code: venue })).toEqual({ eventId: event.id });
      for (const code of [codes.getGuestCode(id), codes.getGuestCode(event.id), 'x'.repeat(22)])
        expect(await door.findVenue({ code })).toEqual({ eventId: null });
      const draft = await insertEvent(events.owner, { status: 'draft' });
      expect(await door.findVenue({ code: codes.getVenueCode(draft.id) })).toEqual({ eventId: null });
    });

    it("shows the guest's code while the guest is registered", async () => {
      const { id, userId } = await guest();
      const ask = () => door.ownCode({ eventId: event.id }, createCall(userId));
      expect(await ask()).toEqual({ code: codes.getGuestCode(id) });
      await events.get(RegistrationsService).unregister({ eventId: event.id }, createCall(userId));
      await refuses('NOT_REGISTERED', ask());
    });
  });

  it('issues opaque guest codes that depend on the secret and survive its rotation', async () => {
    const { id } = await guest();
    const code = codes.getGuestCode(id);
    expect(code).toMatch(/^[\w-]{22}$/);
    expect(Buffer.from(code, 'base64url').toString('hex')).not.toContain(id.replaceAll('-', '').slice(0, 6));
    const made = (...guestCodeSecrets: string[]) =>
      new GuestCodes(Object.assign(new EventsConfig(), { guestCodeSecrets }));
    const [old] = events.config.guestCodeSecrets as [string];
    expect(made('another secret').getGuestCode(id)).not.toBe(code);
    expect(made('another secret', old).getRegistrationIds(code)).toContain(id);
    expect(made('another secret').getRegistrationIds(code)).not.toContain(id);
  });
});
