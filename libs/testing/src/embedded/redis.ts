import fs from 'node:fs';
import { Redis } from 'ioredis';
import path from 'node:path';
import { findRedis } from './redis-binary.js';
import { ManagedProcess } from './managed-process.js';

export interface RedisOptions {
  directory: string;
  logFile: string;
  port: number;
  /** True keeps an append-only file, so that acknowledged jobs survive a restart. */
  durable: boolean;
  /** Number of numbered databases; Redis' own default when missing. */
  databases?: number;
  /** Users and their rights, in Redis' format; the default user has to be among them, without a password, unless the operator is. */
  usersFile?: string;
  /** Of the user `operator` in that file, as whom the server is then reached. */
  operatorPassword?: string;
  note?: (message: string) => void;
  /** Gets the process id of every (re)start before the server is ready. */
  onSpawn?: (pid: number) => void;
}

export interface RedisServer {
  process: ManagedProcess;
  /** Name, version and origin of the server, for the log. */
  description: string;
  /** For the one who may do everything. */
  url: string;
}

const READY_WITHIN_MS = 30_000;

/** Starts a Redis of our own on loopback. */
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
    // Queues live here: refusing a write is right, silently forgetting a job is not.
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

/** Another Redis may sit on the port: only the one with our data directory counts. */
async function servesDirectory(url: string, directory: string): Promise<boolean> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  // ioredis prints errors without a listener; the commands below fail with each of them.
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
