import { setTimeout as pause } from 'node:timers/promises';
import {
  until,
  anyFreePort,
  Guardian,
  launchPostgres,
  launchRedis,
  type PostgresServer,
  type RedisServer,
} from '@meetmark/testing';
import { Redis } from 'ioredis';
import { ask } from '../load.js';
import type { Member } from '../caller.js';
import type { Scenario, Fault } from '../trial.js';
import { execFile } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import type { Rig } from '../rig.js';

const NAME = 'standby';
/** Files of the running server that the copy must not contain. */
const NOT_COPIED = ['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot'];
const EMPTY = ['pg_wal', 'pg_replslot'];
const IN_STEP_WITHIN = 20_000;

async function joinStandby(rig: Rig): Promise<PostgresServer> {
  const { owner } = rig;
  const { rows } = await owner.query<{ data_directory: string }>('SHOW data_directory');
  const data = rows[0]?.data_directory ?? '';
  const copy = `${data}-${NAME}`;
  // The replication slot makes the primary keep its changes until the standby has received them.
  await owner.query('SELECT pg_create_physical_replication_slot($1, true)', [NAME]);
  await copyData(owner, data, copy);
  follow(copy, rig.stack.databaseUrl, statSync(data));
  const guardian = new Guardian();
  const standby = await launchPostgres({
    directory: copy,
    logFile: path.join(rig.stack.logDirectory, `postgres-${NAME}.log`),
    port: await anyFreePort(),
    database: new URL(rig.stack.databaseUrl).pathname.slice(1),
    durable: true,
    onSpawn: (pid) => guardian.guard(pid),
  });
  await owner.query(`ALTER SYSTEM SET synchronous_standby_names = '${NAME}'`);
  await owner.query('SELECT pg_reload_conf()');
  await until('the standby in step', IN_STEP_WITHIN, async () => {
    const sql = "SELECT 1 FROM pg_stat_replication WHERE application_name = $1 AND sync_state = 'sync'";
    return (await owner.query(sql, [NAME])).rowCount === 1;
  });
  return standby;
}

async function joinReplica(rig: Rig): Promise<RedisServer> {
  const directory = path.join(rig.stack.logDirectory, '..');
  const guardian = new Guardian();
  const server = await launchRedis({
    directory: path.join(directory, 'redis-replica'),
    logFile: path.join(rig.stack.logDirectory, 'redis-replica.log'),
    port: await anyFreePort(),
    durable: true,
    usersFile: path.join(directory, 'redis-users.acl'),
    operatorPassword: rig.stack.secrets.redisPasswords.operator,
    onSpawn: (pid) => guardian.guard(pid),
  });
  const { hostname, port, username, password } = new URL(rig.redisUrl);
  const redis = new Redis(server.url);
  try {
    await redis.config('SET', 'masteruser', username, 'masterauth', password);
    await redis.replicaof(hostname, Number(port));
    await until('the replica in step', IN_STEP_WITHIN, async () =>
      (await redis.info('replication')).includes('master_link_status:up'),
    );
  } finally {
    redis.disconnect();
  }
  return server;
}

