import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { anyFreePort } from './ports.js';
import { launchPostgres, type PostgresServer } from './postgres.js';

describe('the embedded PostgreSQL', () => {
  let directory: string;
  let server: PostgresServer;
  const notes: string[] = [];

  const launch = async () =>
    launchPostgres({
      directory: path.join(directory, 'data'),
      logFile: path.join(directory, 'postgres.log'),
      port: await anyFreePort(),
      database: 'meetmark',
      durable: true,
      note: (message) => notes.push(message),
    });
  const query = async (statement: string) => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      return (await client.query(statement)).rows;
    } finally {
      await client.end();
    }
  };

  beforeAll(async () => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-postgres-spec-'));
    fs.chmodSync(directory, 0o755);
    server = await launch();
    await query('CREATE TABLE kept (id int)');
  });
  afterAll(async () => {
    await server.process.stop();
    fs.rmSync(directory, { recursive: true });
  });

  it('stores UTF-8 and uses the builtin collation provider', async () => {
    const settings =
      "SELECT pg_encoding_to_char(encoding) AS encoding, datlocprovider AS provider FROM pg_database WHERE datname = 'meetmark'";
    expect(await query(settings)).toEqual([{ encoding: 'UTF8', provider: 'b' }]);
    expect(await query("SELECT upper('é') AS upper")).toEqual([{ upper: 'É' }]);
  });

  it('does not log the values of rejected statements', async () => {
    await query('CREATE TABLE people (email text UNIQUE, name text CHECK (length(name) < 40))');
    await query("INSERT INTO people VALUES ('ada@people.example', 'Ada')");
    const refusals = [
      "INSERT INTO people VALUES ('ada@people.example', 'Lovelace')",
      "INSERT INTO people VALUES ('grace@people.example', repeat('Hopper', 9))",
      "SELECT nothing FROM people WHERE email = 'joan@people.example'",
    ];
    for (const statement of refusals) await expect(query(statement)).rejects.toThrow();
    const log = fs.readFileSync(path.join(directory, 'postgres.log'), 'utf8');
    expect(log).toContain('violates unique constraint');
    expect(log).not.toMatch(/people\.example|Lovelace|Hopper/);
  });

  it('starts after SIGKILL even if its old pid belongs to another program', async () => {
    await query('INSERT INTO kept VALUES (1)');
    await server.process.kill('SIGKILL');
    const pidFile = path.join(server.directory, 'postmaster.pid');
    fs.writeFileSync(pidFile, fs.readFileSync(pidFile, 'utf8').replace(/^\d+/, '1'));
    server = await launch();
    expect(notes.join()).toContain('now belongs to another program');
    expect(await query('SELECT id FROM kept')).toEqual([{ id: 1 }]);
  });

  it('stops a server left over from an earlier run', async () => {
    const leftOver = server.process.pid;
    server = await launch();
    expect(notes.join()).toContain(`left over from an earlier run (pid ${leftOver})`);
    expect(await query('SELECT id FROM kept')).toEqual([{ id: 1 }]);
  });

  it('explains what to do when the data is from another version', async () => {
    await server.process.stop();
    const versionFile = path.join(server.directory, 'PG_VERSION');
    const version = fs.readFileSync(versionFile, 'utf8');
    fs.writeFileSync(versionFile, '12\n');
    await expect(launch()).rejects.toThrow(
      /made by PostgreSQL 12; the bundled server is \d+. Remove the directory to start afresh/,
    );
    fs.writeFileSync(versionFile, version);
  });
});
