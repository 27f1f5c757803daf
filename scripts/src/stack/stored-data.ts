import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@meetmark/testing';
import type { Redis } from 'ioredis';
import { withClient } from '../with-client.js';

const REWRITE_MS = 30_000;

/** Makes Redis write every command to its files immediately and uncompressed. */
export async function beginRedisFiles(redis: Redis): Promise<void> {
  await redis.config('SET', 'rdbcompression', 'no', 'appendfsync', 'always', 'appendonly', 'yes');
  await until("Redis' append-only file", REWRITE_MS, async () => {
    const state = await redis.info('persistence');
    return /aof_rewrite_in_progress:0\r[^]*aof_rewrite_scheduled:0\r/.test(state);
  });
}

export async function readRedisFiles(redis: Redis): Promise<string> {
  const [, directory = ''] = (await redis.config('GET', 'dir')) as string[];
  return readFiles(directory);
}

/** Returns the contents of all files in a folder and its subfolders. */
export async function readFiles(directory: string): Promise<string> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  const contents = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'latin1'));
  return (await Promise.all(contents)).join('\n');
}

/** Returns all rows of all tables as JSON. */
export const readTables = (databaseUrl: string): Promise<string> =>
  withClient(databaseUrl, async (client) => {
    const { rows: names } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const contents: string[] = [];
    for (const { name } of names) {
      const { rows } = await client.query<{ text: string }>(
        `SELECT to_jsonb(row)::text AS text FROM ${name} AS row`,
      );
      contents.push(...rows.map(({ text }) => text));
    }
    return contents.join('\n');
  });
