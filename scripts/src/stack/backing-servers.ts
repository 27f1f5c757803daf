import {
  launchPostgres,
  launchRedis,
  type ManagedProcess,
  onFreePort,
  type RedisUser,
  startMailbox,
  writeRedisUsers,
} from '@meetmark/testing';
import path from 'node:path';
import { checkDatabase, checkRedis } from './given-servers.js';

export interface BackingOptions {
  /** Where data and logs live. */
  directory: string;
  durable: boolean;
  /** Hands out a port, near the wanted one when the user will see it. */
  pickPort: (wanted: number) => Promise<number>;
  note: (message: string, source: string) => void;
  onSpawn: (name: string, pid: number) => void;
  /** Of the users in a Redis of ours. */
  redisPasswords: Record<RedisUser, string>;
  /** Servers of the user's own, used instead of ours. */
  databaseUrl?: string;
  redisUrl?: string;
  smtpUrl?: string;
}

export interface BackingServers {
  databaseUrl: string;
  /** For the one who may do everything there. */
  redisUrl: string;
  smtpUrl: string;
  /** Null when the user's own mail server is used. */
  mailboxUrl: string | null;
  /** Those that are child processes of ours, by name. */
  processes: { postgres?: ManagedProcess; redis?: ManagedProcess };
  stop(): Promise<void>;
}

const PORTS = { postgres: 54320, redis: 56379, smtp: 1025, mailbox: 8025 };

/** Brings up PostgreSQL, Redis and the mailbox, at the same time, or takes the given ones. Stops all when one fails. */
export async function startBackingServers(options: BackingOptions): Promise<BackingServers> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => void (await Promise.all(stops.map((each) => each())));
  const started = await Promise.allSettled([
    postgres(options, stops),
    redis(options, stops),
    mailbox(options, stops),
  ] as const);
  const [database, cache, mail] = started;
  if (database.status === 'fulfilled' && cache.status === 'fulfilled' && mail.status === 'fulfilled') {
    const processes = { postgres: database.value.process, redis: cache.value.process };
    return { databaseUrl: database.value.url, redisUrl: cache.value.url, ...mail.value, processes, stop };
  }
  await stop();
  throw started.find((result) => result.status === 'rejected')?.reason;
}

interface Backing {
  url: string;
  process?: ManagedProcess;
}

async function postgres(options: BackingOptions, stops: (() => Promise<void>)[]): Promise<Backing> {
  const { directory, durable, note, onSpawn } = options;
  if (options.databaseUrl) {
    await checkDatabase(options.databaseUrl);
    return { url: options.databaseUrl };
  }
  const launch = (port: number) =>
    launchPostgres({
      directory: path.join(directory, 'postgres'),
      logFile: path.join(directory, 'logs/postgres.log'),
      port,
      database: 'meetmark',
      durable,
      note: (message) => note(message, 'postgres'),
      onSpawn: (pid) => onSpawn('postgres', pid),
    });
  const server = await onFreePort(PORTS.postgres, options.pickPort, launch);
  stops.push(() => server.process.stop());
  note(`PostgreSQL ${server.version} is ready`, 'postgres');
  return server;
}

async function redis(options: BackingOptions, stops: (() => Promise<void>)[]): Promise<Backing> {
  const { directory, durable, note, onSpawn } = options;
  if (options.redisUrl) {
    await checkRedis(options.redisUrl);
    return { url: options.redisUrl };
  }
  const launch = (port: number) =>
    launchRedis({
      directory: path.join(directory, 'redis'),
      logFile: path.join(directory, 'logs/redis.log'),
      port,
      durable,
      usersFile: writeRedisUsers(path.join(directory, 'redis-users.acl'), options.redisPasswords),
      operatorPassword: options.redisPasswords.operator,
      note: (message) => note(message, 'redis'),
      onSpawn: (pid) => onSpawn('redis', pid),
    });
  const server = await onFreePort(PORTS.redis, options.pickPort, launch);
  stops.push(() => server.process.stop());
  note(`${server.description} is ready`, 'redis');
  return server;
}

async function mailbox(options: BackingOptions, stops: (() => Promise<void>)[]) {
  if (options.smtpUrl) return { smtpUrl: options.smtpUrl, mailboxUrl: null };
  const directory = path.join(options.directory, 'mail');
  const open = async (smtpPort: number) =>
    startMailbox({ directory, smtpPort, webPort: await options.pickPort(PORTS.mailbox) });
  const box = await onFreePort(PORTS.smtp, options.pickPort, open);
  stops.push(() => box.stop());
  return { smtpUrl: box.smtpUrl, mailboxUrl: box.webUrl };
}
