import { Logger } from '@nestjs/common';
import { PUBLIC_EVENTS_VERSION } from '@meetmark/contracts';
import { AnswerConnection } from '@meetmark/platform';
import { connectForever, redisConnection } from '@meetmark/platform/redis/connection';
import { startRedis, testRedisUrl, until } from '@meetmark/testing';
import { Redis } from 'ioredis';
import { PublicCache } from './public-cache.js';

async function openCache(redisUrl: string) {
  const redis = redisConnection(redisUrl, { maxRetriesPerRequest: null }); // as that over which a service answers
  await connectForever(redis);
  return { redis, cache: new PublicCache(new AnswerConnection(redis)) };
}

describe('the version of the public answers', () => {
  beforeAll(() => Logger.overrideLogger(false));

  it('is raised before a change, and after it before anything that is sent later', async () => {
    const redisUrl = await testRedisUrl();
    const { cache, redis } = await openCache(redisUrl);
    const elsewhere = new Redis(redisUrl);
    const version = async (asked: Redis) => Number(await asked.get(PUBLIC_EVENTS_VERSION));
    const before = await version(elsewhere);
    const during = await cache.changing(async () => {
      await until('the first raise', 10_000, async () => (await version(elsewhere)) > before);
      return version(elsewhere);
    });
    expect(await version(redis)).toBeGreaterThan(during);
    for (const each of [redis, elsewhere]) each.disconnect();
  });

  it('is raised after a change that failed, since its commit may have got through', async () => {
    const { cache, redis } = await openCache(await testRedisUrl());
    await redis.set(PUBLIC_EVENTS_VERSION, 100);
    const failing = cache.changing(async () => {
      throw new Error('connection lost');
    });
    await expect(failing).rejects.toThrow('connection lost');
    expect(await redis.get(PUBLIC_EVENTS_VERSION)).toBe('102');
    redis.disconnect();
  });

  it('is raised again when Redis refused it', async () => {
    const { cache, redis } = await openCache(await testRedisUrl());
    await redis.set(PUBLIC_EVENTS_VERSION, 'no number');
    await cache.changing(async () => undefined);
    await redis.del(PUBLIC_EVENTS_VERSION);
    await until('the version', 10_000, async () => (await redis.get(PUBLIC_EVENTS_VERSION)) === '2');
    redis.disconnect();
  });

  it('keeps a change from being begun while Redis is away, and catches up with one that was', async () => {
    const server = await startRedis();
    const { cache, redis } = await openCache(server.url);
    const version = async () => Number(await redis.get(PUBLIC_EVENTS_VERSION));
    let begun = 0;
    let raised = 0;
    const during = cache.changing(async () => {
      begun += 1;
      raised = await version();
      await server.kill('SIGKILL');
      return 'committed';
    });
    expect(await during).toBe('committed');
    await expect(cache.changing(async () => (begun += 1))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      details: { outcome: 'not-started' },
    });
    expect(begun).toBe(1);
    await server.restart();
    expect(await version()).toBeGreaterThan(raised);
    redis.disconnect();
    await server.stop();
  });
});
