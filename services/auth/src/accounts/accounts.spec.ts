import { randomUUID } from 'node:crypto';
import {
  CodeMail,
  DEADLINES,
  EmailChangedMail,
  FollowDeletedAccount,
  FRESH_SIGN_IN,
  type FreshSignInFor,
  PasswordChangedMail,
  PromotedMail,
  RecordAudit,
  type RegistrationStatus,
  WelcomeMail,
  type UpdateUserRequest,
  ROLES,
  type User,
  type UserFilter,
} from '@meetmark/contracts';
import { daysFromNow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertUser, insertAdministrator, updateRow } from '@meetmark/testing/factories/users';
import { jest } from '@jest/globals';
import { beforeCommit, outcomes, tally } from '@meetmark/testing';
import { type ConfigError, loadConfig } from '@meetmark/platform';
import { TEST_KEYS } from '@meetmark/platform/testing/test-keys';
import { ProfilesService } from '../profiles/profiles.service.js';
import { SignInService } from './sign-in.service.js';
import { administrationForTests } from '../testing/administration.js';
import { anAsker, createCall, authForTests, addFactor } from '../testing/open-auth.js';
import { AccountsService } from './accounts.service.js';
import { AccountList } from './accounts.repository.js';
import { SecondFactorsService } from '../second-factors/second-factors.service.js';
import { AuthConfig } from '../auth.config.js';
import { createAdministrator } from '../operator-commands.js';
import { Administrators, FirstAdministrator } from './administrators.js';
import { SessionUsersService } from '../users/session-users.service.js';

const auth = authForTests();

