import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import {
  canReach,
  executable,
  findPostgresBinaries,
  makeReachable,
  REACHABLE_BASE,
  type PostgresBinaries,
} from './postgres-binaries.js';
import { OWNER, prepareCluster, recoverFromKill, serverEnvironment } from './postgres-cluster.js';
import { ManagedProcess } from './managed-process.js';

export interface PostgresOptions {
  directory: string;
  logFile: string;
  port: number;
  database: string;
  /** Whether data survives a crash. `false` makes a test server faster. */
  durable: boolean;
  note?: (message: string) => void;
  /** Called with the process id on every start and restart, before the server is ready. */
  onSpawn?: (pid: number) => void;
}

export interface PostgresServer {
  process: ManagedProcess;
  version: string;
  url: string;
  directory: string;
}

const READY_WITHIN_MS = 60_000;
const CONNECT_TIMEOUT_MS = 2_000;
const DURABLE_CONNECTIONS = 250;
const TEST_CONNECTIONS = 400;
/** Shortens logged errors to one line. Hides rows and statements, because they may contain personal data. */
export const DISCREET_LOG = {
  log_error_verbosity: 'terse',
  log_min_error_statement: 'fatal',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
};
const NOT_DURABLE = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'];

export async function launchPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const note = options.note ?? (() => {});
  const binaries = findPostgresBinaries(note);
  const directory = reachableDirectory(binaries, options.directory, note);
  const password = prepareCluster(binaries, directory);
  await recoverFromKill(directory, note);
  const urlFor = (database: string) =>
    `postgres://${OWNER}:${password}@127.0.0.1:${options.port}/${database}`;
  const server = new ManagedProcess({
    name: 'postgres',
    program: executable(binaries.home, 'postgres'),
    args: serverArguments(options, directory),
    cwd: directory,
    env: serverEnvironment(),
    account: binaries.account && { uid: binaries.account.uid, gid: binaries.account.gid },
    logFile: options.logFile,
    onSpawn: options.onSpawn,
    isReady: () => ensureDatabase(urlFor('postgres'), options.database),
    readyWithinMs: READY_WITHIN_MS,
    stopSteps: [
      ['SIGINT', 10_000],
      ['SIGQUIT', 5_000],
    ],
  });
  await server.start();
  return { process: server, version: binaries.version, url: urlFor(options.database), directory };
}

function serverArguments({ port, durable }: PostgresOptions, directory: string): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    // No socket, because its path is limited to about 100 characters, which a deep checkout would exceed.
    unix_socket_directories: '',
    // Meetmark uses no logical replication.
    max_logical_replication_workers: '0',
    max_connections: String(durable ? DURABLE_CONNECTIONS : TEST_CONNECTIONS),
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...DISCREET_LOG,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', directory, '-p', String(port), ...flags, ...(durable ? [] : NOT_DURABLE)];
}

function reachableDirectory(
  { account }: PostgresBinaries,
  wanted: string,
  note: (message: string) => void,
): string {
  const parent = path.dirname(wanted);
  fs.mkdirSync(parent, { recursive: true, mode: 0o755 });
  if (!account || canReach(account, parent)) return wanted;
  const checkout = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  const home = makeReachable(path.join(makeReachable(REACHABLE_BASE), checkout));
  note(`the account ${account.name} cannot enter ${parent}; its data lives in ${home}`);
  return path.join(home, path.basename(wanted));
}

async function ensureDatabase(url: string, database: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // If the server shuts down, pg emits an error event instead of rejecting a query.
  client.on('error', () => {});
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (!rowCount) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
    return true;
  } finally {
    await client.end();
  }
}
