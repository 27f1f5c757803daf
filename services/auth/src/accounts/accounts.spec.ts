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
  WelcomeMail,
  type UpdateUserRequest,
  ROLES,
  type User,
  type UserFilter,
} from '@meetmark/contracts';
import { readPages } from '@meetmark/testing/read-pages';
import { daysFromNow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertUser, insertAdministrator, updateRow } from '@meetmark/testing/factories/users';
import { jest } from '@jest/globals';
import { beforeCommit, outcomes } from '@meetmark/testing';
import { loadConfig } from '@meetmark/platform';
import { findProblems } from '@meetmark/platform/testing/find-problems';
import { TEST_KEYS } from '@meetmark/platform/testing/test-keys';
import { administrationForTests } from '../testing/administration.js';
import { anAsker, createCall, authForTests, addFactor, refuses } from '../testing/open-auth.js';
import { AccountList } from './accounts.repository.js';
import { AuthConfig } from '../auth.config.js';
import { createAdministrator } from '../operator-commands.js';
import { Administrators, FirstAdministrator } from './administrators.js';

const auth = authForTests();
afterEach(() => jest.restoreAllMocks());

describe('account administration', () => {
  const { grace, ada, asGrace, session, audited } = administrationForTests(auth);

  const update = (given: Partial<UpdateUserRequest>, as = grace) =>
    auth.accounts.update(
      { userId: ada.id, email: ada.email, firstName: 'Ada', lastName: 'Lovelace', isAdmin: false, ...given },
      createCall(as),
    );

  describe('creating an account', () => {
    const alan = { email: 'alan@example.com', firstName: 'Alan', lastName: 'Turing', password: 'enigma' };

    it('makes a member who can sign in, with a welcome email and an audit entry', async () => {
      const user = await auth.accounts.create(alan, asGrace());
      const verified = { email: 'alan@example.com', emailVerifiedAt: expect.any(String) };
      expect(user).toMatchObject({ ...verified, isAdmin: false });
      await expect(auth.signIns.signIn(alan)).resolves.toMatchObject({ user: { id: user.id } });
      expect(await auth.outbox(WelcomeMail)).toEqual([{ userId: user.id }]);
      const entry = { action: 'user.created', actorId: grace.id, subjectId: user.id, subjectName: null };
      expect(await auth.outbox(RecordAudit)).toMatchObject([entry]);
    });

    it('returns the same account for repeated requests with the same id', async () => {
      const keyed = { ...alan, id: randomUUID() };
      const [first, ...others] = await Promise.all(
        [1, 2, 3].map(() => auth.accounts.create(keyed, asGrace())),
      );
      expect(first!.id).toBe(keyed.id);
      for (const other of others) expect(other).toEqual(first);
      expect(await auth.outbox(RecordAudit)).toHaveLength(1);
      await refuses('EMAIL_EXISTS', auth.accounts.create({ ...alan, id: randomUUID() }, asGrace()));
    });

    it.each([
      ['administrator', { isAdmin: true }, 'owner'],
      ['owner', { role: 'owner' }, 'owner'],
      ['organiser', { role: 'organiser' }, 'organiser'],
      ['member, for isAdmin null', { isAdmin: null as unknown as undefined }, 'member'],
    ] as const)('gives the requested role: %s', async (_, given, role) => {
      const made = await auth.accounts.create({ ...alan, ...given }, asGrace());
      expect(made).toMatchObject({ role, isAdmin: role === 'owner' });
    });

    it('refuses a taken email address in any letter case and records nothing', async () => {
      await refuses('EMAIL_EXISTS', auth.accounts.create({ ...alan, email: 'ADA@example.com' }, asGrace()));
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

    it('refuses the email address of another account', () =>
      refuses('EMAIL_TAKEN', update({ email: 'GRACE@example.com' })));

    it('keeps omitted fields, including admin rights', async () => {
      const before = await update({ isAdmin: true });
      const user = await auth.accounts.update({ userId: ada.id, lastName: 'King' }, asGrace());
      const updated = { lastName: 'King', updatedAt: expect.any(String), version: before.version + 1 };
      expect(user).toEqual({ ...before, ...updated });
    });

    it('refuses an edit of an outdated version and lists the newer edits', async () => {
      const own = { firstName: 'Augusta', picture: { action: 'keep' }, asker: anAsker() } as const;
      await auth.profiles.update({ ...own, version: 1 }, createCall(ada));
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

    it('raises the version for new rights, not for passwords or email settings', async () => {
      await auth.accounts.setPassword({ userId: ada.id, newPassword: 'new horse' }, asGrace());
      await auth.owner.query('UPDATE auth.users SET reminders = false, profile_version = 9');
      expect(await update({ lastName: 'King', version: 1 })).toMatchObject({ version: 2 });
      await auth.accounts.setAdmin({ userId: ada.id, isAdmin: true }, asGrace());
      await auth.accounts.update({ userId: ada.id, role: 'organiser' }, asGrace());
      await expect(update({ lastName: 'Byron', version: 2 })).rejects.toMatchObject({
        details: { edits: ['isAdmin', 'role', 'isAdmin'].map((name) => ({ own: true, changed: [name] })) },
      });
    });

    it('assigns roles and restores the previous role of a demoted owner', async () => {
      const edit = (given: object) => auth.accounts.update({ userId: ada.id, ...given }, asGrace());
      expect(await edit({ role: 'organiser' })).toMatchObject({ role: 'organiser', isAdmin: false });
      await auth.accounts.setAdmin({ userId: ada.id, isAdmin: true }, asGrace());
      expect(await edit({ lastName: 'King' })).toMatchObject({ role: 'owner', isAdmin: true });
      expect(await auth.accounts.setAdmin({ userId: ada.id, isAdmin: false }, asGrace())).toMatchObject({
        role: 'organiser',
      });
      expect(await edit({ role: 'owner', isAdmin: true })).toMatchObject({ role: 'owner' });
      expect(await edit({ isAdmin: false })).toMatchObject({ role: 'organiser' });
      expect(await edit({ role: 'member' })).toMatchObject({ role: 'member', isAdmin: false });
      expect(await session(ada.id)).toMatchObject({ user: { role: 'member' }, epoch: 1 });
      const entries = (await auth.outbox(RecordAudit)).map(({ action, changed, values: { role } = {} }) =>
        [action, ...changed, ...(role ? [role.before, role.after] : [])].join(' '),
      );
      expect(entries).toEqual([
        'user.updated role member organiser',
        'user.promoted organiser owner',
        'user.updated lastName',
        'user.demoted owner organiser',
        'user.promoted organiser owner',
        'user.demoted owner organiser',
        'user.updated role organiser member',
      ]);
    });

    it('records nothing when nothing changed', async () => {
      await update({});
      await auth.accounts.setAdmin({ userId: ada.id, isAdmin: false }, asGrace());
      expect(await audited()).toEqual([]);
    });

    it('lets administrators change their own name but not their own rights', async () => {
      const own = { userId: grace.id, email: grace.email, firstName: 'Amazing' };
      expect(await update({ ...own, isAdmin: true })).toMatchObject({ firstName: 'Amazing' });
      await refuses('OWN_ACCOUNT', update({ ...own, isAdmin: false }));
    });
  });

  it('sets a password, ends the user’s sessions, accepts the new password and sends an email', async () => {
    const user = await auth.accounts.setPassword({ userId: ada.id, newPassword: 'Xy12ab34' }, asGrace());
    expect(JSON.stringify(user)).not.toMatch(/"password|argon|Xy12ab34/i);
    expect(await session(ada.id)).toMatchObject({ epoch: 2 });
    const signIn = auth.signIns.signIn({ email: ada.email, password: 'Xy12ab34' });
    await expect(signIn).resolves.toMatchObject({ epoch: 2 });
    expect(await auth.outbox(PasswordChangedMail)).toEqual([{ userId: ada.id, at: expect.any(String) }]);
    expect(await audited()).toEqual([['user.passwordSet']]);
    expect(JSON.stringify(await auth.outbox(RecordAudit))).not.toContain('Xy12ab34');
  });

  it('creates a reset code for the user’s email address and an audit entry', async () => {
    await auth.accounts.sendResetCode({ userId: ada.id }, asGrace());
    const rows = await auth.rows('SELECT id, user_id, email FROM auth.code_flows');
    expect(rows).toEqual([{ id: expect.any(String), user_id: ada.id, email: ada.email }]);
    expect(await auth.outbox(CodeMail)).toEqual([{ flowId: rows[0].id }]);
    expect(await audited()).toEqual([['user.resetCodeSent']]);
  });

  describe('deleting an account', () => {
    it('removes the account, its sessions and its codes, and records the deletion', async () => {
      await auth.owner.query(
        `INSERT INTO gateway.sessions (sid, sess, expire, user_id) VALUES ('s', '{}', now() + interval '1 day', $1)`,
        [ada.id],
      );
      await auth.accounts.sendResetCode({ userId: ada.id }, asGrace());
      await session(ada.id);
      await auth.accounts.delete({ userId: ada.id }, asGrace());
      expect(await session(ada.id)).toBeNull();
      expect(await auth.rows('SELECT FROM gateway.sessions')).toEqual([]);
      expect(await auth.rows('SELECT FROM auth.code_flows')).toEqual([]);
      expect((await auth.outbox(RecordAudit)).at(-1)).toMatchObject({
        action: 'user.deleted',
        subjectId: null,
        subjectName: null,
      });
      await refuses('USER_NOT_FOUND', auth.accounts.delete({ userId: ada.id }, asGrace()));
      expect(await auth.outbox(FollowDeletedAccount)).toEqual([{}]);
    });

    it('promotes the first waiting person and removes the account’s own waiting entry', async () => {
      const [alan, mary] = [await insertUser(auth.owner), await insertUser(auth.owner)];
      const insertFull = async (userId: string, ...waiting: string[]) => {
        const { id: eventId } = await insertEvent(auth.owner, { capacity: 1 });
        await insertRegistration(auth.owner, { eventId, userId });
        for (const [n, waits] of waiting.entries())
          await insertRegistration(auth.owner, {
            ...{ eventId, userId: waits, status: 'waitlisted', registeredAt: daysFromNow(-1 + n / 24) },
          });
      };
      await insertFull(ada.id, alan.id, mary.id);
      await insertFull(mary.id, ada.id);
      await auth.accounts.delete({ userId: ada.id }, asGrace());
      const rows = await auth.rows(
        `SELECT user_id AS id, r.status, registration_count AS registered, waiting_count AS waiting
         FROM events.event_registrations r JOIN events.events e ON e.id = event_id ORDER BY event_id, r.status`,
      );
      expect(rows).toEqual([
        { id: alan.id, status: 'registered', registered: 1, waiting: 1 },
        { id: mary.id, status: 'waitlisted', registered: 1, waiting: 1 },
        { id: mary.id, status: 'registered', registered: 1, waiting: 0 },
      ]);
      expect(await auth.rows('SELECT FROM events.outbox WHERE job = $1', [PromotedMail.name])).toHaveLength(
        1,
      );
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
  const pages = (filter: UserFilter) => readPages((cursor) => list.page({ ...filter, cursor }));

  it('returns all accounts without a limit, newest first', async () => {
    const { items, total, nextCursor } = await list.page({});
    expect({ total, nextCursor }).toEqual({ total: 8, nextCursor: null });
    const dates = items.map((user) => user.createdAt);
    expect(dates).toEqual([...dates].sort().reverse());
    for (const limit of [1, 3]) expect(await pages({ limit })).toEqual(items);
    expect(await pages({ sort: 'createdAt', limit: 3 })).toEqual(items.reverse());
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

  it.each<[UserFilter['sort'], string[]]>([
    ['name', ['Ada', 'bob', 'Cem', 'dora', 'Éric', 'finn', 'Grace', 'Gül']],
    ['-name', ['Gül', 'Grace', 'finn', 'Éric', 'dora', 'Cem', 'bob', 'Ada']],
    ['email', ['Gül', 'finn', 'Éric', 'dora', 'Cem', 'bob', 'Ada', 'Grace']],
    ['-email', ['Grace', 'Ada', 'bob', 'Cem', 'dora', 'Éric', 'finn', 'Gül']],
  ])('sorts by %s, ignoring case and accents, in one page or several', async (sort, expected) => {
    for (const limit of [1, 3, 8, undefined]) expect(names(await pages({ sort, limit }))).toEqual(expected);
  });

  it('neither repeats nor skips accounts when people join between two pages', async () => {
    const before = (await list.page({})).items;
    const seen = await readPages(async (cursor) => {
      if (cursor !== undefined) await insertUser(auth.owner, { createdAt: new Date(Date.now() + HOUR) });
      return list.page({ limit: 2, cursor });
    });
    expect(seen).toEqual(before);
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
    ['part of a name and the user role', { role: 'user', q: 'e', sort: 'name' }, PEOPLE],
    ['an empty query', { q: '', role: 'admin' }, ['Grace']],
  ])('finds accounts by %s', async (_, filter, expected) => {
    const { items, total } = await list.page(filter);
    expect(names(items)).toEqual(expected);
    expect(total).toBe(expected.length);
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
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 2_001);
    expect(await total()).toBe(1_101);
  });

  it('counts all accounts and the accounts created in the last 30 days', async () => {
    expect(await list.summarise()).toEqual({ total: 8, createdLast30Days: 7 });
  });
});

describe('administrators', () => {
  const { grace, ada, asGrace, session, audited } = administrationForTests(auth);

  it('never lose the last administrator when two demote each other 100 times', async () => {
    const state = () =>
      auth.rows(
        `SELECT (SELECT count(*)::int FROM auth.users WHERE is_admin) AS left, deadlocks::int
         FROM pg_stat_database WHERE datname = current_database()`,
      );
    const [{ deadlocks }] = await state();
    for (let round = 0; round < 100; round += 1) {
      await auth.owner.query('UPDATE auth.users SET is_admin = true');
      const results = await outcomes([
        auth.accounts.setAdmin({ userId: ada.id, isAdmin: false }, createCall({ ...grace, isAdmin: true })),
        auth.accounts.setAdmin({ userId: grace.id, isAdmin: false }, createCall({ ...ada, isAdmin: true })),
      ]);
      expect(results).toEqual({ ok: 1, FORBIDDEN: 1 });
      expect(await state()).toEqual([{ left: 1, deadlocks }]);
    }
  });

  const asLongAgo = (kind: FreshSignInFor = 'administration') =>
    createCall(grace, Date.now() - FRESH_SIGN_IN[kind] - DEADLINES.gateway - 1_000);
  const fields = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
  const eve = { ...fields, email: 'eve@example.com', password: 'secret' };
  const edit = (given: Partial<UpdateUserRequest>, call = asLongAgo()) =>
    auth.accounts.update({ userId: ada.id, ...given }, call);

  it.each<[string, () => Promise<unknown>]>([
    ['promote a member to administrator', () => edit({ isAdmin: true })],
    ['promote a member to organiser', () => edit({ role: 'organiser' })],
    ['add an organiser', () => auth.accounts.create({ ...eve, role: 'organiser' }, asLongAgo())],
    ['change an account’s email address', () => edit({ email: eve.email }, asLongAgo('sensitive'))],
    ['add an administrator', () => auth.accounts.create({ ...eve, isAdmin: true }, asLongAgo())],
  ])('need a fresh sign-in to %s', async (_, takeOver) => {
    await refuses('FRESH_SIGN_IN_REQUIRED', takeOver());
    expect(await audited()).toEqual([]);
    expect(await auth.rows('SELECT email, is_admin FROM auth.users ORDER BY email')).toEqual([
      { email: ada.email, is_admin: false },
      { email: grace.email, is_admin: true },
    ]);
  });

  it('can change a role when their sign-in is too old for sensitive changes', async () => {
    await edit({ isAdmin: true }, asLongAgo('sensitive'));
    expect((await audited()).map(([action]) => action)).toEqual(['user.promoted']);
  });

  it('need no fresh sign-in to correct a name or add a member', async () => {
    await edit({ ...fields, firstName: 'Augusta', isAdmin: false });
    await auth.accounts.create(eve, asLongAgo());
    expect(await audited()).toEqual([['user.updated', 'firstName'], ['user.created']]);
  });

  it('cannot add or change accounts after their session has ended', async () => {
    await updateRow(auth.owner, 'auth.users', grace.id, { sessionEpoch: 2 });
    await refuses('UNAUTHORIZED', auth.accounts.create(eve, asGrace()));
    await refuses('UNAUTHORIZED', edit({ firstName: 'Augusta' }, asGrace()));
    expect(await audited()).toEqual([]);
  });

  const commands: [string, (userId: string, as: ReturnType<typeof createCall>) => Promise<unknown>][] = [
    ['changing rights', (userId, as) => auth.accounts.setAdmin({ userId, isAdmin: false }, as)],
    [
      'setting a password',
      (userId, as) => auth.accounts.setPassword({ userId, newPassword: 'new password' }, as),
    ],
    ['sending a reset code', (userId, as) => auth.accounts.sendResetCode({ userId }, as)],
    ['deletion', (userId, as) => auth.accounts.delete({ userId }, as)],
    ['removing second factors', (userId, as) => auth.factors.removeOf({ userId }, as)],
  ];

  describe.each(commands)('the command for %s', (_, command) => {
    it('rejects the caller’s own account, in any letter case of the id, and an unknown one', async () => {
      for (const id of [grace.id, grace.id.toUpperCase()])
        await refuses('OWN_ACCOUNT', command(id, asGrace()));
      await refuses('USER_NOT_FOUND', command(randomUUID(), asGrace()));
    });

    it('requires a second factor if administrators must have one', async () => {
      const asStrictly = () => createCall(grace, Date.now(), true);
      await refuses('SECOND_FACTOR_SETUP_REQUIRED', command(ada.id, asStrictly()));
      await addFactor(auth, grace.id);
      await addFactor(auth, ada.id);
      await command(ada.id, asStrictly());
    });

    it.each([
      ['right', 'is_admin = false', 'FORBIDDEN'],
      ['sessions', 'session_epoch = 2', 'UNAUTHORIZED'],
    ] as const)(
      'rejects an administrator whose %s ended after the token was signed',
      async (_, change, code) => {
        await insertAdministrator(auth.owner);
        const sql = `UPDATE auth.users SET ${change} WHERE id = $1`;
        const ending = beforeCommit(auth.owner, [sql, [grace.id]], () => command(ada.id, asGrace()));
        await refuses(code, ending);
      },
    );

    it('rejects the admin token of a member, an ended session or a deleted account', async () => {
      const alan = await insertUser(auth.owner);
      const token = createCall({ ...alan, isAdmin: true });
      await refuses('FORBIDDEN', command(ada.id, token));
      await updateRow(auth.owner, 'auth.users', alan.id, { sessionEpoch: 2 });
      await refuses('UNAUTHORIZED', command(ada.id, token));
      await auth.owner.query('DELETE FROM auth.users WHERE id = $1', [alan.id]);
      await refuses('UNAUTHORIZED', command(ada.id, token));
      expect(await auth.outbox(RecordAudit)).toEqual([]);
      expect(await session(ada.id)).toMatchObject({ user: { isAdmin: false }, epoch: 1 });
    });
  });
});

describe('creating an administrator as the operator', () => {
  const root = { email: 'root@example.com', password: 'first password' };
  const signIn = (email = root.email) => auth.signIns.signIn({ ...root, email });
  const countAdministrators = async () => (await auth.rows('SELECT FROM auth.users WHERE is_admin')).length;

  it('makes an account that can sign in, and changes nothing when repeated', async () => {
    expect(await createAdministrator(auth.config, root)).toBe('created');
    expect(await auth.outbox(WelcomeMail)).toHaveLength(1);
    const again = { email: 'ROOT@example.com', password: 'another' };
    expect(await createAdministrator(auth.config, again)).toBe('unchanged');
    expect(await signIn()).toMatchObject({ epoch: 1, user: { isAdmin: true, email: root.email } });
  });

  it('creates one administrator when several replicas start with ADMIN_EMAIL and ADMIN_PASSWORD', async () => {
    const start = (values: Partial<AuthConfig>) => {
      const config = Object.assign(new AuthConfig(), values);
      return new FirstAdministrator(config, auth.get(Administrators)).onApplicationBootstrap();
    };
    await start({});
    expect(await countAdministrators()).toBe(0);
    const emails = ['one', 'two', 'three', 'four'].map((name) => `${name}@example.com`);
    await Promise.all(emails.map((adminEmail) => start({ adminEmail, adminPassword: root.password })));
    expect(await countAdministrators()).toBe(1);
    const [{ email }] = await auth.rows('SELECT email FROM auth.users');
    expect(await signIn(email)).toMatchObject({ user: { isAdmin: true } });
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

  it.each<[string, Record<string, string>, string[]]>([
    ['no administrator', {}, []],
    ['an administrator', { ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: 'secret' }, []],
    ['an email address without a password', { ADMIN_EMAIL: 'root@example.com' }, ['ADMIN_PASSWORD']],
    ['a password without an email address', { ADMIN_PASSWORD: 'secret' }, ['ADMIN_EMAIL']],
    ['a short password', { ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: '12345' }, ['ADMIN_PASSWORD']],
    ['an invalid email address', { ADMIN_EMAIL: 'root', ADMIN_PASSWORD: 'secret' }, ['ADMIN_EMAIL']],
    ['a short secret', { RESET_CODE_SECRETS: 'short' }, ['RESET_CODE_SECRETS']],
  ])('reports only the invalid variables: %s', (_, given, named) => {
    const problems = findProblems(() => loadConfig(AuthConfig, { ...complete, ...given }));
    expect(problems.map((line) => line.split(' ')[0])).toEqual(named);
  });
});
