import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { Redis } from 'ioredis';

/** The one definition of everybody's rights. In containers config/redis/start.sh does with it what is done here. */
const DEFINITION = new URL('../../../../config/redis/users.acl', import.meta.url);
const NOBODY = /^user default off .*$/m;
const EVERYTHING = 'user default on nopass ~* &* +@all';

const PROCESSES = ['auth', 'events', 'admin', 'worker', 'gateway'] as const;

/** The user in Redis of a process. */
export type ProcessUser = (typeof PROCESSES)[number];
/** Beside those of the processes the one who operates the server. */
export type RedisUser = ProcessUser | 'operator';

/** The users as Redis reads them. */
function redisUsers(passwords: Record<RedisUser, string>): string {
  const lines = fs
    .readFileSync(DEFINITION, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\n +/g, ' ');
  return lines.replaceAll(/%([A-Z]+)%/g, (_, name: string) =>
    hashOf(passwords[name.toLowerCase() as RedisUser]),
  );
}

/** Writes the users as they are shipped: without a password nobody gets in, also from the same machine. @returns the file */
export function writeRedisUsers(file: string, passwords: Record<RedisUser, string>): string {
  return written(file, redisUsers(passwords));
}

function written(file: string, users: string): string {
  fs.writeFileSync(file, users, { mode: 0o600 });
  return file;
}

const hashOf = (password: string) => createHash('sha256').update(password).digest('hex');

/** Of the users in the servers of tests, which only this machine reaches. */
const PASSWORDS_IN_TESTS = Object.fromEntries(
  PROCESSES.map((user) => [user, `of-${user}-in-tests`]),
) as Record<ProcessUser, string>;

/** The users of a Redis of specs, in its format: there the spec itself needs no password, and may do everything. */
export function redisUsersInTests(): string {
  const users = redisUsers({ ...PASSWORDS_IN_TESTS, operator: '' }).replace(NOBODY, EVERYTHING);
  return users.replace(/^user operator .*\n/m, '');
}

/** @returns the file */
export const writeTestRedisUsers = (file: string): string => written(file, redisUsersInTests());

/** The address of a test's Redis, given for any user, for that process. */
export function redisUrlAs(url: string, user: ProcessUser, passwords = PASSWORDS_IN_TESTS): string {
  const given = new URL(url);
  if (given.username === user) return url;
  return Object.assign(given, { username: user, password: passwords[user] }).href;
}

/** A Redis of a test, with the users that are shipped. */
export interface TestRedis {
  /** For the test's own looks: this user may do everything. */
  ownerUrl: string;
  /** For a process, which has its own rights there. */
  urlFor(user: ProcessUser): string;
}

export const testRedisAt = (ownerUrl: string, passwords?: Record<ProcessUser, string>): TestRedis => ({
  ownerUrl,
  urlFor: (user) => redisUrlAs(ownerUrl, user, passwords),
});

/** What Redis refused its users since it started, without repetitions. Much of it would not show: limits, figures and caches go on without Redis. */
export async function refusedByRedis(url: string): Promise<string[]> {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
  redis.on('error', () => undefined); // the command below fails with it
  try {
    const entries = (await redis.call('ACL', 'LOG', '1000')) as unknown[][];
    return [...new Set(entries.map(refusal))];
  } finally {
    redis.disconnect();
  }
}

/** Such as 'gateway: key limit:turn:1, by eval'. */
function refusal(entry: unknown[]): string {
  const field = (name: string) => String(entry[entry.indexOf(name) + 1]);
  const command = / cmd=(\S+)/.exec(field('client-info'))?.[1];
  return `${field('username')}: ${field('reason')} ${field('object')}, by ${command}`;
}

/** @throws Error that names user, command and key of each refusal */
export async function expectNothingRefused(url: string): Promise<void> {
  const refused = await refusedByRedis(url);
  if (refused.length > 0) throw new Error(`Redis refused its users: ${refused.join('; ')}`);
}
