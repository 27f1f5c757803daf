import { clockAhead } from './catalogue/clock.js';
import { doorRevoked, doorWithoutGateway, doorWithoutPostgres, doorWithoutRedis } from './catalogue/door.js';
import { noFault, replyCut } from './catalogue/exactness.js';
import {
  databaseReadOnly,
  diskFull,
  noProcessorTime,
  redisFull,
  redisReadOnly,
} from './catalogue/exhaustion.js';
import { failover, redisFailover } from './catalogue/failover.js';
import { mailServerDown, workerKilled, workerKilledThrice } from './catalogue/mail.js';
import { loginFlood, overload, pictureFlood } from './catalogue/overload.js';
import {
  connectionsEnded,
  eventLocked,
  postgresKilled,
  postgresSilent,
  postgresSlow,
} from './catalogue/postgres.js';
import {
  frozenGateway,
  frozenReplica,
  gatewayKilled,
  replicaKilled,
  rollingDeploy,
  serviceGone,
} from './catalogue/processes.js';
import {
  redisErased,
  redisKilled,
  redisLate,
  redisReset,
  redisSilent,
  redisSlow,
} from './catalogue/redis.js';
import type { Fault } from './trial.js';

export const FAULTS: Fault[] = [
  noFault,
  gatewayKilled,
  replicaKilled,
  serviceGone,
  workerKilled,
  workerKilledThrice,
  rollingDeploy,
  frozenReplica,
  frozenGateway,
  redisKilled,
  redisErased,
  redisLate,
  redisSilent,
  redisSlow,
  redisReset,
  redisFull,
  postgresKilled,
  connectionsEnded,
  postgresSilent,
  postgresSlow,
  eventLocked,
  failover,
  redisFailover,
  replyCut,
  mailServerDown,
  overload,
  loginFlood,
  pictureFlood,
  diskFull,
  databaseReadOnly,
  redisReadOnly,
  clockAhead,
  noProcessorTime,
  doorWithoutRedis,
  doorWithoutPostgres,
  doorWithoutGateway,
  doorRevoked,
];

export const SHORT_SELECTION: Fault[] = [
  noFault,
  replicaKilled,
  workerKilled,
  rollingDeploy,
  redisKilled,
  redisErased,
  redisFailover,
  postgresKilled,
];
