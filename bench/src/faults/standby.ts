import { execFile } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  anyFreePort,
  Guardian,
  launchPostgres,
  launchRedis,
  until,
  type PostgresServer,
  type RedisServer,
} from '@meetmark/testing';
import { Redis } from 'ioredis';
import type pg from 'pg';
import type { Rig } from './rig.js';

const NAME = 'standby';
/** What belongs to the running server, not to its data. */
const NOT_COPIED = ['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot'];
const EMPTY = ['pg_wal', 'pg_replslot'];
const IN_STEP_WITHIN = 20_000;

/** A second PostgreSQL that follows the rig's own. From then on no commit is acknowledged that it does not have. */
export async function joinStandby(rig: Rig): Promise<PostgresServer> {
  const { owner } = rig;
  const { rows } = await owner.query<{ data_directory: string }>('SHOW data_directory');
  const data = rows[0]?.data_directory ?? '';
  const copy = `${data}-${NAME}`;
  // keeps what is written from now on until the standby has it
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

/** A second Redis, with the same users, that follows the rig's own. */
export async function joinReplica(rig: Rig): Promise<RedisServer> {
  const directory = path.join(rig.stack.logDirectory, '..');
  const guardian = new Guardian();
  const server = await launchRedis({
    directory: path.join(directory, 'redis-replica'),
    logFile: path.join(rig.stack.logDirectory, 'redis-replica.log'),
    port: await anyFreePort(),
    durable: true,
    usersFile: path.join(directory, 'redis-users.acl'),
    onSpawn: (pid) => guardian.guard(pid),
  });
  const { hostname, port } = new URL(rig.redisUrl);
  const redis = new Redis(server.url);
  try {
    await redis.replicaof(hostname, Number(port));
    await until('the replica in step', IN_STEP_WITHIN, async () =>
      (await redis.info('replication')).includes('master_link_status:up'),
    );
  } finally {
    redis.disconnect();
  }
  return server;
}

/** The backup of the files of a running server, as pg_basebackup makes one; the bundled PostgreSQL comes without that. */
async function copyData(owner: pg.Pool, data: string, copy: string): Promise<void> {
  const client = await owner.connect(); // a backup is begun and ended by one connection
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
