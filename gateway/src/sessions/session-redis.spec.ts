import { DEADLINES } from '@meetmark/contracts';
import { SilentProxy } from '@meetmark/platform/testing/silent-proxy';
import { startRedis, until } from '@meetmark/testing';
import { Logger } from '@nestjs/common';
import { GatewayConfig } from '../gateway.config.js';
import { SessionCache } from './session-cache.js';
import { SessionRedis } from './session-redis.js';

const ASKED_EVERY = 50;
/** Minimum number of requests that the test sends to the silent connection. */
const ASKED_WHILE_SILENT = 10;
const STOOD_STILL = 2_300;
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

beforeAll(() => Logger.overrideLogger(false));

it('SessionRedis drops a connection that falls silent and reconnects', async () => {
  const server = await startRedis();
  const proxy = await SilentProxy.before(server.urlFor('gateway'));
  const redis = new SessionRedis(proxy.url, new Logger('Sessions'));
  const connected = () => until('the connection', 60_000, async () => redis.client.isReady);
  await connected();
  proxy.goSilent();
  const asked = redis.client.get('session:one');
  const failed: unknown[] = [];
  const asking = setInterval(
    () => void redis.client.get('session:one').catch((error) => failed.push(error)),
    ASKED_EVERY,
  );
  await expect(asked).rejects.toThrow();
  expect(redis.client.isReady).toBe(false);
  proxy.speakAgain();
  await connected();
  expect(await redis.client.get('session:one')).toBeNull();
  clearInterval(asking);
  redis.close();
  await proxy.close();
  await server.stop();
});

it('SessionRedis accepts a reply that arrived while the process was blocked', async () => {
  const server = await startRedis();
  const redis = new SessionRedis(server.urlFor('gateway'), new Logger('Sessions'));
  try {
    await until('the connection', 60_000, async () => redis.client.isReady);
    await redis.client.set('session:one', 'kept');
    const asked = redis.client.get('session:one');
    await new Promise((sent) => setImmediate(sent));
    standStill(STOOD_STILL);
    expect(await asked).toBe('kept');
    expect(redis.client.isReady).toBe(true);
  } finally {
    redis.close();
    await server.stop();
  }
});

it('SessionRedis reconnects when a new connection stays silent', async () => {
  const server = await startRedis();
  const proxy = await SilentProxy.before(server.urlFor('gateway'));
  proxy.goSilent();
  const redis = new SessionRedis(proxy.url, new Logger('Sessions'));
  try {
    await until('the second try', 60_000, async () => proxy.accepted > 1);
    proxy.speakAgain();
    await until('the connection', 60_000, async () => redis.client.isReady);
    expect(await redis.client.get('session:one')).toBeNull();
  } finally {
    redis.close();
    await proxy.close();
    await server.stop();
  }
});

it('SessionCache completes its reads with the connection that replaces a silent one', async () => {
  const server = await startRedis();
  const proxy = await SilentProxy.before(server.urlFor('gateway'));
  const cache = new SessionCache(Object.assign(new GatewayConfig(), { redisUrl: proxy.url }));
  const failed: unknown[] = [];
  const asked: Promise<unknown>[] = [];
  const ask = () => asked.push(cache.load('none').catch((error: unknown) => failed.push(error)));
  try {
    await until('the connection', 60_000, () => cache.check().then(() => true));
    const { accepted } = proxy;
    proxy.loseOpen();
    const asking = setInterval(ask, ASKED_EVERY);
    await until('another connection', 60_000, async () => proxy.accepted > accepted);
    await until('an answer by it', 60_000, () => cache.check().then(() => true));
    clearInterval(asking);
    await Promise.all(asked);
    expect(asked.length).toBeGreaterThan(ASKED_WHILE_SILENT);
    expect(failed).toEqual([]);
  } finally {
    cache.onApplicationShutdown();
    await proxy.close();
    await server.stop();
  }
});

it('SessionRedis waits about one command timeout for a silent Redis', async () => {
  const server = await startRedis();
  const proxy = await SilentProxy.before(server.urlFor('gateway'));
  const redis = new SessionRedis(proxy.url, new Logger('Sessions'));
  try {
    await until('the connection', 60_000, async () => redis.client.isReady);
    proxy.goSilent();
    const { client } = redis;
    await until('it to be given up', 60_000, async () => redis.client !== client);
    const began = performance.now();
    await expect(redis.repeatable(() => redis.client.get('session:one'))).rejects.toThrow();
    const waited = performance.now() - began;
    expect(waited).toBeGreaterThan(DEADLINES.redisCommand / 2);
    expect(waited).toBeLessThan(2 * DEADLINES.redisCommand);
  } finally {
    redis.close();
    await proxy.close();
    await server.stop();
  }
});
