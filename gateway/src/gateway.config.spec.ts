import { ConfigError, loadConfig, type RedisClock } from '@meetmark/platform';
import { makeIdentityKeys } from '@meetmark/platform/testing/test-keys';
import { jest } from '@jest/globals';
import { SYSTEM_KEYS } from '@meetmark/contracts';
import { testRedis, until } from '@meetmark/testing';
import { Redis } from 'ioredis';
import { GatewayConfig } from './gateway.config.js';
import { Heartbeat } from './heartbeat.js';
import { PictureDecoder } from './media/decoder.js';
import { GatewayRedis } from './redis/gateway-redis.js';

const SECRET = 'a-secret-of-thirty-two-characters-at-least';
const { identityPrivateKey, identityPublicKeys } = makeIdentityKeys();
const valid = {
  DATABASE_URL: 'postgres://meetmark_gateway@localhost/meetmark',
  REDIS_URL: 'redis://localhost',
  IDENTITY_PRIVATE_KEY: identityPrivateKey,
  IDENTITY_PUBLIC_KEYS: identityPublicKeys.join(','),
  RPC_SECRETS: SECRET,
  SESSION_SECRETS: SECRET,
  LINK_SECRETS: SECRET,
  PUBLIC_URL: 'http://localhost:8080',
  COMMUNITY_CONFIG: 'config/community.json',
};
const PUBLIC = { PUBLIC_URL: 'https://meet.example' };
const problems = (changes: Record<string, string>) => {
  try {
    loadConfig(GatewayConfig, { ...valid, ...changes });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

describe('the configuration of the gateway', () => {
  it('accepts valid variables', () => {
    expect([problems({}), problems(PUBLIC)]).toEqual([[], []]);
  });

  it.each<[Record<string, string>, RegExp]>([
    [{ PUBLIC_URL: 'http://meet.example' }, /^PUBLIC_URL must start with https:/],
    [{ PUBLIC_URL: 'http://192.168.1.5:8080' }, /^PUBLIC_URL must start with https:/],
    [{ PUBLIC_URL: 'http://localhost.example' }, /^PUBLIC_URL must start with https:/],
    [{ RATE_LIMIT_PROFILE: 'test' }, /^RATE_LIMIT_PROFILE must be standard/],
    [{ SESSION_SECRETS: 'a'.repeat(32) }, /^SESSION_SECRETS .*random secrets/],
    [{ LINK_SECRETS: 'password'.repeat(5) }, /^LINK_SECRETS .*random secrets/],
    [{ SESSION_SECRETS: `${SECRET},${'0123456789'.repeat(4)}` }, /^SESSION_SECRETS .*random secrets/],
  ])('refuses %j for a public site', (changes, reason) => {
    const found = problems({ ...PUBLIC, ...changes });
    expect(found).toEqual([expect.stringMatching(reason)]);
    expect(found.join()).not.toContain('password');
  });

  it.each(['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:8080', 'http://meet.localhost'])(
    'allows simple secrets and test rate limits for %s or in tests',
    (address) => {
      const easy = { RATE_LIMIT_PROFILE: 'test', SESSION_SECRETS: 'a'.repeat(32) };
      expect(problems({ PUBLIC_URL: address, ...easy })).toEqual([]);
      expect(problems({ PUBLIC_URL: 'http://meet.example', NODE_ENV: 'test', ...easy })).toEqual([]);
    },
  );

  it('names every invalid variable', () => {
    const invalid = {
      ...{ PUBLIC_URL: 'ftp://localhost', PORT: '70000', COMMUNITY_CONFIG: '', TRUSTED_PROXIES: 'true' },
      ...{ IDENTITY_PRIVATE_KEY: SECRET, RPC_SECRETS: 'short', SESSION_SECRETS: 'short' },
      ...{ RATE_LIMIT_PROFILE: 'off', RATE_LIMITS: 'sign-up=many', IMPORT_URLS: 'yes' },
    };
    const named = problems(invalid).map((problem) => problem.split(' ', 1)[0]);
    expect(named.toSorted()).toEqual(Object.keys(invalid).toSorted());
  });

  it.each([
    [{ IDENTITY_PRIVATE_KEY: SECRET }, /^IDENTITY_PRIVATE_KEY must be a private key/],
    [
      { IDENTITY_PRIVATE_KEY: makeIdentityKeys().identityPrivateKey },
      /^IDENTITY_PRIVATE_KEY must be the private key of one of IDENTITY_PUBLIC_KEYS: take both from `node scripts\/make-env.mjs --identity`/,
    ],
    [{ RATE_LIMITS: 'sign-up=many' }, /^RATE_LIMITS .*sign-up=many/],
  ])('names the invalid variable in %j', (changes, reason) => {
    expect(problems(changes as Record<string, string>).join('\n')).toMatch(reason);
  });
});

it.each([
  ['starts', false],
  ['fails to start three times in a row', true],
])('a gateway reports the state of an image decoder that %s', async (_, fails) => {
  const decoder = new PictureDecoder();
  Object.assign(decoder.settings, { program: 'nowhere.js' });
  for (let start = 1; start <= (fails ? 3 : 0); start += 1)
    await expect(decoder.decode(() => Buffer.from('picture'), 'avatars')).rejects.toThrow();
  expect(decoder.isFailing).toBe(fails);

  const server = await testRedis();
  const operator = new Redis(server.ownerUrl);
  const counted = (key: string) => operator.zcard(key);
  const redis = new GatewayRedis({ redisUrl: server.urlFor('gateway') } as GatewayConfig);
  const heartbeat = new Heartbeat(redis, { now: () => Date.now() } as RedisClock, decoder);
  heartbeat.onApplicationBootstrap();
  try {
    await until('the heartbeat', 60_000, async () => (await counted(SYSTEM_KEYS.replicas('gateway'))) === 1);
    if (fails)
      await until('the note', 60_000, async () => (await counted(SYSTEM_KEYS.withoutPictures)) === 1);
    else expect(await counted(SYSTEM_KEYS.withoutPictures)).toBe(0);
  } finally {
    await heartbeat.onModuleDestroy();
    redis.onApplicationShutdown();
    decoder.onApplicationShutdown();
    operator.disconnect();
  }
});

it('a gateway renews its heartbeat every five seconds until it stops', async () => {
  const beats: number[] = [];
  const client = {
    on: () => client,
    zrem: async () => 1,
    zremrangebyscore: async () => 0,
    zadd: async () => beats.push(Date.now()),
  };
  const heartbeat = new Heartbeat({ client } as never, { now: () => 0 } as RedisClock, {} as PictureDecoder);
  jest.useFakeTimers();
  jest.setSystemTime(0);
  heartbeat.onApplicationBootstrap();
  jest.advanceTimersByTime(10_000);
  await heartbeat.onModuleDestroy();
  jest.advanceTimersByTime(10_000);
  jest.useRealTimers();
  expect(beats).toEqual([5_000, 10_000]);
});
