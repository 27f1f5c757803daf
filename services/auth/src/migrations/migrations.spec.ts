import { databaseForTests } from '@meetmark/platform/testing/database-for-tests';
import { insertAdministrator, insertUser } from '@meetmark/testing/factories/users';
import type pg from 'pg';

const state = (code: string) => expect.objectContaining({ code });
const DENIED = state('42501');

describe('the auth database', () => {
  let owner: pg.Pool;
  const database = databaseForTests();
  beforeAll(async () => {
    owner = database.openPool(database.url, 3);
    await insertUser(owner, { email: 'taken@example.com' });
  });

  it.each<[string, string, Parameters<typeof insertUser>[1]]>([
    ['a taken email address in another letter case', '23505', { email: 'TAKEN@example.com' }],
    ['an email address of 256 characters', '23514', { email: `${'a'.repeat(244)}@example.com` }],
    ['an email address with a leading space', '23514', { email: ' a@example.com' }],
    ['an email address with non-ASCII characters', '23514', { email: 'x@gmaİl.com' }],
    ['an empty first name', '23514', { firstName: '' }],
    ['a last name of 101 characters', '23514', { lastName: 'x'.repeat(101) }],
    ['a description of 10,001 characters', '23514', { description: 'x'.repeat(10_001) }],
    ['a LinkedIn URL with a script', '23514', { linkedInUrl: 'javascript:alert(1)' }],
    ['a plain-text password', '23514', { passwordHash: 'secret' }],
  ])('refuses an account with %s', async (_, code, given) => {
    await expect(insertUser(owner, given)).rejects.toEqual(state(code));
  });

  it('accepts the longest email address and names', async () => {
    const email = `${'a'.repeat(243)}@example.com`;
    await insertUser(owner, { email, firstName: 'é'.repeat(100), lastName: '字'.repeat(100) });
  });

  it('ignores values for version and updated_at in an UPDATE', async () => {
    const { id } = await insertUser(owner);
    await owner.query(
      "UPDATE auth.users SET first_name = 'B', version = 99, updated_at = 'epoch' WHERE id = $1",
      [id],
    );
    const { rows } = await owner.query(
      'SELECT version, updated_at > created_at - interval $$1 hour$$ AS fresh FROM auth.users WHERE id = $1',
      [id],
    );
    expect(rows).toEqual([{ version: '2', fresh: true }]);
  });

  it('refuses to remove the last administrator', async () => {
    const [one, two] = [await insertAdministrator(owner), await insertAdministrator(owner)];
    const demote = (id: string) => owner.query('UPDATE auth.users SET is_admin = false WHERE id = $1', [id]);
    const race = await Promise.allSettled([demote(one.id), demote(two.id)]);
    expect(race.map((each) => each.status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = expect.objectContaining({ constraint: 'users_last_administrator' });
    await expect(owner.query('DELETE FROM auth.users WHERE is_admin')).rejects.toEqual(refused);
    await expect(owner.query('UPDATE auth.users SET is_admin = false')).rejects.toEqual(refused);
  });

  it('accepts only language tags as a locale', async () => {
    await owner.query("UPDATE auth.users SET locale = 'de'");
    await expect(owner.query("UPDATE auth.users SET locale = 'french'")).rejects.toEqual(state('23514'));
    const flow = `INSERT INTO auth.code_flows (id, purpose, email, link_hash, expires_at, link_expires_at, locale)
      VALUES (gen_random_uuid(), 'sign-in', 'ada@example.com', sha256(gen_random_uuid()::text::bytea), now(), now(), $1)`;
    await owner.query(flow, ['de']);
    await expect(owner.query(flow, ['french'])).rejects.toEqual(state('23514'));
  });

  const SECRETS = [
    'SELECT password_hash FROM auth.users',
    'SELECT code_hash FROM auth.code_flows',
    'SELECT link_hash FROM auth.email_reverts',
  ];
  const KNOWN = "SELECT auth.has_account('taken@example.com') AS known";

  it.each([
    ['events', [...SECRETS, KNOWN, 'SELECT * FROM auth.mail_recipient']],
    ['admin', [...SECRETS, KNOWN, 'SELECT * FROM auth.users']],
    ['gateway', SECRETS],
    [
      'worker',
      [
        ...[...SECRETS, KNOWN, "SELECT * FROM auth.find_members('ada')"],
        'INSERT INTO auth.code_flows (id) VALUES (gen_random_uuid())',
        'SELECT auth.administrator_refusal(gen_random_uuid(), 1)',
        'UPDATE auth.outbox SET payload = $$[]$$',
      ],
    ],
  ])('denies %s access to secrets and other unpublished data', async (name, statements) => {
    const pool = database.openPool(database.urlFor(`meetmark_${name}`));
    for (const statement of statements) await expect(pool.query(statement)).rejects.toEqual(DENIED);
  });

  it('tells only the gateway whether an email address has an account', async () => {
    const { rows } = await database.openPool(database.urlFor('meetmark_gateway')).query(KNOWN);
    expect(rows).toEqual([{ known: true }]);
  });

  it('shows only name, image and LinkedIn URL in a member card', async () => {
    const { fields } = await owner.query('SELECT * FROM auth.member_card');
    expect(fields.map(({ name }) => name)).toEqual([
      ...['id', 'first_name', 'last_name', 'profile_image_url', 'linked_in_url'],
    ]);
  });

  it('lists no member with an unverified email address', async () => {
    const { id } = await insertUser(owner, { emailVerifiedAt: null });
    expect((await owner.query('SELECT FROM auth.listed_member WHERE id = $1', [id])).rowCount).toBe(0);
  });

  describe('with thousands of accounts', () => {
    beforeAll(async () => {
      await owner.query(
        `INSERT INTO auth.users (id, email, first_name, last_name)
         SELECT gen_random_uuid(), 'member-' || n || '@example.org', 'Member', md5(n::text) FROM generate_series(1, 3000) AS n`,
      );
      // Without VACUUM, the costs of a text search include a list of new rows, however long it happens to be.
      await owner.query('VACUUM ANALYZE auth.users');
    });

    const NOBODY = '0197f000-0000-7000-8000-000000000000';
    it.each([
      ['users_search_idx', "WHERE search_text LIKE public.containing('lovelace')"],
      ['users_name_search_idx', "WHERE public.searchable(sort_name) LIKE public.containing('lovelace')"],
      [
        'users_sort_name_idx',
        `WHERE (sort_name, id) > ('Ada'::text, '${NOBODY}'::uuid) ORDER BY sort_name, id LIMIT 20`,
      ],
      [
        'users_sort_email_idx',
        `WHERE (lower(email) COLLATE "und-x-icu", id) > ('a@b.example'::text, '${NOBODY}'::uuid)
         ORDER BY lower(email) COLLATE "und-x-icu", id LIMIT 20`,
      ],
    ])('uses the index %s to find or sort accounts', async (index, clauses) => {
      const { rows } = await owner.query(`EXPLAIN SELECT id FROM auth.users ${clauses}`);
      const plan = JSON.stringify(rows);
      expect([plan.includes(index), plan.includes('Filter')]).toEqual([true, false]);
    });
  });
});
