import path from 'node:path';
import { anyFreePort } from '../embedded/ports.js';
import { launchPostgres } from '../embedded/postgres.js';
import { launchRedis } from '../embedded/redis.js';
import { writeTestRedisUsers } from '../embedded/redis-users.js';

/** PostgreSQL and Redis as processes of this machine, their files and logs in `directory`. */
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
  /** Of PostgreSQL the owner's, for `database`. */
  url: string;
  stop(): Promise<void>;
}

/** Where a run's one PostgreSQL and one Redis, with the users that are shipped, come from. Neither keeps anything. */
export interface SharedServers {
  postgres(database: string): Promise<SharedServer>;
  redis(databases: number): Promise<SharedServer>;
}

/** `MEETMARK_TEST_SERVERS=containers` runs the same tests on the images that production runs. */
const TEST_SERVERS = 'MEETMARK_TEST_SERVERS';

/** @throws Error when the environment asks for something else than `embedded` or `containers` */
export async function chooseServers(
  directory: string,
  onSpawn: (pid: number) => void,
): Promise<SharedServers> {
  const chosen = process.env[TEST_SERVERS] || 'embedded';
  if (chosen === 'embedded') return embeddedServers(directory, onSpawn);
  // Its package speaks with Docker, and takes a second to load.
  if (chosen === 'containers') return (await import('./container-servers.js')).containerServers;
  throw new Error(`${TEST_SERVERS} is embedded or containers, not ${chosen}`);
}
