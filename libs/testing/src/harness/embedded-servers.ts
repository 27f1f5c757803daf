import path from 'node:path';
import { anyFreePort } from '../embedded/ports.js';
import { launchPostgres } from '../embedded/postgres.js';
import { launchRedis } from '../embedded/redis.js';
import type { SharedServers } from './shared-server.js';

/** PostgreSQL and Redis as processes of this machine, their files and logs in `directory`. */
export const embeddedServers = (directory: string, onSpawn: (pid: number) => void): SharedServers => ({
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
    });
    return { url, stop: () => server.stop() };
  },
});
