import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { createGunzip } from 'node:zlib';
import { layBaseline, migrate } from '@meetmark/platform/database/migrate';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { LEDGER_OF_1_0_0 } from '../ledger-of-1.0.0.js';
import { OWNERS, SCHEMAS } from '../migrations.js';
import { withClient } from '../with-client.js';
import {
  FORMAT,
  linesOf,
  TABLE_END,
  type BackupFooter,
  type BackupHeader,
  type TableHeader,
} from './backup-file.js';
import { differences, fingerprints, type Fingerprints } from './fingerprints.js';
import { appliedMigrations, storedTables, type StoredTable } from './stored-tables.js';

/** zlib's word for bytes that it did not write. */
const NOT_GZIP = 'Z_DATA_ERROR';
const NO_BACKUP = 'This is no backup of Meetmark';

/**
 * Puts the data of a backup in place of what the database holds, all or nothing: every table has to have the rows and checksums that
 * were written down when the backup was made. The database has to be migrated to the same version, and nothing may be using it. Into one of
 * this version a backup of 1.0.0 comes, too: into the tables of 1.0.0, which are migrated once its data is there.
 * @param url connection string of the database's owner
 * @param replace true throws away the accounts that the database holds already; otherwise that is an error
 */
export async function restore(
  url: string,
  source: Readable,
  { replace = false } = {},
): Promise<Fingerprints> {
  const lines = linesOf(unzipped(source));
  const { restored, isOfBaseline } = await withClient(url, async (client) => {
    await client.query("SET TIME ZONE 'UTC'");
    await client.query('BEGIN');
    const done = await restoreAll(client, lines, replace);
    await client.query('COMMIT');
    return done;
  });
  if (isOfBaseline) await migrate({ url, passwords: {}, owners: OWNERS });
  return restored;
}

/** From the start on, so that a file that cannot be read fails the restore and not the process. */
function unzipped(source: Readable): Readable {
  const gunzip = createGunzip();
  pipeline(source, gunzip).catch((error: Error) => gunzip.destroy(error)); // the reader gets the error
  return gunzip;
}

async function restoreAll(
  client: Client,
  lines: AsyncGenerator<Buffer>,
  replace: boolean,
): Promise<{ restored: Fingerprints; isOfBaseline: boolean }> {
  const isOfBaseline = await checkHeader(client, await readHeader(lines));
  if (!replace) await checkEmpty(client);
  if (isOfBaseline) await beginAtBaseline(client);
  const tables = await storedTables(client);
  // What our triggers count and stamp is in the data already; and the audit log refuses to be emptied.
  for (const { name } of tables) await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
  await client.query(`TRUNCATE ${tables.map(({ name }) => name).join(', ')}`);
  const expected = await copyTables(client, lines, tables);
  for (const { name } of tables) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
  const actual = await fingerprints(client, tables);
  const wrong = differences(expected, actual);
  if (wrong.length > 0)
    throw new Error(`The backup is damaged: ${wrong.join(', ')} would not be as they were`);
  return { restored: actual, isOfBaseline };
}

async function readHeader(lines: AsyncGenerator<Buffer>): Promise<BackupHeader> {
  try {
    return await nextJson<BackupHeader>(lines);
  } catch (error) {
    const isSomethingElse = error instanceof SyntaxError || (error as { code?: string }).code === NOT_GZIP;
    throw isSomethingElse ? new Error(NO_BACKUP, { cause: error }) : error;
  }
}

/** Resolves with whether the backup is of 1.0.0. */
async function checkHeader(client: Client, header: BackupHeader): Promise<boolean> {
  if (header.format !== FORMAT) throw new Error(NO_BACKUP);
  if (isSame(header.migrations, await appliedMigrations(client))) return false;
  if (isSame(header.migrations, LEDGER_OF_1_0_0)) return true;
  throw new Error(
    'The backup was made by another version of Meetmark. Restore it with that version, then upgrade.',
  );
}

type Ledgers = BackupHeader['migrations'];
const sorted = (ledgers: Ledgers) =>
  Object.fromEntries(Object.entries(ledgers).map(([schema, names]) => [schema, names.toSorted()]));
const isSame = (one: Ledgers, other: Ledgers) => isDeepStrictEqual(sorted(one), sorted(other));

/** The tables of 1.0.0, empty, without functions, triggers and views. */
async function beginAtBaseline(client: Client): Promise<void> {
  await client.query(`DROP SCHEMA ${SCHEMAS.join(', ')} CASCADE`);
  for (const { schema, baseline } of OWNERS) {
    await client.query(`CREATE SCHEMA ${schema}`);
    await layBaseline(async (...query) => (await client.query(...query)).rows, schema, baseline);
  }
}

async function checkEmpty(client: Client): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM auth.users LIMIT 1');
  if (rowCount !== 0) throw new Error('The database holds accounts. --replace throws them away.');
}

/** Resolves with the fingerprints at the end of the file. */
async function copyTables(
  client: Client,
  lines: AsyncGenerator<Buffer>,
  tables: StoredTable[],
): Promise<Fingerprints> {
  for (;;) {
    const part = await nextJson<TableHeader | BackupFooter>(lines);
    if ('fingerprints' in part) return part.fingerprints;
    // Names from the file are compared, never run.
    const table = tables.find(({ name }) => name === part.table);
    if (table === undefined || table.columns.join() !== part.columns.join())
      throw new Error(`The backup is damaged: ${part.table} has other columns here`);
    await pipeline(
      Readable.from(rowsOf(lines), { objectMode: false }),
      client.query(copyFrom(`COPY ${table.name} (${table.columns.join(', ')}) FROM STDIN`)),
    );
  }
}

async function* rowsOf(lines: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  for (let line = await nextLine(lines); line.toString('latin1') !== TABLE_END; line = await nextLine(lines))
    yield Buffer.concat([line, NEWLINE]);
}

const NEWLINE = Buffer.from('\n');

const nextJson = async <T>(lines: AsyncGenerator<Buffer>) => JSON.parse(String(await nextLine(lines))) as T;

async function nextLine(lines: AsyncGenerator<Buffer>): Promise<Buffer> {
  const { value, done } = await lines.next();
  if (done) throw new Error('The backup ends too early');
  return value;
}
