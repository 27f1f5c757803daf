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
  directory: string;
  durable: boolean;
  /** Returns `wanted` if that port is free, otherwise another free port. */
  pickPort: (wanted: number) => Promise<number>;
  note: (message: string, source: string) => void;
  onSpawn: (name: string, pid: number) => void;
  /** Passwords of the Redis users, if we start Redis. */
  redisPasswords: Record<RedisUser, string>;
  /** URLs of servers that the user provides. For these, we start no servers. */
  databaseUrl?: string;
  redisUrl?: string;
  smtpUrl?: string;
}

export interface BackingServers {
  databaseUrl: string;
  redisUrl: string;
  dataFolder?: string;
  smtpUrl: string;
  /** Null if the user provides a mail server. */
  mailboxUrl: string | null;
  processes: { postgres?: ManagedProcess; redis?: ManagedProcess };
  stop(): Promise<void>;
}

const PORTS = { postgres: 54320, redis: 56379, smtp: 1025, mailbox: 8025 };

/** Starts PostgreSQL, Redis and a mailbox, unless the user provides them. If one fails, stops the others. */
export async function startBackingServers(options: BackingOptions): Promise<BackingServers> {
  const { directory, durable, pickPort, note, onSpawn, redisPasswords } = options;
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => void (await Promise.all(stops.map((each) => each())));
  const common = (name: 'postgres' | 'redis', port: number) => ({
    ...{
      directory: path.join(directory, name),
      logFile: path.join(directory, `logs/${name}.log`),
      port,
      durable,
    },
    note: (message: string) => note(message, name),
    onSpawn: (pid: number) => onSpawn(name, pid),
  });
  const startPostgres = async () => {
    if (options.databaseUrl) return checkDatabase(options.databaseUrl);
    const launch = (port: number) => launchPostgres({ ...common('postgres', port), database: 'meetmark' });
    const server = await onFreePort(PORTS.postgres, pickPort, launch);
    stops.push(() => server.process.stop());
    note(`PostgreSQL ${server.version} is ready`, 'postgres');
    return server;
  };
  const startRedis = async () => {
    if (options.redisUrl) return checkRedis(options.redisUrl);
    const usersFile = writeRedisUsers(path.join(directory, 'redis-users.acl'), redisPasswords);
    const access = { usersFile, operatorPassword: redisPasswords.operator };
    const launch = (port: number) => launchRedis({ ...common('redis', port), ...access });
    const server = await onFreePort(PORTS.redis, pickPort, launch);
    stops.push(() => server.process.stop());
    note(`${server.description} is ready`, 'redis');
    return server;
  };
  const startMail = async () => {
    if (options.smtpUrl) return { smtpUrl: options.smtpUrl, webUrl: null };
    const open = async (smtpPort: number) =>
      startMailbox({
        ...{ directory: path.join(directory, 'mail'), smtpPort, webPort: await pickPort(PORTS.mailbox) },
      });
    const box = await onFreePort(PORTS.smtp, pickPort, open);
    stops.push(() => box.stop());
    return box;
  };
  const started = await Promise.allSettled([startPostgres(), startRedis(), startMail()] as const);
  const [postgres, redis, mail] = started;
  if (postgres.status === 'fulfilled' && redis.status === 'fulfilled' && mail.status === 'fulfilled')
    return {
      databaseUrl: options.databaseUrl || postgres.value!.url,
      dataFolder: postgres.value?.directory,
      redisUrl: options.redisUrl || redis.value!.url,
      smtpUrl: mail.value.smtpUrl,
      mailboxUrl: mail.value.webUrl,
      processes: { postgres: postgres.value?.process, redis: redis.value?.process },
      stop,
    };
  await stop();
  throw started.find((result) => result.status === 'rejected')?.reason;
}
