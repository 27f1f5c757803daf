import { testDatabase, type TestDatabase } from '@meetmark/testing';
import { insertAdministrator, insertUser } from '@meetmark/testing/factories/users';
import pg from 'pg';

const state = (code: string) => expect.objectContaining({ code });
const DENIED = state('42501');

describe('the auth database', () => {
  let database: TestDatabase;
  let owner: pg.Pool;
  const pools: pg.Pool[] = [];
  const as = (role: string) => {
    const pool = new pg.Pool({ connectionString: database.urlFor(role), max: 1 });
    pools.push(pool);
    return pool;
  };
  beforeAll(async () => {
    database = await testDatabase();
    owner = new pg.Pool({ connectionString: database.url, max: 3 });
    pools.push(owner);
    await insertUser(owner, { email: 'taken@example.com' });
  });
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await database.drop();
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

  it('lets other services read only published views and columns', async () => {
    const [events, worker, admin, gateway] = ['events', 'worker', 'admin', 'gateway'].map((name) =>
      as(`meetmark_${name}`),
    );
    for (const view of [
      ...['listed_member', 'member_card', 'member_contact', 'administrator', 'member_consent'],
      'member_locale',
    ])
      await events?.query(`SELECT * FROM auth.${view}`);
    for (const view of ['mail_recipient', 'member_locale']) await worker?.query(`SELECT * FROM auth.${view}`);
    await worker?.query(
      'SELECT id, purpose, user_id, email, locale, sealed, link_expires_at, ended_at FROM auth.code_flows',
    );
    await worker?.query('SELECT id, user_id, email, sealed, expires_at, ended_at FROM auth.email_reverts');
    await events?.query('SELECT id, feeds_ended_at FROM auth.feed_end');
    await admin?.query('SELECT * FROM auth.mail_status');
    for (const pool of [events, worker, admin, gateway])
      for (const secret of [
        'password_hash FROM auth.users',
        'code_hash FROM auth.code_flows',
        'link_hash FROM auth.email_reverts',
      ])
        await expect(pool?.query(`SELECT ${secret}`)).rejects.toEqual(DENIED);
    await expect(events?.query('SELECT * FROM auth.mail_recipient')).rejects.toEqual(DENIED);
    await expect(admin?.query('SELECT * FROM auth.users')).rejects.toEqual(DENIED);
    await expect(worker?.query('UPDATE auth.users SET is_admin = true')).rejects.toEqual(DENIED);
    await expect(worker?.query('DELETE FROM auth.users')).rejects.toEqual(DENIED);
    await expect(
      worker?.query('INSERT INTO auth.code_flows (id) VALUES (gen_random_uuid())'),
    ).rejects.toEqual(DENIED);
    await expect(worker?.query('SELECT auth.administrator_refusal(gen_random_uuid(), 1)')).rejects.toEqual(
      DENIED,
    );
    await events?.query("SELECT * FROM auth.find_members('ada')");
    await expect(worker?.query("SELECT * FROM auth.find_members('ada')")).rejects.toEqual(DENIED);
    const known = "SELECT auth.has_account('taken@example.com') AS known";
    expect((await gateway?.query(known))?.rows).toEqual([{ known: true }]);
    for (const pool of [events, worker, admin]) await expect(pool?.query(known)).rejects.toEqual(DENIED);
    await expect(worker?.query('UPDATE auth.outbox SET payload = $$[]$$')).rejects.toEqual(DENIED);
  });

  it('shows only name, image and LinkedIn URL in a member card', async () => {
    const { id } = await insertUser(owner);
    const { rows } = await owner.query('SELECT * FROM auth.member_card WHERE id = $1', [id]);
    expect(Object.keys(rows[0])).toEqual([
      'id',
      'first_name',
      'last_name',
      'profile_image_url',
      'linked_in_url',
    ]);
  });

  it('lists no member with an unverified email address', async () => {
    const { id } = await insertUser(owner, { emailVerifiedAt: null });
    expect((await owner.query('SELECT FROM auth.listed_member WHERE id = $1', [id])).rowCount).toBe(0);
  });

  it('lets the worker clean up codes, images and jobs', async () => {
    const worker = as('meetmark_worker');
    await worker.query('UPDATE auth.code_flows SET sealed = NULL');
    await worker.query("DELETE FROM auth.code_flows WHERE created_at < now() - interval '1 day'");
    await worker.query('UPDATE auth.email_reverts SET sealed = NULL');
    await worker.query("DELETE FROM auth.email_reverts WHERE expires_at < now() - interval '1 day'");
    await worker.query(`
      DELETE FROM auth.pictures p WHERE created_at < now() - interval '1 day'
      AND NOT EXISTS (SELECT FROM auth.users u WHERE u.profile_picture_hash = p.hash)`);
    await worker.query('SELECT id FROM auth.outbox WHERE done_at IS NULL FOR UPDATE SKIP LOCKED');
    await worker.query('DELETE FROM auth.outbox WHERE done_at IS NOT NULL');
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
    const client = await owner.connect();
    try {
      await client.query(
        `BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off;
         INSERT INTO auth.users (id, email, first_name, last_name)
         SELECT gen_random_uuid(), 'member-' || n || '@example.org', 'Member', md5(n::text) FROM generate_series(1, 3000) AS n;
         ANALYZE auth.users`,
      );
      const { rows } = await client.query(`EXPLAIN SELECT id FROM auth.users ${clauses}`);
      const plan = JSON.stringify(rows);
      expect([plan.includes(index), plan.includes('Filter')]).toEqual([true, false]);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });
});
