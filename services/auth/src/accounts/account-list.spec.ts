import { jest } from '@jest/globals';
import { ROLES, type User, type UserFilter } from '@meetmark/contracts';
import { insertAdministrator, insertUser } from '@meetmark/testing/factories/users';
import { authForTests } from '../testing/open-auth.js';
import { AccountList } from './accounts.repository.js';

const HOUR = 3_600_000;
const PEOPLE = ['Ada', 'bob', 'Cem', 'dora', 'Eve', 'finn', 'Gül'];

describe('the list of accounts', () => {
  const auth = authForTests();
  let list: AccountList;
  beforeEach(async () => {
    list = auth.get(AccountList);
    const now = Date.now();
    for (const [i, firstName] of PEOPLE.entries())
      await insertUser(auth.owner, {
        firstName,
        lastName: 'Same',
        email: `${'gfedcba'[i]}@example.com`,
        // Pairs of people joined in the same millisecond: only the id tells them apart.
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

  it('is whole without a limit, newest first', async () => {
    const { items, total, nextCursor } = await list.page({});
    expect({ total, nextCursor }).toEqual({ total: 8, nextCursor: null });
    const dates = items.map((user) => user.createdAt);
    expect(dates).toEqual([...dates].sort().reverse());
  });

  it('finds those of a role', async () => {
    const { id } = await insertUser(auth.owner, { isOrganiser: true });
    const { items } = await list.page({ role: 'organiser' });
    expect(items.map((user) => [user.id, user.role])).toEqual([[id, 'organiser']]);
    for (const role of ROLES)
      expect(new Set((await list.page({ role })).items.map((user) => user.role))).toEqual(new Set([role]));
    const idsOf = async (role: 'admin' | 'user') => (await list.page({ role })).items.map((user) => user.id);
    expect(await idsOf('admin')).not.toContain(id);
    expect(await idsOf('user')).toContain(id);
  });

  it('shows the fields of a user and nothing of the password', async () => {
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
    ['name', ['Ada', 'bob', 'Cem', 'dora', 'Eve', 'finn', 'Grace', 'Gül']],
    ['-name', ['Gül', 'Grace', 'finn', 'Eve', 'dora', 'Cem', 'bob', 'Ada']],
    ['email', ['Gül', 'finn', 'Eve', 'dora', 'Cem', 'bob', 'Ada', 'Grace']],
    ['-email', ['Grace', 'Ada', 'bob', 'Cem', 'dora', 'Eve', 'finn', 'Gül']],
  ])('sorts by %s whatever the letter case', async (sort, expected) => {
    expect(names((await list.page({ sort })).items)).toEqual(expected);
  });

  it.each<UserFilter['sort']>(['name', '-name', 'email', '-email', 'createdAt', '-createdAt'])(
    'gives in pages what it gives at once: %s',
    async (sort) => {
      const whole = (await list.page({ sort })).items;
      for (const limit of [1, 3, 8, 100]) expect(await pages({ sort, limit })).toEqual(whole);
    },
  );

  it('neither repeats nor loses anybody when people join between two pages', async () => {
    const before = (await list.page({})).items;
    const seen = await pages({ limit: 2 }, () =>
      insertUser(auth.owner, { createdAt: new Date(Date.now() + HOUR) }),
    );
    expect(seen).toEqual(before);
  });

  it('does not stumble over somebody who left between two pages', async () => {
    const first = await list.page({ sort: 'name', limit: 3 });
    await auth.owner.query("DELETE FROM auth.users WHERE first_name IN ('Cem', 'dora')");
    const second = await list.page({ sort: 'name', limit: 3, cursor: first.nextCursor ?? '' });
    expect(names(second.items)).toEqual(['Eve', 'finn', 'Grace']);
  });

  it.each<[string, UserFilter, string[]]>([
    ['part of a name', { q: 'DO' }, ['dora']],
    ['a whole name', { q: 'ada same' }, ['Ada']],
    ['part of an address', { q: 'B@EXAMPLE' }, ['finn']],
    ['letters beyond ASCII', { q: 'GÜL' }, ['Gül']],
    ['a percent sign as it stands', { q: '100%@' }, ['Grace']],
    ['an underscore as it stands', { q: 'root_' }, ['Grace']],
    ['a backslash as it stands', { q: '\\' }, []],
    ['administrators', { role: 'admin' }, ['Grace']],
    ['users', { role: 'user', q: 'e', sort: 'name' }, PEOPLE],
    ['nothing in particular', { q: '', role: 'admin' }, ['Grace']],
  ])('finds by %s', async (_, filter, expected) => {
    const { items, total } = await list.page(filter);
    expect(names(items)).toEqual(expected);
    expect(total).toBe(expected.length);
  });

  it('counts what matches over all pages', async () => {
    const page = await list.page({ q: 'same', limit: 2 });
    expect(page.items).toHaveLength(2);
    expect(page.total).toBe(7);
  });

  it('takes two statements for a page and one for the whole, however long it is', async () => {
    const count = async (filter: UserFilter) => (await auth.statements(() => list.page(filter))).length;
    const few = [await count({ limit: 5 }), await count({})];
    for (let i = 0; i < 100; i += 1) await insertUser(auth.owner);
    expect([await count({ limit: 100 }), await count({})]).toEqual(few);
    expect(few).toEqual([2, 1]);
  });

  it('counts more than a thousand once for all who ask within two seconds, and exactly', async () => {
    await auth.owner.query(
      `INSERT INTO auth.users (id, email, password_hash, first_name, last_name)
       SELECT gen_random_uuid(), 'many-' || n || '@example.com', '$argon2id$unusable', 'Many', 'More'
       FROM generate_series(1, 1100) AS n`,
    );
    const total = async () => (await list.page({ limit: 5, q: 'more' })).total;
    const statements = async () => (await auth.statements(total)).length;
    expect(await total()).toBe(1_100);
    expect(await statements()).toBe(1); // the page: how many there are is known
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

  it('refuses the cursor of a list that was sorted otherwise', async () => {
    const { nextCursor } = await list.page({ limit: 2, sort: 'name' });
    const refused = list.page({ limit: 2, sort: 'email', cursor: nextCursor ?? '' });
    await expect(refused).rejects.toMatchObject({ code: 'MALFORMED_CURSOR' });
  });

  it('is summed up as all accounts and those of the last 30 days', async () => {
    expect(await list.summarise()).toEqual({ total: 8, createdLast30Days: 7 });
  });
});
