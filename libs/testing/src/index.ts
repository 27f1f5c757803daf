export { atEndOfRun } from './harness/end-of-run.js';
export { emptyTables } from './harness/empty-tables.js';
export { testDatabase, testRedis, type TestDatabase } from './harness/test-database.js';
export { startRedis, type PrivateRedis } from './harness/private-servers.js';
export {
  expectNothingRefused,
  redisUrlAs,
  refusedByRedis,
  type RedisUser,
  type TestRedis,
  writeRedisUsers,
} from './embedded/redis-users.js';
export { Guardian } from './harness/guardian.js';
// `npm start` uses these exports on a machine without PostgreSQL, Redis and a mail server.
export { launchPostgres, type PostgresServer } from './embedded/postgres.js';
export { serverAccount } from './embedded/postgres-binaries.js';
export { launchRedis, type RedisServer } from './embedded/redis.js';
export { startMailbox } from './mailbox/mailbox.js';
export { ManagedProcess } from './embedded/managed-process.js';
export { anyFreePort, isPortFree, isPortTaken, onFreePort, PortPicker } from './embedded/ports.js';
export { identify, isRunning, stopProcess, type ProcessIdentity } from './embedded/process-identity.js';
export { until } from './embedded/wait.js';
export { beforeCommit, codes, inTurns, outcomes, tally } from './concurrency.js';
