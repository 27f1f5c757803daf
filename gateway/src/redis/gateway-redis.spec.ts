import { startRedis, until } from '@meetmark/testing';
import type { GatewayConfig } from '../gateway.config.js';
import { GatewayRedis } from './gateway-redis.js';

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
