import { setTimeout as pause } from 'node:timers/promises';
import { startRedis, type PrivateRedis } from '@meetmark/testing';
import { IDLE_TICK, TICK, untilNext } from '../redis/clock.js';
import { REDIS } from '../redis/connection.js';
import { openSample, type Sample } from '../testing/open-sample.js';
import { Work } from '../testing/sample.messages.js';
import { ledger } from '../testing/sample.service.js';
import { repeated } from '../testing/replicas.js';
import { SilentProxy } from '../testing/silent-proxy.js';

/** Milliseconds after its return within which all is well again. */
const RECOVERY = 5_000;
/** After which a process is idle. */
const IDLE = 5_500;

describe('when Redis', () => {
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
    await sample.close();
    await proxy.close();
    await redis.stop();
  });

  const call = (takes?: number) =>
    sample.caller.rpc.call(Work, { number: (next += 1), takes }, { deadlineMs: 3_000 });

  /** Calls until eight in a row succeed; resolves to the milliseconds that took. */
  async function recovered(): Promise<number> {
    const start = performance.now();
    for (let inARow = 0; inARow < 8;) {
      inARow = await call().then(
        () => inARow + 1,
        () => pause(20).then(() => 0),
      );
    }
    return performance.now() - start;
  }

  /** Callers that never stop; the returned function ends them and gives every refusal they met. */
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

  it('is killed and comes back under load, everything works again with no process restarted', async () => {
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
    expect(await recovered()).toBeLessThan(RECOVERY);
    const refusals = await stopLoad();
    expect(refusals.length).toBeGreaterThan(0);
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ code: /^(SERVICE_UNAVAILABLE|DEADLINE_EXCEEDED)$/ });
    expect(repeated(begun)).toEqual([]);
    expect(await sample.service.readiness.report()).toEqual({ status: 'ready', problems: {} });
  });

  it('goes silent without closing its connections, they are given up and made anew', async () => {
    await recovered();
    proxy.goSilent();
    await expect(call()).rejects.toMatchObject({ name: 'DomainError' });
    await expect(call()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    // every connection has been given up by now: the watch on each is shorter than a call
    await pause(1_000);
    proxy.speakAgain();
    expect(await recovered()).toBeLessThan(RECOVERY);
    expect(repeated(begun)).toEqual([]);
  });

  it('goes silent while nobody asks, who asks first learns it as soon as at other times', async () => {
    await recovered();
    await pause(IDLE);
    await pause(untilNext(IDLE_TICK) + 50); // the next look is far
    proxy.goSilent();
    const asked = performance.now();
    await expect(call()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const took = performance.now() - asked;
    proxy.speakAgain();
    expect(took).toBeLessThan(REDIS.silence + TICK);
    expect(await recovered()).toBeLessThan(RECOVERY);
  });

  it('is not there when the processes start, they wait for it and then work', async () => {
    await redis.kill('SIGKILL');
    const opening = openSample({ redisUrl: redis.ownerUrl });
    await pause(300);
    await redis.restart();
    const early = await opening;
    await expect(early.caller.rpc.call(Work, { number: 0 })).resolves.toMatchObject({ number: 0 });
    await early.close();
  });
});
