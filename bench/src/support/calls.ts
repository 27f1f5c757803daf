import { loadSecrets } from '@meetmark/scripts/stack/secrets';
import { Redis } from 'ioredis';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

export interface Calls {
  commands: number;
  /** Transactions of PostgreSQL. A single statement counts as one. */
  transactions: number;
}

/**
 * Counts the calls per second that a running `npm start` makes to Redis and PostgreSQL.
 * @param milliseconds duration of the count
 */
export async function countCalls(directory: string, milliseconds: number): Promise<Calls> {
  const { redisPasswords } = loadSecrets(join(directory, 'secrets.json'));
  const password = readFileSync(join(directory, 'postgres-password'), 'utf8').trim();
  const redis = new Redis(
    `redis://operator:${redisPasswords.operator}@127.0.0.1:${findPort(directory, 'redis')}`,
  );
  const database = new pg.Client(
    `postgres://meetmark_owner:${password}@127.0.0.1:${findPort(directory, 'postgres')}/meetmark`,
  );
  await database.connect();
  const monitor = await redis.monitor();
  let commands = 0;
  monitor.on('monitor', (_time: string, _command: string[], source: string) => {
    if (source !== 'lua') commands += 1;
  });
  const before = await committed(database);
  await pause(milliseconds);
  const transactions = (await committed(database)) - before;
  monitor.disconnect();
  redis.disconnect();
  await database.end();
  if (!(commands > 0 && transactions > 0)) throw new Error('calls were not counted: there are always some');
  const seconds = milliseconds / 1_000;
  return { commands: commands / seconds, transactions: transactions / seconds };
}

/** Reads a server's port from its command line, which contains it in a different form for each server. */
function findPort(directory: string, name: string): string {
  const { children } = JSON.parse(readFileSync(join(directory, 'run.json'), 'utf8')) as {
    children: { name: string; pid: number }[];
  };
  const pid = children.find((child) => child.name === name)?.pid;
  const port = /(?:127\.0\.0\.1:|-p\0)(\d+)/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.[1];
  if (port === undefined) throw new Error(`the port of ${name} is not known`);
  return port;
}

async function committed(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ count: string }>(
    `SELECT xact_commit AS count FROM pg_stat_database WHERE datname = 'meetmark'`,
  );
  return Number(rows[0]?.count);
}
