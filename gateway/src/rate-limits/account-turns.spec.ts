import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { startRedis, type PrivateRedis } from '@meetmark/testing';
import { Logger } from '@nestjs/common';
import type { GatewayConfig } from '../gateway.config.js';
import { GatewayRedis } from '../redis/gateway-redis.js';
import { AccountTurns } from './account-turns.js';

const HOME = '192.0.2.7';

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
    for (let turn = 0; turn < 3; turn += 1) await turns.run('bob', HOME, async () => undefined);
    expect(Date.now() - began).toBeGreaterThanOrEqual(2_000);
    expect(Date.now() - began).toBeLessThan(3_500);
  });

  it('are waited for by one attempt of a network, so that a flood leaves a place for the owner', async () => {
    let end = (): void => undefined;
    const running = turns.run('eve', HOME, () => new Promise<void>((resolve) => (end = resolve)));
    const flood = Array.from({ length: 30 }, (_, n) =>
      turns.run('eve', `2001:db8:1:${n}::1`, async () => 'in'),
    );
    const owner = turns.run('eve', '203.0.113.1', async () => 'in');
    for (const each of flood.slice(1)) await expect(each).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await expect(Promise.race([owner, flood[0], pause(300, 'both wait')])).resolves.toBe('both wait');
    end();
    await Promise.allSettled([running, owner, flood[0]]);
  });

  it('answer what came of an attempt, and let nobody make another while Redis is away', async () => {
    const attempts: string[] = [];
    const attempt = async (name: string) => {
      attempts.push(name);
      return name;
    };
    const losing = turns.run('ada', HOME, async () => {
      const closed = once(redis.client, 'close');
      await server.kill('SIGKILL');
      await closed;
      return attempt('first');
    });
    await expect(losing).resolves.toBe('first');
    const begun = Date.now();
    await expect(turns.run('ada', HOME, () => attempt('second'))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(Date.now() - begun).toBeLessThan(1_000); // at once: there is nothing to wait for
    expect(attempts).toEqual(['first']);
  });
});
