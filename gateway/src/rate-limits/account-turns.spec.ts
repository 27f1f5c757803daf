import { once } from 'node:events';
import { startRedis, type PrivateRedis } from '@meetmark/testing';
import { Logger } from '@nestjs/common';
import type { GatewayConfig } from '../gateway.config.js';
import { GatewayRedis } from '../redis/gateway-redis.js';
import { AccountTurns } from './account-turns.js';

describe('turns of an account', () => {
  let server: PrivateRedis;
  let redis: GatewayRedis;
  let turns: AccountTurns;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    server = await startRedis();
    redis = new GatewayRedis({ redisUrl: server.urlFor('gateway') } as GatewayConfig);
    turns = new AccountTurns(redis);
    if (redis.client.status !== 'ready') await once(redis.client, 'ready');
  });
  afterAll(async () => {
    redis.onApplicationShutdown();
    await server.stop();
  });

  it('come a second after each other', async () => {
    const began = Date.now();
    for (let turn = 0; turn < 3; turn += 1) await turns.run('bob', async () => undefined);
    expect(Date.now() - began).toBeGreaterThanOrEqual(2_000);
    expect(Date.now() - began).toBeLessThan(3_500);
  });

  it('answer what came of an attempt, and let nobody make another while Redis is away', async () => {
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
