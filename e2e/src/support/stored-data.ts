import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { redisContents } from '@meetmark/testing/harness/redis-contents';
import { until } from '@meetmark/testing';
import { Redis } from 'ioredis';
import { query } from './database.js';
import { sharedStack } from './shared-stack.js';

const REWRITE_MS = 30_000;

async function withOperator<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(sharedStack().redisUrl);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

export const beginRedisFiles = () =>
  withOperator(async (redis) => {
    await redis.config('SET', 'rdbcompression', 'no', 'appendfsync', 'always', 'appendonly', 'yes');
    await until("Redis' append-only file", REWRITE_MS, async () => {
      const state = await redis.info('persistence');
      return /aof_rewrite_in_progress:0\r[^]*aof_rewrite_scheduled:0\r/.test(state);
    });
  });

export const endRedisFiles = () =>
  withOperator(async (redis) => {
    await redis.config('SET', 'appendonly', 'no', 'appendfsync', 'everysec', 'rdbcompression', 'yes');
  });

/** Writes a key and deletes it, so that its value remains only in Redis's files. */
export const passThroughRedis = (value: string) =>
  withOperator(async (redis) => {
    await redis.set('control', value);
    await redis.del('control');
  });

export const redisFiles = () =>
  withOperator(async (redis) => {
    const [, directory = ''] = (await redis.config('GET', 'dir')) as string[];
    const files = await readdir(directory, { recursive: true, withFileTypes: true });
    const contents = files
      .filter((file) => file.isFile())
      .map((file) => readFile(join(file.parentPath, file.name), 'latin1'));
    return (await Promise.all(contents)).join('\n');
  });

export const redisKeys = async () => (await redisContents(sharedStack().redisUrl)).join('\n');

export async function tables(): Promise<string> {
  const { databaseUrl } = sharedStack();
  const names = await query<{ name: string }>(
    databaseUrl,
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const contents: string[] = [];
  for (const { name } of names) {
    const rows = await query<{ text: string }>(
      databaseUrl,
      `SELECT to_jsonb(row)::text AS text FROM ${name} AS row`,
    );
    contents.push(...rows.map(({ text }) => text));
  }
  return contents.join('\n');
}
