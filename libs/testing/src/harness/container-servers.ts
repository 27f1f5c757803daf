import { GenericContainer, Wait, type StartedTestContainer } from 'testcontainers';
import { redisUsersInTests } from '../embedded/redis-users.js';
import type { SharedServer, SharedServers } from './shared-servers.js';

// The same images and environment variables as in docker-compose.yml.
const POSTGRES_IMAGE = process.env['POSTGRES_IMAGE'] || 'postgres:17';
const REDIS_IMAGE = process.env['REDIS_IMAGE'] || 'redis:8';
const OWNER = 'meetmark';
const PASSWORD = 'of-a-throw-away-server';
const PORTS = { postgres: 5432, redis: 6379 };
const CONNECTIONS = 400;
const USERS_FILE = '/tmp/users.acl';
const STARTED_WITHIN_MS = 120_000;

/** Runs PostgreSQL and Redis in containers. testcontainers removes them if the test run crashes. */
export const containerServers: SharedServers = {
  async postgres(database) {
    const settings = [`max_connections=${CONNECTIONS}`, 'timezone=UTC', 'fsync=off', 'full_page_writes=off'];
    const container = await new GenericContainer(POSTGRES_IMAGE)
      .withEnvironment({ POSTGRES_USER: OWNER, POSTGRES_PASSWORD: PASSWORD, POSTGRES_DB: database })
      .withCommand(['postgres', ...settings.flatMap((setting) => ['-c', setting])])
      .withExposedPorts(PORTS.postgres)
      // Wait for the second message, because the first one comes from the image's setup.
      .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2))
      .withStartupTimeout(STARTED_WITHIN_MS)
      .start();
    return at(container, `postgres://${OWNER}:${PASSWORD}@`, PORTS.postgres, `/${database}`);
  },
  async redis(databases) {
    const container = await new GenericContainer(REDIS_IMAGE)
      .withCopyContentToContainer([{ content: redisUsersInTests(), target: USERS_FILE, mode: 0o644 }])
      .withCommand(['redis-server', '--databases', String(databases), '--save', '', '--aclfile', USERS_FILE])
      .withExposedPorts(PORTS.redis)
      .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
      .withStartupTimeout(STARTED_WITHIN_MS)
      .start();
    return at(container, 'redis://', PORTS.redis, '');
  },
};

const at = (container: StartedTestContainer, scheme: string, port: number, rest: string): SharedServer => ({
  url: `${scheme}${container.getHost()}:${container.getMappedPort(port)}${rest}`,
  stop: async () => void (await container.stop()),
});
