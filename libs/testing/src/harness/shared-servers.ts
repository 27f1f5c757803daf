import path from 'node:path';
import { anyFreePort } from '../embedded/ports.js';
import { launchPostgres } from '../embedded/postgres.js';
import { launchRedis } from '../embedded/redis.js';
import { writeTestRedisUsers } from '../embedded/redis-users.js';

const embeddedServers = (directory: string, onSpawn: (pid: number) => void): SharedServers => ({
  async postgres(database) {
    const { process: server, url } = await launchPostgres({
      directory: path.join(directory, 'postgres'),
      logFile: path.join(directory, 'postgres.log'),
      port: await anyFreePort(),
      database,
      durable: false,
      onSpawn,
    });
    return { url, stop: () => server.stop() };
  },
  async redis(databases) {
    const { process: server, url } = await launchRedis({
      directory: path.join(directory, 'redis'),
      logFile: path.join(directory, 'redis.log'),
      port: await anyFreePort(),
      durable: false,
      onSpawn,
      databases,
      usersFile: writeTestRedisUsers(path.join(directory, 'redis-users.acl')),
    });
    return { url, stop: () => server.stop() };
  },
});

export interface SharedServer {
  /** Connection URL of an account with all rights. For PostgreSQL, it leads to the given database. */
  url: string;
  stop(): Promise<void>;
}

/** Starts PostgreSQL and Redis for a test run. Redis has the users of production. Data isn't kept. */
export interface SharedServers {
  postgres(database: string): Promise<SharedServer>;
  redis(databases: number): Promise<SharedServer>;
}

/** Set to `containers` to test with the images used in production. */
const TEST_SERVERS = 'MEETMARK_TEST_SERVERS';

/** @throws Error if MEETMARK_TEST_SERVERS is set to anything but `embedded` or `containers` */
export async function chooseServers(
  directory: string,
  onSpawn: (pid: number) => void,
): Promise<SharedServers> {
  const chosen = process.env[TEST_SERVERS] || 'embedded';
  if (chosen === 'embedded') return embeddedServers(directory, onSpawn);
  // Loads this module only if needed, because its Docker client takes a second to load.
  if (chosen === 'containers') return (await import('./container-servers.js')).containerServers;
  throw new Error(`${TEST_SERVERS} is embedded or containers, not ${chosen}`);
}
