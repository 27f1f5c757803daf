import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { anyFreePort } from '../embedded/ports.js';
import { launchPostgres, type PostgresOptions } from '../embedded/postgres.js';
import { launchRedis } from '../embedded/redis.js';
import {
  expectNothingRefused,
  testRedisAt,
  type TestRedis,
  writeTestRedisUsers,
} from '../embedded/redis-users.js';
import type { ManagedProcess } from '../embedded/managed-process.js';
import { askBroker } from './test-database.js';

/** A server of the test's own, to be killed and restarted at will. Its data is kept until `stop`. */
export interface PrivateServer {
  url: string;
  port: number;
  readonly pid: number;
  /** Resolves when the process is gone. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Starts it (again) on the same port and data, stopping it first if it still runs. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/** Its end fails when it refused a process something. */
export type PrivateRedis = Omit<PrivateServer, 'url'> & TestRedis;

/** A private Redis with its append-only file on. `refuses`: what it refuses is what is tested. */
export async function startRedis({ refuses = false } = {}): Promise<PrivateRedis> {
  const launch: Launch = (options) =>
    launchRedis({ ...options, usersFile: writeTestRedisUsers(`${options.directory}.acl`) });
  const server = await startPrivate('redis', launch, refuses ? undefined : expectNothingRefused);
  return Object.assign(server, testRedisAt(server.url));
}

/** A private, empty PostgreSQL with fsync on; `url` is its owner's. */
export const startPostgres = () =>
  startPrivate('postgres', (options) => launchPostgres({ ...options, database: 'meetmark' }));

type Launch = (
  options: Omit<PostgresOptions, 'database'>,
) => Promise<{ process: ManagedProcess; url: string }>;

async function startPrivate(
  name: string,
  launch: Launch,
  beforeEnd?: (url: string) => Promise<void>,
): Promise<PrivateServer> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), `meetmark-${name}-`));
  // The account that PostgreSQL runs as under root has to enter it.
  fs.chmodSync(directory, 0o755);
  const port = await anyFreePort();
  const { process: server, url } = await launch({
    directory: path.join(directory, 'data'),
    logFile: path.join(directory, 'server.log'),
    port,
    durable: true,
  });
  await askBroker(`guard/${server.pid}`);
  const look = async () => {
    if (server.running) await beforeEnd?.(url);
  };
  return {
    url,
    port,
    get pid() {
      return server.pid;
    },
    async kill(signal) {
      await look();
      await server.kill(signal);
      await askBroker(`release/${server.pid}`);
    },
    async restart() {
      await look();
      await askBroker(`release/${server.pid}`);
      await server.restart();
      await askBroker(`guard/${server.pid}`);
    },
    async stop() {
      try {
        await look();
      } finally {
        await server.stop();
        await askBroker(`release/${server.pid}`);
        fs.rmSync(directory, { recursive: true, force: true });
      }
    },
  };
}
