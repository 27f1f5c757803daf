import {
  ACCOUNT_CLOSED_FOR,
  AccountClosedMail,
  FollowDeletedAccount,
  PromotedMail,
  RecordAudit,
} from '@meetmark/contracts';
import { beforeCommit, outcomes } from '@meetmark/testing';
import { daysFromNow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertUser, updateRow } from '@meetmark/testing/factories/users';
import { administrationForTests } from '../testing/administration.js';
import { authForTests, createCall, refuses } from '../testing/open-auth.js';
import { AccountList } from './accounts.repository.js';
import { ClosingService } from './closing.service.js';

const auth = authForTests();

describe('closing an account', () => {
  const { grace, ada, asGrace, session } = administrationForTests(auth);
  const closing = () => auth.get(ClosingService);
  const close = (user = ada) => closing().close({}, createCall(user));
  const closedAt = () => auth.rows('SELECT closed_at AS at FROM auth.users WHERE id = $1', [ada.id]);
  const restoringToken = async () => (await closing().beginRestoring({ userId: ada.id }))!.token;

  it('ends sessions, hides the account, and announces the deletion in a week', async () => {
    await close();
    const [{ at }] = (await closedAt()) as [{ at: Date }];
    expect(await session(ada.id)).toMatchObject({
      epoch: 2,
      deletedAt: new Date(at.getTime() + ACCOUNT_CLOSED_FOR).toISOString(),
    });
    const listed = await auth.get(AccountList).page({});
    expect(listed.items.map(({ id }) => id)).toEqual([grace.id]);
    await refuses('USER_NOT_FOUND', auth.accounts.sendResetCode({ userId: ada.id }, asGrace()));
    expect(await auth.outbox(AccountClosedMail)).toEqual([{ userId: ada.id }]);
    expect(await auth.outbox(FollowDeletedAccount)).toEqual([{}]);
    expect(await auth.outbox(RecordAudit)).toMatchObject([{ action: 'account.closed', actorId: ada.id }]);
    await refuses('UNAUTHORIZED', close());
  });

  it('frees places, promotes the waiting list, and keeps past registrations', async () => {
    const alan = await insertUser(auth.owner);
    const full = await insertEvent(auth.owner, { capacity: 1, createdById: grace.id });
    const past = await insertEvent(auth.owner, { startDate: daysFromNow(-2), createdById: grace.id });
    for (const { id: eventId } of [full, past])
      await insertRegistration(auth.owner, { eventId, userId: ada.id, registeredAt: daysFromNow(-3) });
    await insertRegistration(auth.owner, { eventId: full.id, userId: alan.id, status: 'waitlisted' });
    await close();
    expect(await auth.rows('SELECT event_id, user_id, status FROM events.event_registrations')).toEqual(
      expect.arrayContaining([
        { event_id: full.id, user_id: alan.id, status: 'registered' },
        { event_id: past.id, user_id: ada.id, status: 'registered' },
      ]),
    );
    expect(await auth.rows('SELECT FROM events.outbox WHERE job = $1', [PromotedMail.name])).toHaveLength(1);
  });

  it.each([
    ['before', 0],
    ['during', 1],
  ])('leaves no registration that was made %s it', async (_, pending) => {
    const { id: eventId } = await insertEvent(auth.owner, { createdById: grace.id });
    const register = `INSERT INTO events.event_registrations (id, event_id, user_id, show_me)
      VALUES (gen_random_uuid(), '${eventId}', '${ada.id}', 'no')`;
    if (pending === 1) await beforeCommit(auth.owner, [register], () => close());
    else {
      await close();
      await expect(auth.owner.query(register)).rejects.toMatchObject({
        constraint: 'event_registrations_user_id_fkey',
      });
    }
    expect(await auth.rows('SELECT FROM events.event_registrations')).toEqual([]);
    expect(await auth.rows('SELECT registration_count AS count FROM events.events')).toEqual([{ count: 0 }]);
  });

  it('keeps the registration of someone who is checked in at the same time', async () => {
    const { id: eventId } = await insertEvent(auth.owner, {
      ...{ startDate: daysFromNow(-0.1), endDate: daysFromNow(0.1), createdById: grace.id },
    });
    const { id } = await insertRegistration(auth.owner, {
      ...{ eventId, userId: ada.id, registeredAt: daysFromNow(-1) },
    });
    const checkIn = `WITH event AS (SELECT FROM events.events WHERE id = '${eventId}' FOR NO KEY UPDATE)
      INSERT INTO events.check_ins (event_id, key, registration_id, at) SELECT '${eventId}', '${id}', '${id}', now() FROM event`;
    await beforeCommit(auth.owner, [checkIn], () => close());
    expect(await auth.rows('SELECT checked_in_by AS by FROM events.event_registrations')).toEqual([
      { by: 'self' },
    ]);
  });

  it('refuses the last administrator', async () => {
    await refuses('LAST_ADMINISTRATOR', close(grace));
    await updateRow(auth.owner, 'auth.users', ada.id, { isAdmin: true });
    const both = [ada, grace].map((user) => close(user));
    expect(await outcomes(both)).toEqual({ ok: 1, LAST_ADMINISTRATOR: 1 });
  });

  it('leaves one of two administrators if one closes the account that the other deletes', async () => {
    await updateRow(auth.owner, 'auth.users', ada.id, { isAdmin: true });
    await Promise.allSettled([
      close(grace),
      auth.accounts.delete({ userId: grace.id }, createCall({ ...ada, isAdmin: true })),
      auth.accounts.delete({ userId: ada.id }, asGrace()),
    ]);
    expect(await auth.rows('SELECT FROM auth.administrator')).toHaveLength(1);
  });

  it('hands over events to a co-host who organises, or else to an administrator', async () => {
    const [organiser, member] = [
      await insertUser(auth.owner, { isOrganiser: true }),
      await insertUser(auth.owner),
    ];
    const cohosted = async (userId: string) => {
      const { id } = await insertEvent(auth.owner, { createdById: ada.id });
      await auth.owner.query(
        `INSERT INTO events.event_people (event_id, role, position, user_id, agreed_at, manages, manages_agreed_at)
         VALUES ($1, 'host', 0, $2, now(), true, now())`,
        [id, userId],
      );
      return id;
    };
    const [first, second] = [await cohosted(organiser.id), await cohosted(member.id)];
    await close();
    const rows = await auth.rows('SELECT id, created_by_id AS creator FROM events.events ORDER BY id');
    expect(rows).toEqual([
      { id: first, creator: organiser.id },
      { id: second, creator: grace.id },
    ]);
  });

  it('restores the account once', async () => {
    await close();
    const token = await restoringToken();
    expect(await closing().restore({ token })).not.toHaveProperty('deletedAt');
    expect(await closedAt()).toEqual([{ at: null }]);
    await refuses('SECOND_FACTOR_EXPIRED', closing().restore({ token }));
    expect(await closing().beginRestoring({ userId: ada.id })).toBeNull();
    expect((await auth.outbox(RecordAudit)).at(-1)).toMatchObject({ action: 'account.restored' });
  });

  it('does not accept the token for restoring as a first step, or the other way round', async () => {
    await close();
    const token = await restoringToken();
    const site = { name: 'Meetmark', origin: 'https://meet.example' };
    await refuses('SECOND_FACTOR_EXPIRED', auth.secondStep.complete({ token, code: '123456', site }));
    await auth.owner.query('UPDATE auth.pending_sign_ins SET restores = false');
    await refuses('SECOND_FACTOR_EXPIRED', closing().restore({ token }));
  });
});
