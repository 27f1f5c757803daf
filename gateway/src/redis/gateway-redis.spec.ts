import { startRedis, until } from '@meetmark/testing';
import type { GatewayConfig } from '../gateway.config.js';
import { GatewayRedis } from './gateway-redis.js';

/**
 * Milliseconds for which the process is blocked, as on a machine where everything starts at the same time.
 */
const STOOD_STILL = 1_300;
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

it('GatewayRedis accepts a reply that arrived while the process was blocked', async () => {
  const server = await startRedis();
  const redis = new GatewayRedis({ redisUrl: server.urlFor('gateway') } as GatewayConfig);
  try {
    await until('the connection', 60_000, async () => redis.client.status === 'ready');
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
