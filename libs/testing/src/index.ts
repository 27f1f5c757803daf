export { testDatabase, type TestDatabase } from './harness/test-database.js';
export { testRedisUrl } from './harness/test-redis.js';
export { startPostgres, startRedis, type PrivateServer } from './harness/private-servers.js';
