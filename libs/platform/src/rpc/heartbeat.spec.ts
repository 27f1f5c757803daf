import 'reflect-metadata';
import { jest } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { testRedis } from '@meetmark/testing';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { MessageVerifier } from '../identity/message-signing.js';
import { rpcOldestWaiting } from '../operations/metrics.js';
import { IDLE_TICK, RedisClock } from '../redis/clock.js';
import { openSample, type Sample } from '../testing/open-sample.js';
import { testConfig } from '../testing/open-service.js';
import { TEST_KEYS } from '../testing/test-keys.js';
import { QueueConsumer } from './consumer.js';
import { ConsumerHealth, Heartbeat, measureOldestWait, ReplicaWatch } from './heartbeat.js';
import { redisNames, type WireRequest } from './protocol.js';

describe('a consumer', () => {
  beforeAll(() => Logger.overrideLogger(false)); // it logs each failed pull

  it('is stalled when no pull returned for more than a minute', () => {
    let now = 0;
    const health = new ConsumerHealth(() => now);
    now = 60_000;
    expect(health.stalled).toBe(false);
    now = 60_001;
    expect(health.stalled).toBe(true);
    health.recordPull();
    expect(health.stalled).toBe(false);
  });

  it('is not stalled while Redis answers nothing at all', () => {
    let now = 0;
    const health = new ConsumerHealth(() => now);
    now = 59_000;
    health.reset();
    now = 100_000;
    expect(health.stalled).toBe(false);
  });

  it('completes a pull every second, and none when its queue cannot be read although Redis answers', async () => {
    const { ownerUrl, urlFor } = await testRedis();
    const { redisUrl, rpcPrefix: prefix } = testConfig({ redisUrl: urlFor('events') });
    const queue = redisNames(prefix).queue('events');
    const redis = new Redis(ownerUrl);
    const consumer = new QueueConsumer(
      {
        ...{ service: 'events', redisUrl, prefix, concurrency: 1, batch: 1, clock: new RedisClock() },
        verifier: new MessageVerifier('events', TEST_KEYS),
      },
      () => Promise.resolve(),
    );
    await consumer.start();
    const silent = async (condition: (ms: number) => boolean) => {
      while (!condition(consumer.health.silentFor)) await wait(20);
    };
    await silent((ms) => ms > 500);
    await silent((ms) => ms < 500); // a pull came back
    await redis.set(queue, 'not a list');
    await silent((ms) => ms > 3_000); // longer than any pull takes
    expect(consumer.ready).toBe(true);
    await redis.del(queue);
    await silent((ms) => ms < 500);
    await consumer.stop();
    redis.disconnect();
  });
});

const age = async () => (await rpcOldestWaiting.get()).values[0]?.value;

it('the age of the oldest message that waits is a metric, and 0 when none waits', async () => {
  const { ownerUrl, urlFor } = await testRedis();
  const [redis, owner] = [new Redis(urlFor('events')), new Redis(ownerUrl)];
  const clock = new RedisClock();
  await clock.synchronise(redis);
  const queue = redisNames('rpc').queue('events');
  const sent = (secondsAgo: number) =>
    `key.code.${JSON.stringify({ sent: clock.now() - secondsAgo * 1_000 } as WireRequest)}`;
  await owner.rpush(queue, sent(90), sent(5));
  await measureOldestWait(redis, queue, 'events', clock);
  expect(Math.floor((await age())!)).toBe(90);
  await owner.del(queue);
  await measureOldestWait(redis, queue, 'events', clock);
  expect(await age()).toBe(0);
  for (const each of [redis, owner]) each.disconnect();
});

it('a replica is living as soon as the connection is back on which it takes work', async () => {
  const { urlFor } = await testRedis();
  const [commands, puller] = [
    new Redis(urlFor('events')),
    new Redis(urlFor('events'), { lazyConnect: true }),
  ];
  const clock = new RedisClock();
  await clock.synchronise(commands);
  const heartbeat = new Heartbeat({ service: 'events', prefix: 'rpc', clock }, commands, puller, () => false);
  await heartbeat.begin();
  const told = jest.spyOn(commands, 'zadd');
  expect(told).not.toHaveBeenCalled();
  await puller.connect();
  expect(told).toHaveBeenCalledTimes(1);
  heartbeat.end();
  for (const each of [commands, puller]) each.disconnect();
});

it('a caller that was idle asks again for a service that it last saw without a replica, and trusts one that it saw living', async () => {
  let alive = 0;
  const redis = { zcount: async () => alive, llen: async () => 0 } as unknown as Redis;
  const watch = new ReplicaWatch(redis, redisNames('rpc'), new RedisClock(), () => undefined);
  const later = () => jest.spyOn(performance, 'now').mockReturnValue(performance.now() + IDLE_TICK);
  await watch.look('events');
  expect(watch.count('events')).toBe(0);
  later();
  expect(watch.count('events')).toBeUndefined();
  alive = 1;
  await watch.look('events');
  later();
  expect(watch.count('events')).toBe(1);
  jest.restoreAllMocks();
});

describe('a service', () => {
  let sample: Sample;
  let redis: Redis;
  beforeAll(async () => {
    sample = await openSample();
    redis = new Redis(sample.ownerUrl);
  });
  afterAll(async () => {
    await sample.close();
    redis.disconnect();
  });

  it('with nothing to do sends two commands a second: a heartbeat, and a pull that says at its end that nothing waits', async () => {
    const seconds = 4;
    await wait(6_000); // until it is idle
    const monitor = await redis.monitor();
    const sent: Record<string, number> = {};
    // its server is that of other tests, too
    const own = new URL(sample.ownerUrl).pathname.slice(1);
    monitor.on('monitor', (_time: string, [name = '']: string[], _source: string, database: string) => {
      const command = name.toLowerCase();
      if (database === own) sent[command] = (sent[command] ?? 0) + 1;
    });
    await wait(seconds * 1_000);
    monitor.disconnect();
    expect(sent['lindex'] ?? 0).toBe(0);
    expect(sent['zadd']).toBeLessThanOrEqual(seconds + 1);
    expect(sent['blmpop']).toBeLessThanOrEqual(seconds + 1);
  });

  it('takes out of the living who has left without a word', async () => {
    const replicas = redisNames(sample.config.rpcPrefix).replicas('events');
    await redis.zadd(replicas, Date.now() - 60_000, 'killed');
    await sample.another();
    expect(await redis.zscore(replicas, 'killed')).toBeNull();
    expect(await redis.zcard(replicas)).toBe(2);
  });
});
