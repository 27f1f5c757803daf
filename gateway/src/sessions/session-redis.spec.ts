import { setTimeout as pause } from 'node:timers/promises';
import { DEADLINES } from '@meetmark/contracts';
import { SilentProxy } from '@meetmark/platform/testing/silent-proxy';
import { startRedis, until, type PrivateRedis } from '@meetmark/testing';
import { ConsoleLogger, Logger } from '@nestjs/common';
import type { GatewayConfig } from '../gateway.config.js';
import { GatewayRedis } from '../redis/gateway-redis.js';
import { SessionCache } from './session-cache.js';
import { SessionRedis } from './session-redis.js';

/** Minimum number of requests that the test sends to the silent connection. */
const ASKED_WHILE_SILENT = 10;
/** Milliseconds for which the process is blocked, longer than the timeout of a command. */
const STOOD_STILL = 2_300;
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

let server: PrivateRedis;
let proxy: SilentProxy;
beforeAll(async () => {
  Logger.overrideLogger(false);
  server = await startRedis();
});
beforeEach(async () => {
  proxy = await SilentProxy.before(server.urlFor('gateway'));
});
afterEach(() => proxy.close());
afterAll(async () => {
  await server.stop();
  Logger.overrideLogger(new ConsoleLogger());
});

it('SessionRedis drops silent connections until Redis answers again', async () => {
  const redis = new SessionRedis(proxy.url, new Logger('Sessions'));
  const connected = () => until('the connection', 60_000, async () => redis.client.isReady);
  const get = () => redis.client.get('session:one');
  await connected();
  proxy.goSilent();
  const asked = get();
  const asking = setInterval(() => void get().catch(() => undefined), 50);
  await expect(asked).rejects.toThrow();
  expect(redis.client.isReady).toBe(false);
  const repeated = redis.repeatable(get);
  const outcome = repeated.catch(() => 'failed');
  expect(await Promise.race([outcome, pause(DEADLINES.redisCommand / 2, 'waiting')])).toBe('waiting');
  await expect(repeated).rejects.toThrow();
  await until('another try', 60_000, async () => proxy.accepted > 2);
  proxy.speakAgain();
  await connected();
  expect(await get()).toBeNull();
  clearInterval(asking);
  redis.close();
});

it('SessionCache completes its reads with the connection that replaces a silent one', async () => {
  const cache = new SessionCache({ redisUrl: proxy.url } as GatewayConfig);
  const failed: unknown[] = [];
  const asked: Promise<unknown>[] = [];
  const ask = () => asked.push(cache.load('none').catch((error: unknown) => failed.push(error)));
  await until('the connection', 60_000, () => cache.check().then(() => true));
  const { accepted } = proxy;
  proxy.loseOpen();
  const asking = setInterval(ask, 50);
  await until('another connection', 60_000, async () => proxy.accepted > accepted);
  await until('an answer by it', 60_000, () => cache.check().then(() => true));
  clearInterval(asking);
  await Promise.all(asked);
  expect(asked.length).toBeGreaterThan(ASKED_WHILE_SILENT);
  expect(failed).toEqual([]);
  cache.onApplicationShutdown();
});

it('SessionRedis and GatewayRedis accept replies that arrived while the process was blocked', async () => {
  const redisUrl = server.urlFor('gateway');
  const sessions = new SessionRedis(redisUrl, new Logger('Sessions'));
  const limits = new GatewayRedis({ redisUrl } as GatewayConfig);
  await until(
    'both connections',
    60_000,
    async () => sessions.client.isReady && limits.client.status === 'ready',
  );
  await Promise.all([sessions.client.set('session:one', 'kept'), limits.client.set('limit:one', '7')]);
  const asked = Promise.all([sessions.client.get('session:one'), limits.client.get('limit:one')]);
  await new Promise((sent) => setImmediate(sent));
  standStill(STOOD_STILL);
  expect(await asked).toEqual(['kept', '7']);
  expect(sessions.client.isReady).toBe(true);
  sessions.close();
  limits.onApplicationShutdown();
});
