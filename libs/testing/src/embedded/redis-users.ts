import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { Redis } from 'ioredis';

/** Template with the rights of the Redis users. In containers, config/redis/start.sh fills it in. */
const DEFINITION = new URL('../../../../config/redis/users.acl', import.meta.url);
const NOBODY = /^user default off .*$/m;
const EVERYTHING = 'user default on nopass ~* &* +@all';

const PROCESSES = ['auth', 'events', 'admin', 'worker', 'gateway'] as const;

export type ProcessUser = (typeof PROCESSES)[number];
/** A process, or the operator of the server. */
export type RedisUser = ProcessUser | 'operator';

function redisUsers(passwords: Record<RedisUser, string>): string {
  const lines = fs
    .readFileSync(DEFINITION, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\n +/g, ' ');
  return lines.replaceAll(/%([A-Z]+)%/g, (_, name: string) =>
    hashPassword(passwords[name.toLowerCase() as RedisUser]),
  );
}

/**
 * Writes a file with the users, their passwords and rights. Nobody can connect without a password, even
 * locally.
 * @returns the file's path
 */
export function writeRedisUsers(file: string, passwords: Record<RedisUser, string>): string {
  return written(file, redisUsers(passwords));
}

function written(file: string, users: string): string {
  fs.writeFileSync(file, users, { mode: 0o600 });
  return file;
}

const hashPassword = (password: string) => createHash('sha256').update(password).digest('hex');

/** Passwords for test servers. Only this machine can reach those servers. */
const PASSWORDS_IN_TESTS = Object.fromEntries(
  PROCESSES.map((user) => [user, `of-${user}-in-tests`]),
) as Record<ProcessUser, string>;

/**
 * Returns the users of a test's Redis, in Redis's format. The test itself needs no password and has all
 * rights.
 */
export function redisUsersInTests(): string {
  const users = redisUsers({ ...PASSWORDS_IN_TESTS, operator: '' }).replace(NOBODY, EVERYTHING);
  return users.replace(/^user operator .*\n/m, '');
}

export const writeTestRedisUsers = (file: string): string => written(file, redisUsersInTests());

/** Returns a test's Redis URL with the user and password of a process. */
export function redisUrlAs(url: string, user: ProcessUser, passwords = PASSWORDS_IN_TESTS): string {
  const given = new URL(url);
  if (given.username === user) return url;
  return Object.assign(given, { username: user, password: passwords[user] }).href;
}

export interface TestRedis {
  ownerUrl: string;
  urlFor(user: ProcessUser): string;
}

export const testRedisAt = (ownerUrl: string, passwords?: Record<ProcessUser, string>): TestRedis => ({
  ownerUrl,
  urlFor: (user) => redisUrlAs(ownerUrl, user, passwords),
});

/**
 * Lists commands that Redis has rejected since its start, without duplicates. Most rejections would go
 * unnoticed, because processes continue without Redis.
 */
export async function refusedByRedis(url: string): Promise<string[]> {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    const entries = (await redis.call('ACL', 'LOG', '1000')) as unknown[][];
    return [...new Set(entries.filter((entry) => !isRequired(entry)).map(refusal))];
  } finally {
    redis.disconnect();
  }
}

/**
 * Whether the rejection is intended. At its start, each process sends forbidden commands to check that Redis
 * rejects them.
 */
const isRequired = (entry: unknown[]) => getField(entry, 'client-info').includes(' name=required-refusals ');

const getField = (entry: unknown[], name: string) => String(entry[entry.indexOf(name) + 1]);

/** Describes a rejection, such as 'gateway: key limit:turn:1, by eval'. */
function refusal(entry: unknown[]): string {
  const command = / cmd=(\S+)/.exec(getField(entry, 'client-info'))?.[1];
  return `${getField(entry, 'username')}: ${getField(entry, 'reason')} ${getField(entry, 'object')}, by ${command}`;
}

/** @throws Error naming the user, command and key of each rejection */
export async function expectNothingRefused(url: string): Promise<void> {
  const refused = await refusedByRedis(url);
  if (refused.length > 0) throw new Error(`Redis refused its users: ${refused.join('; ')}`);
}
