import { noFault, replyCut } from './catalogue/exactness.js';
import { mailServerDown, workerKilled, workerKilledThrice } from './catalogue/mail.js';
import { loginFlood, overload } from './catalogue/overload.js';
import {
  connectionsEnded,
  eventLocked,
  postgresKilled,
  postgresSilent,
  postgresSlow,
} from './catalogue/postgres.js';
import {
  frozenReplica,
  gatewayKilled,
  replicaKilled,
  rollingDeploy,
  serviceGone,
} from './catalogue/processes.js';
import {
  redisErased,
  redisFull,
  redisKilled,
  redisLate,
  redisReset,
  redisSilent,
  redisSlow,
} from './catalogue/redis.js';
import type { Fault } from './trial.js';

/** In the order of the reliability page. */
export const FAULTS: Fault[] = [
  noFault,
  gatewayKilled,
  replicaKilled,
  serviceGone,
  workerKilled,
  workerKilledThrice,
  rollingDeploy,
  frozenReplica,
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
  replyCut,
  mailServerDown,
  overload,
  loginFlood,
];

/** The selection that runs with the normal tests. */
export const SHORT_SELECTION: Fault[] = [
  noFault,
  replicaKilled,
  workerKilled,
  rollingDeploy,
  redisKilled,
  redisErased,
  postgresKilled,
];

/** Thought of, and not built. */
export const NOT_BUILT = [
  {
    id: 'F16',
    title: 'failover to a replica of PostgreSQL: needs a second server with streaming replication',
  },
  { id: 'F20', title: 'full disk, shifted clock, no processor time: needs rights on the machine' },
];
