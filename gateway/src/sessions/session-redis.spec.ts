import { SilentProxy } from '@meetmark/platform/testing/silent-proxy';
import { startRedis, until } from '@meetmark/testing';
import { Logger } from '@nestjs/common';
import { SessionRedis } from './session-redis.js';

const ASKED_EVERY = 50;

beforeAll(() => Logger.overrideLogger(false)); // it tells of each look that failed

it('a Redis that falls silent is given up although we go on asking, and found again', async () => {
  const server = await startRedis();
  const proxy = await SilentProxy.before(server.url);
  const redis = new SessionRedis(proxy.url, new Logger('Sessions'));
  const connected = () => until('the connection', 5_000, async () => redis.client.isReady);
  await connected();
  proxy.goSilent();
  const asked = redis.client.get('session');
  const failed: unknown[] = [];
  const asking = setInterval(
    () => void redis.client.get('session').catch((error) => failed.push(error)),
    ASKED_EVERY,
  );
  await expect(asked).rejects.toThrow();
  expect(redis.client.isReady).toBe(false);
  proxy.speakAgain();
  await connected();
  expect(await redis.client.get('session')).toBeNull();
  clearInterval(asking);
  redis.close();
  await proxy.close();
  await server.stop();
});