async function copyData(owner: pg.Pool, data: string, copy: string): Promise<void> {
  const client = await owner.connect(); // A backup must start and end on the same connection.
  try {
    await client.query('SELECT pg_backup_start($1, true)', [NAME]);
    await promisify(execFile)('cp', ['-a', data, copy]);
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    for (const name of NOT_COPIED) rmSync(path.join(copy, name), { recursive: true, force: true });
    writeFileSync(path.join(copy, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    client.release();
  }
}

function follow(copy: string, primaryUrl: string, { uid, gid }: { uid: number; gid: number }): void {
  const { hostname, port, username, password } = new URL(primaryUrl);
  const primary = `host=${hostname} port=${port} user=${username} password=${password} application_name=${NAME}`;
  const settings = `primary_conninfo = '${primary}'\nprimary_slot_name = '${NAME}'\n`;
  appendFileSync(path.join(copy, 'postgresql.auto.conf'), settings);
  writeFileSync(path.join(copy, 'standby.signal'), '');
  for (const name of EMPTY) mkdirSync(path.join(copy, name), { mode: 0o700 });
  for (const name of [...EMPTY, 'backup_label', 'standby.signal']) chownSync(path.join(copy, name), uid, gid);
}

const TOGETHER = 2_000;

/**
 * F16: PostgreSQL's standby is promoted. The old primary never returns, so data that only it had would be
 * lost.
 */
export const failover: Fault = {
  id: 'F16',
  title: 'kill -9 of PostgreSQL, its synchronous standby is promoted and takes over',
  recoverWithin: 10_000,
  touches: [],
  load: true,
  async run({ rig, healed }) {
    const standby = await joinStandby(rig);
    await pause(TOGETHER);
    await rig.server('postgres').kill('SIGKILL');
    await rig.moveDatabaseTo(standby);
    await rig.owner.query('SELECT pg_promote()');
    healed();
  },
};

const NOTICED_WITHIN = 10_000;
const WATCHED_FOR = 3_000;
const BETWEEN = 50;
const OK = 200;
const UNAUTHORIZED = 401;
const SEVERAL = 6;

/** F16b: a Redis replica without the latest changes is promoted. Only PostgreSQL has those changes. */
export const redisFailover: Fault = {
  id: 'F16b',
  title:
    'a replica of Redis is promoted, somebody signs out and an administrator is demoted, the old primary dies',
  recoverWithin: null,
  touches: [],
  load: false,
  async run(scenario) {
    const { rig, healed, broken } = scenario;
    const [leaver, demoted] = [...(await rig.newcomers(1, false)), ...(await rig.newcomers(1, true))] as [
      Member,
      Member,
    ];
    await rig.signIn(rig.administrator);
    const server = await joinReplica(rig);
    for (const member of [leaver, demoted]) for (let i = 0; i < SEVERAL; i += 1) await whoIs(member);
    const [primary, replica] = [new Redis(rig.redisUrl), new Redis(server.url)];
    try {
      // WAIT covers only writes of its own connection. Replication is in order, so a replica that has this
      // write also has all earlier writes.
      await primary.set('faults:in-step', '1', 'PX', NOTICED_WITHIN);
      if ((await primary.wait(1, NOTICED_WITHIN)) !== 1) broken('hollow: the replica does not follow');
      await replica.replicaof('NO', 'ONE');
    } finally {
      primary.disconnect();
      replica.disconnect();
    }
    const change = `/api/admin/users/${demoted.id}/toggle-admin`;
    const { administrator } = rig;
    const done = [
      await ask(scenario.ledger, 'sign out', () => leaver.send('POST', '/api/logout')),
      await ask(scenario.ledger, 'demote', () => administrator.send('PUT', change, { isAdmin: false })),
    ];
    if (done.some((outcome) => outcome !== 'ok')) broken('hollow: the sign-out or the demotion was refused');
    await rig.server('redis').kill('SIGKILL');
    rig.moveRedisTo(server);
    healed();
    await until('an answer', NOTICED_WITHIN, async () => (await whoIs(demoted)) !== 'unknown');
    await watch(scenario, leaver, demoted);
  },
};

/** Checks that the ended session and the removed rights never reappear. */
async function watch({ broken }: Scenario, leaver: Member, demoted: Member): Promise<void> {
  const end = Date.now() + WATCHED_FOR;
  while (Date.now() < end) {
    if ((await whoIs(leaver)) === 'member') broken('who had signed out is signed in');
    const right = await whoIs(demoted);
    if (right === 'administrator') broken('who had been demoted is an administrator');
    if (right === 'nobody') broken('who had been demoted is signed out');
    const { status } = await demoted.send('GET', '/api/admin/users?limit=1');
    if (status === OK) broken('who had been demoted sees the users');
    await pause(BETWEEN);
  }
}

async function whoIs(member: Member) {
  const { status, body } = await member.send('GET', '/api/user');
  if (status === UNAUTHORIZED) return 'nobody';
  if (status !== OK) return 'unknown';
  return (body as { isAdmin: boolean }).isAdmin ? 'administrator' : 'member';
}
