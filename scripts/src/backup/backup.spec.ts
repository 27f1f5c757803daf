import { execFile } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { testDatabase, until, type TestDatabase } from '@meetmark/testing';
import { daysFromNow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import { loadCommunity } from '@meetmark/platform/community/community';
import { seedDemo } from '../seed/seed-demo.js';
import { restoreCommunity } from '../upgrade/community-of-1.0.0.js';
import { codeOf, tablesOf } from '../upgrade/database-objects.js';
import { withClient } from '../with-client.js';
import { backUp, backUpToFile, noteBackup } from './back-up.js';
import { fingerprints, type Fingerprints } from './fingerprints.js';
import { restore } from './restore.js';
import { storedTables } from './stored-tables.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const { timeZone } = loadCommunity(path.join(ROOT, 'config/demo/community.json'));

let source: TestDatabase;
let target: TestDatabase;
let backup: Buffer;

const taken = async (url: string) => {
  const file = new PassThrough();
  const [content] = await Promise.all([buffer(file), backUp(url, file)]);
  return content;
};
const restored = (content: Buffer, options = {}) => restore(target.url, Readable.from([content]), options);

const contentOf = (url: string) =>
  withClient(url, async (client) => {
    await client.query("SET TIME ZONE 'UTC'");
    return fingerprints(client, await storedTables(client));
  });
const users = (url: string) =>
  withClient(url, async (client) => (await client.query('SELECT FROM auth.users')).rowCount);

const newFile = () => path.join(mkdtempSync(path.join(tmpdir(), 'backup-')), 'backup.gz');
const HOOKS = path.join(ROOT, 'scripts/jest/typescript-hooks.mjs');
/** Registers the hooks that load our sources, so that nothing has to be built. */
const LOADER = `data:text/javascript,import{register}from'node:module';register('file://${HOOKS}')`;

beforeAll(async () => {
  source = await testDatabase();
  const [email, password] = ['admin@example.org', 'correct horse'];
  await seedDemo(source.url, async () => ({
    administrator: { email, password },
    memberPassword: password,
    timeZone,
  }));
  // What text formats stumble over.
  await withClient(source.url, async (client) => {
    const description = 'a tab\t, a line\nand another\r\n, \\N \\. "quotes", \u2028, ünï 🎈';
    const user = await insertUser(client, { description });
    const event = await insertEvent(client, { createdById: user.id, startDate: daysFromNow(3) });
    await insertRegistration(client, { eventId: event.id, userId: user.id });
  });
  backup = await taken(source.url);
});
afterAll(() => source.drop());
beforeEach(async () => void (target = await testDatabase()));
afterEach(() => target.drop());

describe('a backup', () => {
  it('comes back with the rows and checksums of every table', async () => {
    const before = await contentOf(source.url);
    await restored(backup);
    expect(await contentOf(target.url)).toEqual(before);
    expect(before['auth.users']?.rows).toBeGreaterThan(10);
    expect(before['events.event_registrations']?.rows).toBeGreaterThan(10);
    expect(before['events.pictures']?.rows).toBeGreaterThan(0);
  });

  it('leaves a database whose triggers and constraints work', async () => {
    await restored(backup);
    await withClient(target.url, async (client) => {
      const event = await insertEvent(client, { createdById: (await insertUser(client)).id, capacity: 1 });
      const register = async () =>
        insertRegistration(client, { eventId: event.id, userId: (await insertUser(client)).id });
      await register();
      await expect(register()).rejects.toMatchObject({ code: '23514' });
    });
  });

  it('is as of one moment, whatever is written meanwhile', async () => {
    const file = new PassThrough();
    await withClient(source.url, async (client) => {
      const content = buffer(file);
      const running = backUp(source.url, file);
      await insertUser(client);
      const said = await running;
      await restored(await content);
      expect(await contentOf(target.url)).toEqual(said);
    });
  });

  describe('in a file', () => {
    it('is for its user alone, and comes back', async () => {
      const file = newFile();
      const said = await backUpToFile(source.url, file);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(await restore(target.url, createReadStream(file))).toEqual(said);
    });

    it('never takes the place of another file', async () => {
      const file = newFile();
      writeFileSync(file, 'kept');
      await expect(backUpToFile(source.url, file)).rejects.toThrow('EEXIST');
      expect(readFileSync(file, 'utf8')).toBe('kept');
    });

    it('does not stay when it could not be finished', async () => {
      const file = newFile();
      await withClient(source.url, async (client) => {
        await client.query('BEGIN; LOCK TABLE events.events');
        const running = backUpToFile(source.url, file);
        await until('the backup waits for the lock', 10_000, async () => {
          const { rowCount } = await client.query(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted AND relation = 'events.events'::regclass",
          );
          return rowCount === 1;
        });
        await expect(running).rejects.toThrow(/terminat/);
      });
      expect(existsSync(file)).toBe(false);
    });
  });

  it('by the command is noted with its moment, the newest alone', async () => {
    const began = Date.now();
    const command = ['--import', LOADER, 'scripts/src/make-backup.ts', newFile()];
    const env = { PATH: process.env['PATH'], MIGRATION_DATABASE_URL: target.url };
    const { stderr } = await promisify(execFile)(process.execPath, command, { cwd: ROOT, env });
    expect(stderr).toContain('Backed up.');
    await noteBackup(target.url, new Date(0));
    const noted = await withClient(target.url, async (client) => {
      const { rows } = await client.query<{ made_at: Date }>('SELECT made_at FROM admin.last_backup');
      return rows.map(({ made_at }) => made_at.getTime());
    });
    expect(noted).toEqual([expect.any(Number)]);
    expect(noted[0]).toBeGreaterThanOrEqual(began);
  });

  it('holds every schema and sequence of ours', async () => {
    await withClient(source.url, async (client) => {
      const { rows } = await client.query(
        `SELECT schemaname, sequencename FROM pg_sequences WHERE sequencename <> 'migrations_id_seq'`,
      );
      expect(rows).toEqual([]);
      const schemas = await client.query<{ name: string }>(
        `SELECT DISTINCT schemaname AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
      );
      const held = new Set((await storedTables(client)).map(({ name }) => name.split('.')[0]));
      expect(schemas.rows.map(({ name }) => name).sort()).toEqual([...held].sort());
    });
  });
});

describe('a restore', () => {
  it('does not throw accounts away unless told to', async () => {
    await restored(backup);
    await withClient(target.url, (client) => insertUser(client));
    await expect(restored(backup)).rejects.toThrow('--replace');
    const replaced = await restored(backup, { replace: true });
    expect(await contentOf(target.url)).toEqual(replaced);
  });

  it('of a file with one byte changed leaves the database as it was', async () => {
    const text = gunzipSync(backup).toString('latin1');
    const damaged = gzipSync(Buffer.from(text.replace('admin@example.org', 'admix@example.org'), 'latin1'));
    await expect(restored(damaged)).rejects.toThrow('auth.users would not be as they were');
    expect(await users(target.url)).toBe(0);
  });

  it('of half a file leaves the database as it was', async () => {
    await expect(restored(backup.subarray(0, backup.length / 2))).rejects.toThrow();
    const lines = gunzipSync(backup).toString('latin1').split('\n').slice(0, 5).join('\n');
    await expect(restored(gzipSync(Buffer.from(`${lines}\n`, 'latin1')))).rejects.toThrow();
    expect(await users(target.url)).toBe(0);
  });

  it('of a file that is not there, or of something else, says so', async () => {
    await expect(restore(target.url, createReadStream('/nowhere/backup.gz'))).rejects.toThrow('ENOENT');
    for (const content of [Buffer.from('hello'), gzipSync('hello\n'), gzipSync('{}\n')])
      await expect(restored(content)).rejects.toThrow('This is no backup of Meetmark');
  });

  it('of another version says so', async () => {
    const [header = '', ...rest] = gunzipSync(backup).toString('latin1').split('\n');
    const other = [header.replace('"auth":[', '"auth":["Later1",'), ...rest].join('\n');
    await expect(restored(gzipSync(Buffer.from(other, 'latin1')))).rejects.toThrow('another version');
  });
});

describe('a backup of 1.0.0', () => {
  let before: Fingerprints;
  let old: Buffer;
  beforeAll(async () => {
    const released = await testDatabase();
    try {
      await restoreCommunity(released.url);
      before = await contentOf(released.url);
      old = await taken(released.url);
      await noteBackup(released.url, new Date()); // which it has no place for
    } finally {
      await released.drop();
    }
  });

  it('comes back into a database of this version, all of it, and is upgraded', async () => {
    const structureOf = (url: string) =>
      withClient(url, async (client) => ({ ...(await tablesOf(client)), ...(await codeOf(client)) }));
    const empty = await structureOf(target.url);
    expect(await restored(old)).toEqual(before);
    expect(await structureOf(target.url)).toEqual(empty);
    const after = await contentOf(target.url);
    for (const [table, { rows }] of Object.entries(before))
      expect(after[table]?.rows).toBeGreaterThanOrEqual(rows);
    expect(after['auth.users']).toEqual(before['auth.users']);
    await restored(await taken(target.url), { replace: true });
    expect(await contentOf(target.url)).toEqual(after);
  });

  it('does not throw accounts away unless told to', async () => {
    await withClient(target.url, (client) => insertUser(client));
    await expect(restored(old)).rejects.toThrow('--replace');
    expect(await restored(old, { replace: true })).toEqual(before);
  });

  it('that is damaged or lacks a migration leaves the database as it was', async () => {
    await withClient(target.url, (client) => insertUser(client));
    const text = gunzipSync(old).toString('latin1');
    for (const [from, to, reason] of [
      ['amelia.hartley@', 'amelix.hartley@', 'auth.users would not be as they were'],
      ['"Users1795219200000",', '', 'another version'],
    ] as const) {
      const other = gzipSync(Buffer.from(text.replace(from, to), 'latin1'));
      await expect(restored(other, { replace: true })).rejects.toThrow(reason);
      expect(await users(target.url)).toBe(1);
    }
  });
});
