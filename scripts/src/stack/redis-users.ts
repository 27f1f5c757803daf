import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { Redis } from 'ioredis';
import type { ProcessName } from './processes.js';

/** The one definition of everybody's rights. In containers config/redis/start.sh does with it what is done here. */
const DEFINITION = new URL('../../../config/redis/users.acl', import.meta.url);
const NOBODY = 'user default off';
const EVERYTHING = 'user default on nopass ~* &* +@all';

/** The user in Redis who operates the server, beside those of the processes. */
export type RedisUser = ProcessName | 'operator';

/** The users as Redis reads them. */
export function redisUsers(passwords: Record<RedisUser, string>): string {
  const lines = fs
    .readFileSync(DEFINITION, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\n +/g, ' ');
  return lines.replaceAll(/%([A-Z]+)%/g, (_, name: string) =>
    hashOf(passwords[name.toLowerCase() as RedisUser]),
  );
}

/**
 * Writes the users for a server that only this machine reaches: there tools and tests need no password, and may do everything.
 * @returns the file
 */
export function writeLocalRedisUsers(file: string, passwords: Record<ProcessName, string>): string {
  const users = redisUsers({ ...passwords, operator: '' }).replace(NOBODY, EVERYTHING);
  const withoutOperator = users.replace(/^user operator .*\n/m, '');
  fs.writeFileSync(file, withoutOperator, { mode: 0o600 });
  return file;
}

const hashOf = (password: string) => createHash('sha256').update(password).digest('hex');

/** What Redis refused its users since it started, without repetitions. Much of it would not show: limits, figures and caches go on without Redis. */
export async function refusedByRedis(url: string): Promise<string[]> {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
  try {
    const entries = (await redis.call('ACL', 'LOG', '1000')) as unknown[][];
    const told = entries.map((entry) => {
      const field = (name: string) => String(entry[entry.indexOf(name) + 1]);
      return `${field('username')}: ${field('reason')} ${field('object')}`;
    });
    return [...new Set(told)];
  } finally {
    redis.disconnect();
  }
}
