import { setTimeout as pause } from 'node:timers/promises';
import { type PrivateRedis, startRedis } from '@meetmark/testing';
import { Redis } from 'ioredis';
import { openSample, type Sample } from '../testing/open-sample.js';
import { Work } from '../testing/sample.messages.js';
import { TRANSPORT } from './protocol.js';

const SECONDS = 4;

describe('with nobody there', () => {
  let server: PrivateRedis;
  let redis: Redis;
  let sample: Sample;
  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.ownerUrl);
    sample = await openSample({ redisUrl: server.ownerUrl });
  });
  afterAll(async () => {
    await sample.close();
    redis.disconnect();
    await server.stop();
  });

  /** Commands a second, by their names. */
  const commands = async () => {
    await redis.config('RESETSTAT');
    await pause(SECONDS * 1_000);
    const calls = (await redis.info('commandstats')).matchAll(/^cmdstat_([a-z]+):calls=(\d+)/gm);
    const own = [...calls].filter(([, name]) => name !== 'config' && name !== 'info');
    return Object.fromEntries(own.map(([, name = '', count]) => [name, Number(count) / SECONDS]));
  };
  const sum = (of: Record<string, number>) => Object.values(of).reduce((all, one) => all + one, 0);

  it('a service pulls and renews its heartbeat, and its caller hardly asks', async () => {
    await sample.caller.rpc.call(Work, { number: 1 });
    expect(sum(await commands())).toBeGreaterThan(8); // it may call again
    await pause(TRANSPORT.rest - SECONDS * 1_000);
    const idle = await commands();
    const { blmpop = 0, zadd = 0, ...others } = idle;
    expect(blmpop).toBeLessThanOrEqual(1.5);
    expect(zadd).toBeLessThanOrEqual(2.5);
    expect(sum(others)).toBeLessThanOrEqual(1.5);
  }, 30_000);

  it('a call finds out first whether anybody has left meanwhile', async () => {
    await sample.service.stop();
    await expect(sample.caller.rpc.call(Work, { number: 2 }, { deadlineMs: 300 })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      details: { outcome: 'not-started' },
    });
  });
});
