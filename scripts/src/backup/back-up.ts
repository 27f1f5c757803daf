import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, type Gzip } from 'node:zlib';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { FORMAT, TABLE_END, type BackupFooter, type BackupHeader, type TableHeader } from './backup-file.js';
import { fingerprints, type Fingerprints } from './fingerprints.js';
import { appliedMigrations, storedTables } from './stored-tables.js';

/**
 * Writes all data, compressed, as of one moment while everything goes on working. What Redis holds is not in it: queues and caches
 * are made again from the database.
 * @param url connection string of the database's owner
 * @returns what was written, by table
 */
export async function backUp(url: string, target: Writable): Promise<Fingerprints> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SET TIME ZONE 'UTC'");
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const file = createGzip();
    const written = pipeline(file, target);
    // A full disk ends the writing below as well; the reason is what `written` rejects with.
    const [taken] = await Promise.all([writeAll(client, file), written]);
    await client.query('COMMIT');
    return taken;
  } finally {
    await client.end();
  }
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
