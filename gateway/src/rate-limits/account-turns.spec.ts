import { once } from 'node:events';
import { startRedis, type PrivateServer } from '@meetmark/testing';
import { Logger } from '@nestjs/common';
import type { GatewayConfig } from '../gateway.config.js';
import { GatewayRedis } from '../redis/gateway-redis.js';
import { AccountTurns } from './account-turns.js';

describe('turns of an account while Redis is away', () => {
  let server: PrivateServer;
  let redis: GatewayRedis;
  let turns: AccountTurns;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    server = await startRedis();
    redis = new GatewayRedis({ redisUrl: server.url } as GatewayConfig);
    turns = new AccountTurns(redis);
    if (redis.client.status !== 'ready') await once(redis.client, 'ready');
  });
  afterAll(async () => {
    redis.onApplicationShutdown();
    await server.stop();
  });

  it('answer what came of an attempt, and let nobody make another', async () => {
    const attempts: string[] = [];
    const attempt = async (name: string) => {
      attempts.push(name);
      return name;
    };
    const losing = turns.run('ada', async () => {
      const closed = once(redis.client, 'close');
      await server.kill('SIGKILL');
      await closed;
      return attempt('first');
    });
    await expect(losing).resolves.toBe('first');
    const begun = Date.now();
    await expect(turns.run('ada', () => attempt('second'))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(Date.now() - begun).toBeLessThan(1_000); // at once: there is nothing to wait for
    expect(attempts).toEqual(['first']);
  });
});
