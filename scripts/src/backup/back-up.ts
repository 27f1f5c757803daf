import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, type Gzip } from 'node:zlib';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { withClient } from '../with-client.js';
import { FORMAT, TABLE_END, type BackupFooter, type BackupHeader, type TableHeader } from './backup-file.js';
import { fingerprints, type Fingerprints } from './fingerprints.js';
import { appliedMigrations, storedTables } from './stored-tables.js';

const OWNER_ONLY = 0o600;

/**
 * Writes all data, compressed, as of one moment while everything goes on working. What Redis holds is not in it: queues and caches
 * are made again from the database.
 * @param url connection string of the database's owner
 * @returns what was written, by table
 */
export function backUp(url: string, target: Writable): Promise<Fingerprints> {
  return withClient(url, async (client) => {
    await client.query("SET TIME ZONE 'UTC'");
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const file = createGzip();
    const written = pipeline(file, target);
    // A full disk ends the writing below as well; the reason is what `written` rejects with.
    const writing = writeAll(client, file).catch((error: Error) => {
      file.destroy(error);
      throw error;
    });
    const [taken] = await Promise.all([writing, written]);
    await client.query('COMMIT');
    return taken;
  });
}

/** The same into a new file that its user alone can read. One that could not be finished is removed. */
export async function backUpToFile(url: string, path: string): Promise<Fingerprints> {
  const file = await open(path, 'wx', OWNER_ONLY);
  try {
    return await backUp(url, file.createWriteStream());
  } catch (error) {
    await rm(path);
    throw error;
  } finally {
    await file.close();
  }
}

/** Notes for administrators when a backup was made. A database that is yet to be upgraded has no place for it. */
export function noteBackup(url: string, madeAt: Date): Promise<void> {
  return withClient(url, async (client) => {
    const { rowCount } = await client.query("SELECT WHERE to_regclass('admin.last_backup') IS NOT NULL");
    if (rowCount === 0) return;
    await client.query(
      `INSERT INTO admin.last_backup AS noted (made_at) VALUES ($1)
       ON CONFLICT (is_last) DO UPDATE SET made_at = greatest(noted.made_at, excluded.made_at)`,
      [madeAt],
    );
  });
}

async function writeAll(client: Client, file: Gzip): Promise<Fingerprints> {
  const header: BackupHeader = {
    format: FORMAT,
    madeAt: new Date().toISOString(),
    migrations: await appliedMigrations(client),
  };
  await writeLine(file, JSON.stringify(header));
  const tables = await storedTables(client);
  for (const { name, columns } of tables) {
    await writeLine(file, JSON.stringify({ table: name, columns } satisfies TableHeader));
    const rows = client.query(copyTo(`COPY ${name} (${columns.join(', ')}) TO STDOUT`));
    for await (const chunk of rows as AsyncIterable<Buffer>) await write(file, chunk);
    await writeLine(file, TABLE_END);
  }
  const footer: BackupFooter = { fingerprints: await fingerprints(client, tables) };
  await writeLine(file, JSON.stringify(footer));
  file.end();
  return footer.fingerprints;
}

const writeLine = (file: Gzip, line: string) => write(file, `${line}\n`);

async function write(file: Gzip, chunk: string | Buffer): Promise<void> {
  if (!file.write(chunk)) await once(file, 'drain');
}
