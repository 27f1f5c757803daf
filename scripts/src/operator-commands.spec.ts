import { anyFreePort, testDatabase, testRedis, type TestDatabase } from '@meetmark/testing';
import { insertUser } from '@meetmark/testing/factories/users';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { DEMO_MEMBER_EMAIL } from './seed/seed-demo.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Module loader for our TypeScript sources, so that the test needs no build. */
const LOADER = `data:text/javascript,import{register}from'node:module';register('file://${ROOT}/scripts/jest/typescript-hooks.mjs')`;

const run = (command: string, environment: Record<string, string>) =>
  new Promise<{ code: unknown; output: string }>((resolve) => {
    const env = { PATH: process.env['PATH'], ...environment } as NodeJS.ProcessEnv;
    const args = ['--import', LOADER, `scripts/src/${command}.ts`];
    execFile(process.execPath, args, { cwd: ROOT, env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
const result = (code: number, output: string) => ({
  code,
  output: expect.stringContaining(output) as string,
});

describe('the commands for operators', () => {
  let database: TestDatabase;
  let owner: pg.Pool;
  let auth: { DATABASE_URL: string; REDIS_URL: string };
  beforeEach(async () => {
    database = await testDatabase();
    owner = new pg.Pool({ connectionString: database.url, max: 2 });
    auth = { DATABASE_URL: database.urlFor('meetmark_auth'), REDIS_URL: (await testRedis()).urlFor('auth') };
  });
  afterEach(async () => {
    await owner.end();
    await database.drop();
  });

  const countUsers = async (condition = 'true') =>
    (await owner.query(`SELECT FROM auth.users WHERE ${condition}`)).rowCount;

  it('create-admin creates an administrator', async () => {
    const account = { ADMIN_EMAIL: 'first.admin@example.org', ADMIN_PASSWORD: 'correct horse' };
    expect(await run('create-admin', { ...auth, ...account })).toEqual(result(0, 'first.admin'));
    expect(await countUsers("is_admin AND email = 'first.admin@example.org'")).toBe(1);
  });

  it('remove-second-factors removes an account’s second factors and signs it out', async () => {
    const { id, email } = await insertUser(owner);
    await owner.query('UPDATE auth.users SET second_factor = true WHERE id = $1', [id]);
    await owner.query(
      `INSERT INTO auth.second_factors (id, user_id, name, kind, sealed_secret, last_step)
       VALUES ($1, $2, 'Phone', 'totp', 'sealed', 0)`,
      [randomUUID(), id],
    );
    const remove = (USER_EMAIL: string, more = {}) =>
      run('remove-second-factors', { ...auth, USER_EMAIL, ...more });
    expect(await remove(email)).toEqual(result(0, `${email}: second factors removed`));
    expect((await owner.query('SELECT FROM auth.second_factors')).rowCount).toBe(0);
    expect(await countUsers(`NOT second_factor AND session_epoch = 2 AND id = '${id}'`)).toBe(1);
    expect(await remove(email)).toEqual(result(1, 'Second factor not found'));
    expect(await remove('nobody')).toEqual(result(78, 'must be the email address of the account'));
    const DATABASE_URL = `postgres://meetmark_auth@127.0.0.1:${await anyFreePort()}/meetmark`;
    expect(await remove(email, { DATABASE_URL })).toEqual(result(1, 'ECONNREFUSED'));
  });

  const seed = (changed = {}) =>
    run('seed-demo', {
      MIGRATION_DATABASE_URL: database.url,
      COMMUNITY_CONFIG: path.join(ROOT, 'config/demo/community.json'),
      ADMIN_EMAIL: 'admin@meetmark.example',
      ADMIN_PASSWORD: 'correct horse',
      DEMO_MEMBER_PASSWORD: 'battery staple',
      ...changed,
    });

  it('seed-demo requires a password and a database without accounts', async () => {
    expect(await seed({ DEMO_MEMBER_PASSWORD: '' })).toEqual(
      result(78, 'run node scripts/make-env.mjs --demo'),
    );
    expect(await countUsers()).toBe(0);
    await insertUser(owner);
    expect(await seed()).toEqual(result(1, 'The database already has accounts'));
    expect(await countUsers()).toBe(1);
  });

  it('seed-demo adds the demo only once, even if a member’s email address changed', async () => {
    expect(await seed()).toEqual(result(0, 'The demo community was added.\n'));
    await owner.query("UPDATE auth.users SET email = 'someone@example.org' WHERE email = $1", [
      DEMO_MEMBER_EMAIL,
    ]);
    const users = await countUsers();
    expect(await seed()).toEqual(result(0, 'The demo community already exists.\n'));
    expect(await countUsers()).toBe(users);
  });
});
