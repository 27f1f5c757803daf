import { until } from '@meetmark/testing';
import { Redis } from 'ioredis';
import { openSample, type Sample } from '../testing/open-sample.js';
import { Silent, Work } from '../testing/sample.messages.js';
import { boundFor } from './queue-bound.js';
import { redisNames } from './wire.js';

describe('the bound of a queue', () => {
  it.each([
    ['is not set while its oldest message has not waited long', 900, 400, null],
    ['is what can be taken in a second at the pace of late', 1_000, 4_000, 250],
    ['leaves room for a replica that stalls for a moment', 5, 1_500, 64],
  ])('%s', (_, waiting, age, bound) => {
    expect(boundFor(waiting, age)).toBe(bound);
  });
});

describe('a service whose messages wait too long', () => {
  let sample: Sample;
  let redis: Redis;
  beforeAll(async () => {
    // one at a time, so that what is sent together waits
    sample = await openSample({ rpcConcurrency: 1 });
    redis = new Redis(sample.config.redisUrl);
  });
  afterAll(async () => {
    await sample.close();
    redis.disconnect();
  });

  it('has callers refused at once although its queue is far from full, and lets them in again', async () => {
    const { caller, config } = sample;
    const bound = () => redis.get(redisNames(config.rpcPrefix).bound('events'));
    await caller.rpc.call(Silent, {});
    expect(await bound()).toBeNull();
    const work = (number: number) => caller.rpc.call(Work, { number, takes: 50 }, { deadlineMs: 4_000 });
    const crowd = Promise.allSettled(Array.from({ length: 200 }, (_, number) => work(number)));
    await until('the bound', 5_000, async () => Number((await bound()) ?? Infinity) < 100);
    await until('a refusal', 2_000, async () => {
      const refusal = await caller.rpc.call(Silent, {}, { deadlineMs: 100 }).catch((error: unknown) => error);
      return (refusal as { code?: string } | undefined)?.code === 'SERVICE_OVERLOADED';
    });
    await crowd;
    await until('all to be well', 10_000, async () => (await bound()) === null);
    await caller.rpc.call(Silent, {});
  });
});
