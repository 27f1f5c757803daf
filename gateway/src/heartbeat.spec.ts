import { jest } from '@jest/globals';
import { SYSTEM_KEYS } from '@meetmark/contracts';
import type { RedisClock } from '@meetmark/platform';
import { startRedis, until } from '@meetmark/testing';
import { Redis } from 'ioredis';
import type { GatewayConfig } from './gateway.config.js';
import { Heartbeat } from './heartbeat.js';
import { PictureDecoder } from './media/decoder.js';
import { GatewayRedis } from './redis/gateway-redis.js';

it.each([
  ['starts', false],
  ['does not start three times in a row', true],
])('a gateway whose decoder %s is counted so', async (_, fails) => {
  const decoder = new PictureDecoder();
  Object.assign(decoder.settings, { program: 'nowhere.js' });
  for (let start = 1; start <= (fails ? 3 : 0); start += 1)
    await expect(decoder.decode(() => Buffer.from('picture'), 'avatars')).rejects.toThrow();
  expect(decoder.isFailing).toBe(fails);

  const server = await startRedis();
  const operator = new Redis(server.ownerUrl);
  const counted = (key: string) => operator.zcard(key);
  const redis = new GatewayRedis({ redisUrl: server.urlFor('gateway') } as GatewayConfig);
  const heartbeat = new Heartbeat(redis, { now: () => Date.now() } as RedisClock, decoder);
  heartbeat.onApplicationBootstrap();
  try {
    await until('the heartbeat', 5_000, async () => (await counted(SYSTEM_KEYS.replicas('gateway'))) === 1);
    // it is noted after the heartbeat itself
    if (fails) await until('the note', 5_000, async () => (await counted(SYSTEM_KEYS.withoutPictures)) === 1);
    else expect(await counted(SYSTEM_KEYS.withoutPictures)).toBe(0);
  } finally {
    await heartbeat.onModuleDestroy();
    redis.onApplicationShutdown();
    decoder.onApplicationShutdown();
    operator.disconnect();
    await server.stop();
  }
});

it('a gateway beats every five seconds in the same turn as all that is regular', async () => {
  jest.useFakeTimers({ now: 1_800_000_000_130 });
  const beats: number[] = [];
  const client = {
    on: () => client,
    zrem: async () => 1,
    zremrangebyscore: async () => 0,
    zadd: async () => beats.push(Date.now() % 10_000),
  };
  const heartbeat = new Heartbeat({ client } as never, { now: () => 0 } as RedisClock, {} as PictureDecoder);
  heartbeat.onApplicationBootstrap();
  jest.advanceTimersByTime(10_000);
  await heartbeat.onModuleDestroy();
  jest.advanceTimersByTime(10_000);
  jest.useRealTimers();
  expect(beats).toEqual([5_000, 0]);
});
