import { setTimeout as pause } from 'node:timers/promises';
import { startRedis, type PrivateRedis } from '@meetmark/testing';
import { openSample, type Sample } from '../testing/open-sample.js';
import { Work } from '../testing/sample.messages.js';
import { ledger } from '../testing/sample.service.js';
import { repeated } from '../testing/replicas.js';
import { SilentProxy } from '../testing/silent-proxy.js';

describe('RPC during Redis faults', () => {
  let redis: PrivateRedis;
  let proxy: SilentProxy;
  let sample: Sample;
  const begun: number[] = [];
  let next = 0;

  beforeAll(async () => {
    redis = await startRedis();
    proxy = await SilentProxy.before(redis.ownerUrl);
    ledger.begun = (number) => begun.push(number);
    sample = await openSample({ redisUrl: proxy.url });
    await sample.another();
  });
  afterAll(async () => {
    ledger.begun = () => undefined;
    await sample.close();
    await proxy.close();
    await redis.stop();
  });

  const call = (takes?: number) =>
    sample.caller.rpc.call(Work, { number: (next += 1), takes }, { deadlineMs: 3_000 });

  /** Waits for eight successful calls in a row. */
  async function recovered(): Promise<void> {
    for (let inARow = 0; inARow < 8;) {
      inARow = await call().then(
        () => inARow + 1,
        () => pause(20).then(() => 0),
      );
    }
  }

  function load(): () => Promise<unknown[]> {
    const refusals: unknown[] = [];
    let running = true;
    const loops = Array.from({ length: 16 }, async () => {
      while (running) await call(5).catch((error: unknown) => (refusals.push(error), pause(10)));
    });
    return async () => {
      running = false;
      await Promise.all(loops);
      return refusals;
    };
  }

  it('recovers from a Redis crash under load without restarting a process', async () => {
    const stopLoad = load();
    await recovered();
    const waiting = Promise.allSettled([1, 2, 3].map(() => call(2_900)));
    await pause(50);
    await redis.kill('SIGKILL');
    const lost = await waiting;
    for (const result of lost)
      expect(result).toMatchObject({
        reason: { code: 'SERVICE_UNAVAILABLE', details: { outcome: 'unknown' } },
      });
    await expect(call()).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      details: { outcome: 'not-started' },
    });
    expect((await sample.service.readiness.report()).problems).toHaveProperty('redis');

    await redis.restart();
    await recovered();
    const refusals = await stopLoad();
    expect(refusals.length).toBeGreaterThan(0);
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ code: /^(SERVICE_UNAVAILABLE|DEADLINE_EXCEEDED)$/ });
    expect(repeated(begun)).toEqual([]);
    expect(await sample.service.readiness.report()).toEqual({ status: 'ready', problems: {} });
  });

  it('recovers after open connections to Redis received no answers', async () => {
    await recovered();
    proxy.goSilent();
    await expect(call()).rejects.toMatchObject({ name: 'DomainError' });
    await expect(call()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    // Wait until all connections are closed.
    await pause(1_000);
    proxy.speakAgain();
    await recovered();
    expect(repeated(begun)).toEqual([]);
  });

  it('waits for a Redis that starts after the services', async () => {
    await redis.kill('SIGKILL');
    const opening = openSample({ redisUrl: redis.ownerUrl });
    await pause(300);
    await redis.restart();
    const early = await opening;
    await expect(early.caller.rpc.call(Work, { number: 0 })).resolves.toMatchObject({ number: 0 });
    await early.close();
  });
});
