import { SYSTEM_KEYS } from '@meetmark/contracts';
import type { RedisClock } from '@meetmark/platform';
import { startRedis, until } from '@meetmark/testing';
import { Redis } from 'ioredis';
import type { GatewayConfig } from '../gateway.config.js';
import { PictureDecoder } from '../media/decoder.js';
import { GatewayRedis, Heartbeat } from './gateway-redis.js';

/** Milliseconds: as on a machine that starts everything at once. */
const STOOD_STILL = 1_300;
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

it('an answer that came while this process stood still is an answer', async () => {
  const server = await startRedis();
  const redis = new GatewayRedis({ redisUrl: server.urlFor('gateway') } as GatewayConfig);
  try {
    await until('the connection', 5_000, async () => redis.client.status === 'ready');
    await redis.client.set('limit:one', '7');
    const asked = redis.client.get('limit:one');
    await new Promise((sent) => setImmediate(sent));
    standStill(STOOD_STILL);
    expect(await asked).toBe('7');
  } finally {
    redis.onApplicationShutdown();
    await server.stop();
  }
});

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
