import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { anyFreePort } from '../embedded/ports.js';
import type { PostgresOptions } from '../embedded/postgres.js';
import { launchRedis } from '../embedded/redis.js';
import {
  expectNothingRefused,
  type RedisUser,
  testRedisAt,
  type TestRedis,
  writeRedisUsers,
  writeTestRedisUsers,
} from '../embedded/redis-users.js';
import type { ManagedProcess } from '../embedded/managed-process.js';
import { askBroker } from './test-database.js';

/** A server that one test can kill and restart. The server keeps its data until `stop`. */
interface PrivateServer {
  url: string;
  port: number;
  readonly pid: number;
  kill(signal: NodeJS.Signals): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** `kill`, `restart` and `stop` fail if Redis has rejected a command, unless `refuses` is set. */
export type PrivateRedis = Omit<PrivateServer, 'url'> & TestRedis;

interface PrivateRedisOptions {
  refuses?: boolean;
  /**
   * Passwords for the production users. If given, only those users exist, and `ownerUrl` is the operator's
   * URL.
   */
  passwords?: Record<RedisUser, string>;
}

export async function startRedis({
  refuses = false,
  passwords,
}: PrivateRedisOptions = {}): Promise<PrivateRedis> {
  const launch: Launch = (options) => {
    const file = `${options.directory}.acl`;
    const usersFile = passwords ? writeRedisUsers(file, passwords) : writeTestRedisUsers(file);
    return launchRedis({ ...options, usersFile, operatorPassword: passwords?.operator });
  };
  const server = await startPrivate('redis', launch, refuses ? undefined : expectNothingRefused);
  return Object.assign(server, testRedisAt(server.url, passwords));
}

type Launch = (
  options: Omit<PostgresOptions, 'database'>,
) => Promise<{ process: ManagedProcess; url: string }>;

async function startPrivate(
  name: string,
  launch: Launch,
  beforeEnd?: (url: string) => Promise<void>,
): Promise<PrivateServer> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), `meetmark-${name}-`));
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
