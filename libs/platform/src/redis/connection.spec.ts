import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { startRedis, testRedis } from '@meetmark/testing';
import type { Redis } from 'ioredis';
import { SilentProxy } from '../testing/silent-proxy.js';
import { answerWithin, connectForever, redisConnection } from './connection.js';

const PATIENCE = 100;
const immediate = { enableOfflineQueue: false, maxRetriesPerRequest: 0 };

afterEach(() => jest.restoreAllMocks());

it('connectForever waits for an unreachable Redis and warns once', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const server = await startRedis();
  await server.kill('SIGKILL');
  const redis = redisConnection(server.urlFor('gateway'), immediate);
  const connected = connectForever(redis);
  let attempts = 0;
  await new Promise<void>((resolve) => redis.on('close', () => (attempts += 1) === 3 && resolve()));
  await server.restart();
  await connected;
  expect(warn.mock.calls).toEqual([
    [{ err: expect.objectContaining({ code: 'ECONNREFUSED' }), msg: expect.any(String) }],
  ]);
  redis.disconnect();
  await server.stop();
});

describe('answerWithin', () => {
  let redis: Redis;
  afterEach(() => redis.disconnect());

  it('closes the connection when Redis is silent', async () => {
    const server = await startRedis();
    const proxy = await SilentProxy.before(server.urlFor('gateway'));
    redis = redisConnection(proxy.url, immediate);
    await connectForever(redis);
    proxy.goSilent();
    await expect(answerWithin(redis, redis.ping(), PATIENCE)).rejects.toThrow();
    expect(redis.status).not.toBe('ready');
    await proxy.close();
    await server.stop();
  });

  it('keeps the connection when this process was blocked instead of Redis', async () => {
    redis = redisConnection((await testRedis()).urlFor('gateway'), immediate);
    await connectForever(redis);
    const answer = answerWithin(redis, redis.ping(), PATIENCE);
    await new Promise(setImmediate);
    for (const until = Date.now() + 3 * PATIENCE; Date.now() < until;);
    expect(await answer).toBe('PONG');
    expect(redis.status).toBe('ready');
  });
});
