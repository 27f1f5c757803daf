import { anyFreePort, testDatabase, testRedis, type TestDatabase } from '@meetmark/testing';
import { insertUser } from '@meetmark/testing/factories/users';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import pg from 'pg';
import { documentedRun } from './containers/documented-run.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const HOOKS = path.join(ROOT, 'scripts/jest/typescript-hooks.mjs');
/** Registers the hooks that load our sources, so that nothing has to be built. */
const LOADER = `data:text/javascript,import{register}from'node:module';register('file://${HOOKS}')`;

interface Tool {
  command: string[];
  environment: Record<string, string>;
}
const { services } = parse(readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, Tool>;
};

describe('the commands of docs/operations.md for accounts, with what docker-compose.yml gives them', () => {
  let database: TestDatabase;
  let owner: pg.Pool;
  let redisUrl: string;
  beforeAll(async () => {
    database = await testDatabase();
    owner = new pg.Pool({ connectionString: database.url, max: 2 });
    redisUrl = (await testRedis()).urlFor('auth');
  });
  afterAll(async () => {
    await owner.end();
    await database.drop();
  });

  /** What it prints and how it ends. Nothing of this process's environment comes along but the way to node. */
  const run = (
    tool: string,
    values: Record<string, string>,
    databaseUrl = database.urlFor('meetmark_auth'),
  ) => {
    const words = documentedRun(tool, values);
    const given = words
      .filter((_, at) => words[at - 1] === '-e')
      .map((word) => word.split(/=(.*)/s).slice(0, 2));
    const { command, environment } = services[tool]!;
    const servers = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
    const entries = Object.entries(environment).map(([name, value]) => {
      const [, fallback] = /^\$\{\w+:-(.*)\}$/.exec(String(value)) ?? [];
      return [name, name in servers ? servers[name as keyof typeof servers] : (fallback ?? String(value))];
    });
    const [program, script = ''] = command;
    if (program !== 'node') throw new Error(`${tool} runs ${program}`);
    const source = script.replace('/dist/', '/src/').replace(/\.js$/, '.ts');
    const env = Object.fromEntries([
      ...entries,
      ...given,
      ['PATH', process.env['PATH']],
    ]) as NodeJS.ProcessEnv;
    return new Promise<{ code: unknown; said: string }>((resolve) => {
      execFile(process.execPath, ['--import', LOADER, source], { cwd: ROOT, env }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, said: stdout + stderr }),
      );
    });
  };

  it("make an account an administrator's", async () => {
    const values = { ADMIN_EMAIL: 'first.admin@example.org', ADMIN_PASSWORD: 'correct horse' };
    expect(await run('create-admin', values)).toEqual({
      code: 0,
      said: expect.stringContaining('first.admin'),
    });
    const { rows } = await owner.query('SELECT is_admin FROM auth.users WHERE email = $1', [
      values.ADMIN_EMAIL,
    ]);
    expect(rows).toEqual([{ is_admin: true }]);
  });

  it('remove the second factors of an account, and tell where there are none', async () => {
    const { id, email } = await insertUser(owner);
    await owner.query('UPDATE auth.users SET second_factor = true WHERE id = $1', [id]);
    await owner.query(
      `INSERT INTO auth.second_factors (id, user_id, name, kind, sealed_secret, last_step)
       VALUES ($1, $2, 'Phone', 'totp', 'sealed', 0)`,
      [randomUUID(), id],
    );
    const first = await run('remove-second-factors', { USER_EMAIL: email });
    expect(first).toEqual({ code: 0, said: expect.stringContaining(`${email}: second factors removed`) });
    const { rowCount } = await owner.query('SELECT FROM auth.second_factors WHERE user_id = $1', [id]);
    expect(rowCount).toBe(0);
    const { rows } = await owner.query('SELECT second_factor, session_epoch FROM auth.users WHERE id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ second_factor: false, session_epoch: 2 }]); // signed out everywhere
    const again = await run('remove-second-factors', { USER_EMAIL: email });
    expect(again).toEqual({ code: 1, said: expect.stringContaining('Second factor not found') });
    const wrong = await run('remove-second-factors', { USER_EMAIL: 'nobody' });
    expect(wrong).toEqual({
      code: 78,
      said: expect.stringContaining('must be the email address of the account'),
    });
  });

  it('say why they cannot reach the database', async () => {
    const nowhere = `postgres://meetmark_auth@127.0.0.1:${await anyFreePort()}/meetmark`;
    const values = { USER_EMAIL: 'ada@example.org' };
    expect(await run('remove-second-factors', values, nowhere)).toEqual({
      code: 1,
      said: expect.stringContaining('ECONNREFUSED'),
    });
  });
});
