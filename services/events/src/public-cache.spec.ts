import { Logger } from '@nestjs/common';
import { PUBLIC_EVENTS_VERSION } from '@meetmark/contracts';
import { ServiceConfig } from '@meetmark/platform';
import { startRedis, testRedisUrl, until } from '@meetmark/testing';
import { Redis } from 'ioredis';
import { PublicCache } from './public-cache.js';

const configOf = (redisUrl: string) => Object.assign(new ServiceConfig(), { redisUrl });

describe('the version of the public answers', () => {
  beforeAll(() => Logger.overrideLogger(false));

  it('is raised before a change and after it', async () => {
    const redisUrl = await testRedisUrl();
    const [cache, redis] = [new PublicCache(configOf(redisUrl)), new Redis(redisUrl)];
    const version = async () => Number(await redis.get(PUBLIC_EVENTS_VERSION));
    await cache.onModuleInit();
    const before = await version();
    const during = await cache.changing(async () => {
      await until('the first raise', 10_000, async () => (await version()) > before);
      return version();
    });
    expect(await version()).toBeGreaterThan(during);
    cache.onApplicationShutdown();
    redis.disconnect();
  });

  it('is raised after a change that failed, since its commit may have got through', async () => {
    const redisUrl = await testRedisUrl();
    const [cache, redis] = [new PublicCache(configOf(redisUrl)), new Redis(redisUrl)];
    await cache.onModuleInit();
    await redis.set(PUBLIC_EVENTS_VERSION, 100);
    const failing = cache.changing(async () => {
      throw new Error('connection lost');
    });
    await expect(failing).rejects.toThrow('connection lost');
    expect(await redis.get(PUBLIC_EVENTS_VERSION)).toBe('102');
    cache.onApplicationShutdown();
    redis.disconnect();
  });

  it('keeps a change from being begun while Redis is away, and catches up with one that was', async () => {
    const server = await startRedis();
    const cache = new PublicCache(configOf(server.url));
    await cache.onModuleInit();
    const redis = new Redis(server.url);
    redis.on('error', () => undefined); // it is stopped on purpose
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
    await until('the version', 10_000, async () => (await version()) > raised);
    cache.onApplicationShutdown();
    redis.disconnect();
    await server.stop();
  });
});
