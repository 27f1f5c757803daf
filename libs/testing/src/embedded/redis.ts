import fs from 'node:fs';
import { Redis } from 'ioredis';
import path from 'node:path';
import { findRedis } from './redis-binary.js';
import { ManagedProcess } from './managed-process.js';

export interface RedisOptions {
  directory: string;
  logFile: string;
  port: number;
  /** Whether Redis writes an append-only file, so that queued jobs survive a restart. */
  durable: boolean;
  databases?: number;
  /**
   * File with users and rights in Redis's format. Must contain either the default user without a password, or
   * the operator.
   */
  usersFile?: string;
  /** Password of the user `operator` in `usersFile`. If set, connections use this user. */
  operatorPassword?: string;
  note?: (message: string) => void;
  /** Called with the process id on every start and restart, before the server is ready. */
  onSpawn?: (pid: number) => void;
}

export interface RedisServer {
  process: ManagedProcess;
  description: string;
  url: string;
}

const READY_WITHIN_MS = 30_000;

export async function launchRedis(options: RedisOptions): Promise<RedisServer> {
  const { directory, port, durable } = options;
  const binary = findRedis(options.note ?? (() => {}));
  fs.mkdirSync(directory, { recursive: true });
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: directory,
    appendonly: durable ? 'yes' : 'no',
    appendfsync: 'everysec',
    save: '',
    // If memory is full, Redis must reject writes and not delete queued jobs.
    'maxmemory-policy': 'noeviction',
    daemonize: 'no',
    pidfile: '',
    ...(options.databases && { databases: String(options.databases) }),
    ...(options.usersFile && { aclfile: options.usersFile }),
  };
  const { operatorPassword: password } = options;
  const url = `redis://${password === undefined ? '' : `operator:${password}@`}127.0.0.1:${port}`;
  const server = new ManagedProcess({
    name: 'redis',
    program: binary.program,
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    cwd: directory,
    env: binary.env,
    logFile: options.logFile,
    onSpawn: options.onSpawn,
    isReady: () => servesDirectory(url, directory),
    readyWithinMs: READY_WITHIN_MS,
    stopSteps: [
      ['SIGTERM', 8_000],
      ['SIGKILL', 2_000],
    ],
  });
  await server.start();
  const description = `${path.basename(binary.program)} ${binary.version} (${binary.origin})`;
  return { process: server, description, url };
}

/** Whether this server is ready. Checks its data directory, because another Redis may use the port. */
async function servesDirectory(url: string, directory: string): Promise<boolean> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  // Without a listener, ioredis prints errors. The commands below fail with the same errors.
  client.on('error', () => {});
  try {
    await client.connect();
    const [, served] = (await client.config('GET', 'dir')) as string[];
    if (served === undefined || fs.realpathSync(served) !== fs.realpathSync(directory)) {
      throw new Error(`port ${new URL(url).port} is answered by another Redis (${served})`);
    }
    return true;
  } finally {
    client.disconnect();
  }
}