describe('account administration', () => {
  const { auth, grace, ada, asGrace, session, audited } = administrationForTests();
  let service: AccountsService;
  beforeEach(() => {
    service = auth.get(AccountsService);
  });

  const update = (given: Partial<UpdateUserRequest>, as = grace) =>
    service.update(
      { userId: ada.id, email: ada.email, firstName: 'Ada', lastName: 'Lovelace', isAdmin: false, ...given },
      createCall(as),
    );

  describe('creating an account', () => {
    const alan = { email: 'alan@example.com', firstName: 'Alan', lastName: 'Turing', password: 'enigma' };

    it('makes a member who can sign in, with a welcome email and an audit entry', async () => {
      const user = await service.create(alan, asGrace());
      expect(user).toMatchObject({ email: 'alan@example.com', isAdmin: false });
      expect(JSON.stringify(user)).not.toMatch(/"password|argon|enigma/i);
      await expect(auth.get(SignInService).signIn(alan)).resolves.toMatchObject({ user: { id: user.id } });
      expect(await auth.outbox(WelcomeMail)).toEqual([{ userId: user.id }]);
      expect(await auth.outbox(RecordAudit)).toEqual([
        {
          action: 'user.created',
          actorId: grace.id,
          subjectId: user.id,
          subjectName: null,
          changed: [],
          values: {},
          at: expect.any(String),
        },
      ]);
    });

    it('returns the same account for repeated requests with the same id', async () => {
      const keyed = { ...alan, id: randomUUID() };
      const [first, ...others] = await Promise.all([1, 2, 3].map(() => service.create(keyed, asGrace())));
      expect(first!.id).toBe(keyed.id);
      for (const other of others) expect(other).toEqual(first);
      expect(await auth.outbox(RecordAudit)).toHaveLength(1);
      const another = service.create({ ...alan, id: randomUUID() }, asGrace());
      await expect(another).rejects.toMatchObject({ code: 'EMAIL_EXISTS' });
    });

    it('makes an administrator on request', async () => {
      expect(await service.create({ ...alan, isAdmin: true }, asGrace())).toMatchObject({ isAdmin: true });
    });

    it.each(['owner', 'organiser', 'member'] as const)('gives the role %s on request', async (role) => {
      const made = await service.create({ ...alan, role }, asGrace());
      expect(made).toMatchObject({ role, isAdmin: role === 'owner' });
    });

    it('makes a member when isAdmin is null', async () => {
      const isAdmin = null as unknown as undefined;
      expect(await service.create({ ...alan, isAdmin }, asGrace())).toMatchObject({ isAdmin: false });
    });

    it('refuses a taken email address in any letter case and records nothing', async () => {
      await expect(service.create({ ...alan, email: 'ADA@example.com' }, asGrace())).rejects.toMatchObject({
        code: 'EMAIL_EXISTS',
        message: 'A user with this email address already exists',
      });
      expect(await auth.outbox(RecordAudit)).toEqual([]);
    });
  });

  describe('editing an account', () => {
    it('changes name and email address, notifies the old address and records the change', async () => {
      const user = await update({ email: 'augusta@example.com', firstName: 'Augusta' });
      expect(user).toMatchObject({
        email: 'augusta@example.com',
        firstName: 'Augusta',
        lastName: 'Lovelace',
      });
      expect((await session(ada.id))?.user).toEqual(user);
      expect(await auth.outbox(EmailChangedMail)).toEqual([{ userId: ada.id, oldEmail: 'ada@example.com' }]);
      expect(await audited()).toEqual([['user.updated', 'email', 'firstName']]);
      const [entry] = await auth.outbox(RecordAudit);
      expect(entry?.values).toEqual({ email: { before: 'a…@e….com', after: 'a…@e….com' } });
    });

    it('refuses the email address of another account', async () => {
      await expect(update({ email: 'GRACE@example.com' })).rejects.toMatchObject({
        code: 'EMAIL_TAKEN',
        message: 'This email address is already taken',
      });
    });

    it('keeps omitted fields, including admin rights', async () => {
      const before = await update({ isAdmin: true });
      const user = await service.update({ userId: ada.id, lastName: 'King' }, asGrace());
      expect(user).toEqual({
        ...before,
        lastName: 'King',
        updatedAt: expect.any(String),
        version: before.version + 1,
      });
    });

    it('refuses an edit of an outdated version and lists the newer edits', async () => {
      const own = { firstName: 'Augusta', picture: { action: 'keep' }, asker: anAsker() } as const;
      await auth.get(ProfilesService).update({ ...own, version: 1 }, createCall(ada));
      await update({ firstName: 'Augusta', lastName: 'King', version: 2 });
      await expect(update({ firstName: 'Ada', lastName: 'Byron', version: 1 })).rejects.toMatchObject({
        code: 'EDIT_CONFLICT',
        details: {
          present: { version: 3 },
          edits: [
            { own: true, changed: ['lastName'] },
            { by: 'Augusta King', own: false, changed: ['firstName'] },
          ],
        },
      });
      expect(await update({ firstName: 'Ada', lastName: 'Byron', version: 3 })).toMatchObject({ version: 4 });
    });

    it('accepts a repeated edit, and any edit without a version', async () => {
      const first = await update({ lastName: 'King', version: 1 });
      expect(await update({ lastName: 'King', version: 1 })).toMatchObject({ version: first.version });
      expect(await update({ lastName: 'Byron' })).toMatchObject({ lastName: 'Byron', version: 3 });
    });

    it('raises the version for new admin rights, not for passwords or email settings', async () => {
      await service.setPassword({ userId: ada.id, newPassword: 'new horse' }, asGrace());
      await auth.owner.query('UPDATE auth.users SET reminders = false, profile_version = 9');
      expect(await update({ lastName: 'King', version: 1 })).toMatchObject({ version: 2 });
      await service.setAdmin({ userId: ada.id, isAdmin: true }, asGrace());
      await expect(update({ lastName: 'Byron', version: 2 })).rejects.toMatchObject({
        details: { present: { version: 3 }, edits: [{ own: true, changed: ['isAdmin'] }] },
      });
    });

    it('assigns roles and restores the previous role of a demoted owner', async () => {
      const edit = (given: object) => service.update({ userId: ada.id, ...given }, asGrace());
      expect(await edit({ role: 'organiser' })).toMatchObject({ role: 'organiser', isAdmin: false });
      await service.setAdmin({ userId: ada.id, isAdmin: true }, asGrace());
      expect(await edit({ lastName: 'King' })).toMatchObject({ role: 'owner', isAdmin: true });
      expect(await service.setAdmin({ userId: ada.id, isAdmin: false }, asGrace())).toMatchObject({
        role: 'organiser',
      });
      expect(await edit({ role: 'owner', isAdmin: true })).toMatchObject({ role: 'owner' });
      expect(await edit({ isAdmin: false })).toMatchObject({ role: 'organiser' });
      expect(await edit({ role: 'member' })).toMatchObject({ role: 'member', isAdmin: false });
      expect(await audited()).toEqual([
        ['user.updated', 'role'],
        ['user.promoted'],
        ['user.updated', 'lastName'],
        ['user.demoted'],
        ['user.promoted'],
        ['user.demoted'],
        ['user.updated', 'role'],
      ]);
      const roles = (await auth.outbox(RecordAudit)).map(({ values }) => values?.['role']);
      expect(roles.map((role) => role && `${role.before} → ${role.after}`)).toEqual([
        'member → organiser',
        'organiser → owner',
        undefined,
        'owner → organiser',
        'organiser → owner',
        'owner → organiser',
        'organiser → member',
      ]);
    });

    it('refuses a role change from an outdated version', async () => {
      const before = await update({ lastName: 'King' });
      await service.update({ userId: ada.id, role: 'organiser' }, asGrace());
      const stale = service.update(
        { userId: ada.id, role: 'member', version: before.version, lastName: 'Byron' },
        asGrace(),
      );
      await expect(stale).rejects.toMatchObject({
        code: 'EDIT_CONFLICT',
        details: { edits: [{ own: true, changed: ['role'] }] },
      });
    });

    it('promotes and demotes a user through the field isAdmin', async () => {
      expect(await update({ isAdmin: true })).toMatchObject({ isAdmin: true });
      expect(await update({ isAdmin: false })).toMatchObject({ isAdmin: false });
      expect(await audited()).toEqual([['user.promoted'], ['user.demoted']]);
    });

    it('records nothing when nothing changed', async () => {
      await update({});
      expect(await audited()).toEqual([]);
    });

    it('lets administrators change their own name but not their own rights', async () => {
      const own = { userId: grace.id, email: grace.email, lastName: 'Hopper' };
      expect(await update({ ...own, firstName: 'Amazing', isAdmin: true })).toMatchObject({
        firstName: 'Amazing',
      });
      await expect(update({ ...own, firstName: 'Grace', isAdmin: false })).rejects.toMatchObject({
        code: 'OWN_ACCOUNT',
      });
    });
  });

  describe('setting a password', () => {
    it('ends the user’s sessions, accepts the new password and sends an email', async () => {
      const user = await service.setPassword({ userId: ada.id, newPassword: 'Xy12ab34' }, asGrace());
      expect(JSON.stringify(user)).not.toMatch(/"password|argon|Xy12ab34/i);
      expect(await session(ada.id)).toMatchObject({ epoch: 2 });
      const signIn = auth.get(SignInService).signIn({ email: ada.email, password: 'Xy12ab34' });
      await expect(signIn).resolves.toMatchObject({ epoch: 2 });
      expect(await auth.outbox(PasswordChangedMail)).toEqual([{ userId: ada.id, at: expect.any(String) }]);
      expect(await audited()).toEqual([['user.passwordSet']]);
      expect(JSON.stringify(await auth.outbox(RecordAudit))).not.toContain('Xy12ab34');
    });
  });

  describe('sending a reset code', () => {
    it('creates a code for the user’s email address and an audit entry', async () => {
      await service.sendResetCode({ userId: ada.id }, asGrace());
      const { rows } = await auth.owner.query('SELECT id, user_id, email FROM auth.code_flows');
      expect(rows).toEqual([{ id: expect.any(String), user_id: ada.id, email: ada.email }]);
      expect(await auth.outbox(CodeMail)).toEqual([{ flowId: rows[0].id }]);
      expect(await audited()).toEqual([['user.resetCodeSent']]);
    });
  });

  describe('deleting an account', () => {
    it('removes the account, its sessions and its codes, and records the deletion', async () => {
      await auth.owner.query(
        `INSERT INTO gateway.sessions (sid, sess, expire, user_id) VALUES ('s', '{}', now() + interval '1 day', $1)`,
        [ada.id],
      );
      await service.sendResetCode({ userId: ada.id }, asGrace());
      await session(ada.id);
      await service.delete({ userId: ada.id }, asGrace());
      expect(await session(ada.id)).toBeNull();
      const { rows } = await auth.owner.query(
        'SELECT (SELECT count(*) FROM gateway.sessions)::int AS sessions, (SELECT count(*) FROM auth.code_flows)::int AS codes',
      );
      expect(rows).toEqual([{ sessions: 0, codes: 0 }]);
      expect((await auth.outbox(RecordAudit)).at(-1)).toMatchObject({
        action: 'user.deleted',
        subjectId: ada.id,
        subjectName: null,
      });
      await expect(service.delete({ userId: ada.id }, asGrace())).rejects.toMatchObject({
        code: 'USER_NOT_FOUND',
      });
    });

    it('queues a follow-up job only if the deletion succeeds', async () => {
      await expect(service.delete({ userId: randomUUID() }, asGrace())).rejects.toMatchObject({
        code: 'USER_NOT_FOUND',
      });
      expect(await auth.outbox(FollowDeletedAccount)).toEqual([]);
      await service.delete({ userId: ada.id }, asGrace());
      expect(await auth.outbox(FollowDeletedAccount)).toEqual([{}]);
    });

    it('promotes the first waiting person and removes the account’s own waiting entry', async () => {
      const people = { alan: await insertUser(auth.owner), mary: await insertUser(auth.owner) };
      const add = (
        event: { id: string },
        person: { id: string },
        status: RegistrationStatus,
        hours: number,
      ) =>
        insertRegistration(auth.owner, {
          eventId: event.id,
          userId: person.id,
          status,
          registeredAt: daysFromNow(-1 + hours / 24),
        });
      const placed = await insertEvent(auth.owner, { capacity: 1 });
      await add(placed, ada, 'registered', 0);
      await add(placed, people.mary, 'waitlisted', 2);
      const first = await add(placed, people.alan, 'waitlisted', 1);
      const waited = await insertEvent(auth.owner, { capacity: 1 });
      await add(waited, people.mary, 'registered', 0);
      await add(waited, ada, 'waitlisted', 1);

      await service.delete({ userId: ada.id }, asGrace());
      const { rows } = await auth.owner.query(
        `SELECT event_id, user_id, status FROM events.event_registrations ORDER BY status, event_id`,
      );
      expect(rows).toEqual([
        { event_id: placed.id, user_id: people.alan.id, status: 'registered' },
        { event_id: waited.id, user_id: people.mary.id, status: 'registered' },
        { event_id: placed.id, user_id: people.mary.id, status: 'waitlisted' },
      ]);
      const counts = await auth.owner.query(
        'SELECT registration_count AS places, waiting_count AS waiting FROM events.events ORDER BY id',
      );
      expect(counts.rows).toEqual([
        { places: 1, waiting: 1 },
        { places: 1, waiting: 0 },
      ]);
      const mails = await auth.owner.query('SELECT payload FROM events.outbox WHERE job = $1', [
        PromotedMail.name,
      ]);
      expect(mails.rows).toEqual([
        { payload: { registrationId: first.id, registeredAt: expect.any(String) } },
      ]);
    });
  });
});

const HOUR = 3_600_000;
const PEOPLE = ['Ada', 'bob', 'Cem', 'dora', 'Éric', 'finn', 'Gül'];

describe('the account list', () => {
  let list: AccountList;
  beforeEach(async () => {
    list = auth.get(AccountList);
    const now = Date.now();
    for (const [i, firstName] of PEOPLE.entries())
      await insertUser(auth.owner, {
        firstName,
        lastName: 'Same',
        email: `${'gfedcba'[i]}@example.com`,
        // Always two accounts join in the same millisecond. Only their ids decide their order.
        createdAt: new Date(now - Math.floor(i / 2) * HOUR),
      });
    await insertAdministrator(auth.owner, {
      email: 'root_100%@example.org',
      createdAt: new Date(now - 40 * 24 * HOUR),
    });
  });

  const names = (users: User[]) => users.map((user) => user.firstName);
  async function pages(
    filter: UserFilter,
    between: (page: number) => Promise<unknown> = () => Promise.resolve(),
  ) {
    const found: User[] = [];
    let cursor: string | undefined;
    for (let page = 0; page === 0 || cursor !== undefined; page += 1) {
      const { items, nextCursor } = await list.page({ ...filter, cursor });
      found.push(...items);
      cursor = nextCursor ?? undefined;
      await between(page);
    }
    return found;
  }

  it('returns all accounts without a limit, newest first', async () => {
    const { items, total, nextCursor } = await list.page({});
    expect({ total, nextCursor }).toEqual({ total: 8, nextCursor: null });
    const dates = items.map((user) => user.createdAt);
    expect(dates).toEqual([...dates].sort().reverse());
  });

  it('filters by role', async () => {
    const { id } = await insertUser(auth.owner, { isOrganiser: true });
    const { items } = await list.page({ role: 'organiser' });
    expect(items.map((user) => [user.id, user.role])).toEqual([[id, 'organiser']]);
    for (const role of ROLES)
      expect(new Set((await list.page({ role })).items.map((user) => user.role))).toEqual(new Set([role]));
    const fetchIds = async (role: 'admin' | 'user') =>
      (await list.page({ role })).items.map((user) => user.id);
    expect(await fetchIds('admin')).not.toContain(id);
    expect(await fetchIds('user')).toContain(id);
  });

  it('shows the user’s fields but no password data', async () => {
    const { items } = await list.page({});
    expect(Object.keys(items[0] ?? {}).sort()).toEqual([
      'createdAt',
      'description',
      'email',
      'emailVerifiedAt',
      'firstName',
      'hasPassword',
      'hasSecondFactor',
      'id',
      'isAdmin',
      'lastName',
      'linkedInUrl',
      'locale',
      'pendingEmail',
      'profileImageUrl',
      'role',
      'showMe',
      'updatedAt',
      'version',
    ]);
    expect(JSON.stringify(items)).not.toMatch(/argon|hash|"password/i);
  });

  it.each<[UserFilter['sort'], string[]]>([
    ['name', ['Ada', 'bob', 'Cem', 'dora', 'Éric', 'finn', 'Grace', 'Gül']],
    ['-name', ['Gül', 'Grace', 'finn', 'Éric', 'dora', 'Cem', 'bob', 'Ada']],
    ['email', ['Gül', 'finn', 'Éric', 'dora', 'Cem', 'bob', 'Ada', 'Grace']],
    ['-email', ['Grace', 'Ada', 'bob', 'Cem', 'dora', 'Éric', 'finn', 'Gül']],
  ])('sorts by %s, ignoring case and accents', async (sort, expected) => {
    expect(names((await list.page({ sort })).items)).toEqual(expected);
  });

  it.each<UserFilter['sort']>(['name', '-name', 'email', '-email', 'createdAt', '-createdAt'])(
    'returns the same order in pages as in a single response: %s',
    async (sort) => {
      const whole = (await list.page({ sort })).items;
      for (const limit of [1, 3, 8, 100]) expect(await pages({ sort, limit })).toEqual(whole);
    },
  );

  it('neither repeats nor skips accounts when people join between two pages', async () => {
    const before = (await list.page({})).items;
    const seen = await pages({ limit: 2 }, () =>
      insertUser(auth.owner, { createdAt: new Date(Date.now() + HOUR) }),
    );
    expect(seen).toEqual(before);
  });

  it('continues after accounts were deleted between two pages', async () => {
    const first = await list.page({ sort: 'name', limit: 3 });
    await auth.owner.query("DELETE FROM auth.users WHERE first_name IN ('Cem', 'dora')");
    const second = await list.page({ sort: 'name', limit: 3, cursor: first.nextCursor ?? '' });
    expect(names(second.items)).toEqual(['Éric', 'finn', 'Grace']);
  });

  it.each<[string, UserFilter, string[]]>([
    ['part of a name', { q: 'DO' }, ['dora']],
    ['a whole name', { q: 'ada same' }, ['Ada']],
    ['part of an address', { q: 'B@EXAMPLE' }, ['finn']],
    ['letters beyond ASCII', { q: 'GÜL' }, ['Gül']],
    ['a name without its accents', { q: 'gul' }, ['Gül']],
    ['a name typed with combining accents', { q: 'E\u0301ric' }, ['Éric']],
    ['a literal percent sign', { q: '100%@' }, ['Grace']],
    ['a literal underscore', { q: 'root_' }, ['Grace']],
    ['a literal backslash', { q: '\\' }, []],
    ['the administrator role', { role: 'admin' }, ['Grace']],
    ['part of a name and the user role', { role: 'user', q: 'e', sort: 'name' }, PEOPLE],
    ['an empty query', { q: '', role: 'admin' }, ['Grace']],
  ])('finds accounts by %s', async (_, filter, expected) => {
    const { items, total } = await list.page(filter);
    expect(names(items)).toEqual(expected);
    expect(total).toBe(expected.length);
  });

  it('counts the matches of all pages', async () => {
    const page = await list.page({ q: 'same', limit: 2 });
    expect(page.items).toHaveLength(2);
    expect(page.total).toBe(7);
  });

  it('runs two SQL statements for a page, and one without a limit', async () => {
    const count = async (filter: UserFilter) => (await auth.statements(() => list.page(filter))).length;
    const few = [await count({ limit: 5 }), await count({})];
    for (let i = 0; i < 100; i += 1) await insertUser(auth.owner);
    expect([await count({ limit: 100 }), await count({})]).toEqual(few);
    expect(few).toEqual([2, 1]);
  });

  it('counts more than a thousand matches exactly and caches the count for two seconds', async () => {
    await auth.owner.query(
      `INSERT INTO auth.users (id, email, password_hash, first_name, last_name)
       SELECT gen_random_uuid(), 'many-' || n || '@example.com', '$argon2id$unusable', 'Many', 'More'
       FROM generate_series(1, 1100) AS n`,
    );
    const total = async () => (await list.page({ limit: 5, q: 'more' })).total;
    const statements = async () => (await auth.statements(total)).length;
    expect(await total()).toBe(1_100);
    expect(await statements()).toBe(1);
    await insertUser(auth.owner, { lastName: 'More' });
    const later = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 2_001);
    expect(await total()).toBe(1_101);
    later.mockRestore();
  });

  it.each(['', 'x', 'e30', Buffer.from('["-createdAt","yesterday","1"]').toString('base64url')])(
    'refuses the cursor %p',
    async (cursor) => {
      await expect(list.page({ limit: 2, cursor })).rejects.toMatchObject({ code: 'MALFORMED_CURSOR' });
    },
  );

  it('refuses the cursor of a different sort order', async () => {
    const { nextCursor } = await list.page({ limit: 2, sort: 'name' });
    const refused = list.page({ limit: 2, sort: 'email', cursor: nextCursor ?? '' });
    await expect(refused).rejects.toMatchObject({ code: 'MALFORMED_CURSOR' });
  });

  it('counts all accounts and the accounts created in the last 30 days', async () => {
    expect(await list.summarise()).toEqual({ total: 8, createdLast30Days: 7 });
  });
});

describe('administrators', () => {
  const { auth, grace, ada, asGrace, session, audited } = administrationForTests();
  let service: AccountsService;
  beforeEach(() => {
    service = auth.get(AccountsService);
  });

  it('gain and lose their rights immediately in open sessions', async () => {
    await session(ada.id);
    await service.setAdmin({ userId: ada.id, isAdmin: true }, asGrace());
    expect(await session(ada.id)).toMatchObject({ user: { isAdmin: true }, epoch: 1 });
    await service.setAdmin({ userId: ada.id, isAdmin: false }, asGrace());
    expect(await session(ada.id)).toMatchObject({ user: { isAdmin: false }, epoch: 1 });
    expect(await audited()).toEqual([['user.promoted'], ['user.demoted']]);
  });

  it('cause no audit entry when they set unchanged rights', async () => {
    expect(await service.setAdmin({ userId: ada.id, isAdmin: false }, asGrace())).toMatchObject({
      isAdmin: false,
    });
    expect(await audited()).toEqual([]);
  });

  it('never lose the last administrator when two demote each other 100 times', async () => {
    const state = async () => {
      const { rows } = await auth.owner.query<{ left: number; deadlocks: number }>(
        `SELECT (SELECT count(*)::int FROM auth.users WHERE is_admin) AS left, deadlocks::int
         FROM pg_stat_database WHERE datname = current_database()`,
      );
      return rows[0]!;
    };
    const { deadlocks } = await state();
    for (let round = 0; round < 100; round += 1) {
      await auth.owner.query('UPDATE auth.users SET is_admin = true');
      const results = await outcomes([
        service.setAdmin({ userId: ada.id, isAdmin: false }, createCall({ ...grace, isAdmin: true })),
        service.setAdmin({ userId: grace.id, isAdmin: false }, createCall({ ...ada, isAdmin: true })),
      ]);
      expect(results).toEqual({ ok: 1, FORBIDDEN: 1 });
      expect(await state()).toEqual({ left: 1, deadlocks });
    }
  });

  it('cannot both delete each other at the same time', async () => {
    await auth.owner.query('UPDATE auth.users SET is_admin = true');
    const results = await outcomes([
      service.delete({ userId: ada.id }, createCall({ ...grace, isAdmin: true })),
      service.delete({ userId: grace.id }, createCall({ ...ada, isAdmin: true })),
    ]);
    expect(results).toEqual({ ok: 1, UNAUTHORIZED: 1 });
  });

  const asLongAgo = (kind: FreshSignInFor = 'administration') =>
    createCall(grace, Date.now() - FRESH_SIGN_IN[kind] - DEADLINES.gateway - 1_000);
  const fields = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
  const takeovers: [string, () => Promise<unknown>][] = [
    [
      'promote a member to administrator',
      () => service.update({ userId: ada.id, isAdmin: true }, asLongAgo()),
    ],
    [
      'promote a member to organiser',
      () => service.update({ userId: ada.id, role: 'organiser' }, asLongAgo()),
    ],
    [
      'add an organiser',
      () =>
        service.create(
          { ...fields, email: 'eve@example.com', password: 'secret', role: 'organiser' },
          asLongAgo(),
        ),
    ],
    [
      'change an account’s email address',
      () => service.update({ userId: ada.id, email: 'eve@example.com' }, asLongAgo('sensitive')),
    ],
    [
      'add an administrator',
      () =>
        service.create(
          { ...fields, email: 'eve@example.com', password: 'secret', isAdmin: true },
          asLongAgo(),
        ),
    ],
  ];

  it.each(takeovers)('need a fresh sign-in to %s', async (_, takeOver) => {
    await expect(takeOver()).rejects.toMatchObject({ code: 'FRESH_SIGN_IN_REQUIRED' });
    expect(await audited()).toEqual([]);
    const { rows } = await auth.owner.query('SELECT email, is_admin FROM auth.users ORDER BY email');
    expect(rows).toEqual([
      { email: ada.email, is_admin: false },
      { email: grace.email, is_admin: true },
    ]);
  });

  it('can change a role when their sign-in is too old for sensitive changes', async () => {
    await service.update({ userId: ada.id, isAdmin: true }, asLongAgo('sensitive'));
    expect((await audited()).map(([action]) => action)).toEqual(['user.promoted']);
  });

  it('need no fresh sign-in to correct a name or add a member', async () => {
    await service.update({ userId: ada.id, ...fields, firstName: 'Augusta', isAdmin: false }, asLongAgo());
    await service.create({ ...fields, email: 'eve@example.com', password: 'secret' }, asLongAgo());
    expect(await audited()).toEqual([['user.updated', 'firstName'], ['user.created']]);
  });

  it('cannot add or change accounts after their session has ended', async () => {
    await updateRow(auth.owner, 'auth.users', grace.id, { sessionEpoch: 2 });
    const added = service.create({ ...fields, email: 'eve@example.com', password: 'secret' }, asGrace());
    await expect(added).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    const changed = service.update({ userId: ada.id, firstName: 'Augusta' }, asGrace());
    await expect(changed).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await audited()).toEqual([]);
  });

  const commands: [string, (userId: string, as: ReturnType<typeof createCall>) => Promise<unknown>][] = [
    ['changing rights', (userId, as) => service.setAdmin({ userId, isAdmin: false }, as)],
    ['setting a password', (userId, as) => service.setPassword({ userId, newPassword: 'new password' }, as)],
    ['sending a reset code', (userId, as) => service.sendResetCode({ userId }, as)],
    ['deletion', (userId, as) => service.delete({ userId }, as)],
    ['removing second factors', (userId, as) => auth.get(SecondFactorsService).removeOf({ userId }, as)],
  ];

  describe.each(commands)('the command for %s', (_, command) => {
    it('rejects the caller’s own account, in any letter case of the id', async () => {
      for (const id of [grace.id, grace.id.toUpperCase()])
        await expect(command(id, asGrace())).rejects.toMatchObject({ code: 'OWN_ACCOUNT' });
    });

    it('rejects an account that does not exist', async () => {
      await expect(command(randomUUID(), asGrace())).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    });

    it('requires a second factor if administrators must have one', async () => {
      const asStrictly = () => createCall(grace, Date.now(), true);
      await expect(command(ada.id, asStrictly())).rejects.toMatchObject({
        code: 'SECOND_FACTOR_SETUP_REQUIRED',
      });
      await addFactor(auth, grace.id);
      await addFactor(auth, ada.id);
      await command(ada.id, asStrictly());
    });

    it.each([
      ['right', 'is_admin = false', 'FORBIDDEN'],
      ['sessions', 'session_epoch = 2', 'UNAUTHORIZED'],
    ])(
      'rejects an administrator whose %s ended after their token had been signed',
      async (_, change, code) => {
        await insertAdministrator(auth.owner);
        const sql = `UPDATE auth.users SET ${change} WHERE id = $1`;
        const ending = beforeCommit(auth.owner, [sql, [grace.id]], () => command(ada.id, asGrace()));
        await expect(ending).rejects.toMatchObject({ code });
      },
    );

    it('rejects the admin token of a member, an ended session or a deleted account', async () => {
      const alan = await insertUser(auth.owner);
      const token = createCall({ ...alan, isAdmin: true });
      await expect(command(ada.id, token)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await updateRow(auth.owner, 'auth.users', alan.id, { sessionEpoch: 2 });
      await expect(command(ada.id, token)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      await auth.owner.query('DELETE FROM auth.users WHERE id = $1', [alan.id]);
      await expect(command(ada.id, token)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      expect(await auth.outbox(RecordAudit)).toEqual([]);
      expect(await session(ada.id)).toMatchObject({ user: { isAdmin: false }, epoch: 1 });
    });
  });
});

const root = { email: 'root@example.com', password: 'first password' };

describe('creating an administrator as the operator', () => {
  let administrators: Administrators;
  beforeEach(() => {
    administrators = auth.get(Administrators);
  });

  const signIn = (password = root.password) =>
    auth.get(SignInService).signIn({ email: root.email, password });
  const countAdministrators = async () =>
    (await auth.owner.query('SELECT id FROM auth.users WHERE is_admin')).rowCount;

  it('makes an account that can sign in', async () => {
    expect(await administrators.ensure(root)).toBe('created');
    expect(await signIn()).toMatchObject({ user: { isAdmin: true, email: root.email } });
    expect(await auth.outbox(WelcomeMail)).toHaveLength(1);
  });

  it('changes nothing, not even the password, when repeated', async () => {
    await administrators.ensure(root);
    expect(await administrators.ensure({ email: 'ROOT@example.com', password: 'another' })).toBe('unchanged');
    await expect(signIn()).resolves.toMatchObject({ epoch: 1 });
  });

  it('promotes an existing member with a new password and ends their sessions', async () => {
    const member = await insertUser(auth.owner, { email: root.email });
    await auth.get(SessionUsersService).get({ userId: member.id });
    expect(await administrators.ensure(root)).toBe('promoted');
    expect(await signIn()).toMatchObject({ user: { id: member.id, isAdmin: true }, epoch: 2 });
    expect(await auth.get(SessionUsersService).get({ userId: member.id })).toMatchObject({ epoch: 2 });
  });

  it('creates one administrator when several replicas start at the same time', async () => {
    const results = await Promise.all(Array.from({ length: 4 }, () => administrators.ensureFirst(root)));
    expect(tally(results)).toEqual({ created: 1, unchanged: 3 });
    expect(await countAdministrators()).toBe(1);
  });

  it('creates no administrator at startup if there is already one', async () => {
    await insertAdministrator(auth.owner);
    expect(await administrators.ensureFirst(root)).toBe('unchanged');
    expect(await countAdministrators()).toBe(1);
  });

  it('creates an administrator at startup if ADMIN_EMAIL and ADMIN_PASSWORD are set', async () => {
    const start = (values: Partial<AuthConfig>) =>
      new FirstAdministrator(
        Object.assign(new AuthConfig(), values),
        administrators,
      ).onApplicationBootstrap();
    await start({});
    expect(await countAdministrators()).toBe(0);
    await start({ adminEmail: root.email, adminPassword: root.password });
    expect(await signIn()).toMatchObject({ user: { isAdmin: true } });
  });

  it('creates an administrator from the command line', async () => {
    expect(await createAdministrator(auth.config, root)).toBe('created');
    expect(await createAdministrator(auth.config, root)).toBe('unchanged');
  });
});

describe('the auth configuration', () => {
  const complete = {
    DATABASE_URL: 'postgres://meetmark_auth:x@localhost/meetmark',
    REDIS_URL: 'redis://localhost',
    IDENTITY_PUBLIC_KEYS: TEST_KEYS.identityPublicKeys.join(','),
    RPC_SECRETS: 'm'.repeat(32),
    RESET_CODE_SECRETS: 'r'.repeat(32),
    SECOND_FACTOR_SECRETS: 's'.repeat(32),
  };
  const problems = (given: Record<string, string>) => {
    try {
      loadConfig(AuthConfig, { ...complete, ...given });
      return [];
    } catch (error) {
      return (error as ConfigError).problems.map((line) => line.split(' ')[0]);
    }
  };

  it.each<[string, Record<string, string>, string[]]>([
    ['no administrator', {}, []],
    ['an administrator', { ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: 'secret' }, []],
    ['an email address without a password', { ADMIN_EMAIL: 'root@example.com' }, ['ADMIN_PASSWORD']],
    ['a password without an email address', { ADMIN_PASSWORD: 'secret' }, ['ADMIN_EMAIL']],
    ['a short password', { ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: '12345' }, ['ADMIN_PASSWORD']],
    ['an invalid email address', { ADMIN_EMAIL: 'root', ADMIN_PASSWORD: 'secret' }, ['ADMIN_EMAIL']],
    ['a short secret', { RESET_CODE_SECRETS: 'short' }, ['RESET_CODE_SECRETS']],
  ])('reports only the invalid variables: %s', (_, given, named) => {
    expect(problems(given)).toEqual(named);
  });
});
