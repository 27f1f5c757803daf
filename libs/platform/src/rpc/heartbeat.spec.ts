import 'reflect-metadata';
import { jest } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { testRedis } from '@meetmark/testing';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { rpcOldestWaiting } from '../operations/metrics.js';
import { RedisClock } from '../redis/clock.js';
import { openSample } from '../testing/open-sample.js';
import { testConfig } from '../testing/open-service.js';
import { TEST_KEYS } from '../testing/test-keys.js';
import { serviceForTests } from '../testing/test-service.js';
import { RpcCipher } from './cipher.js';
import { QueueConsumer } from './consumer.js';
import { ConsumerHealth, Heartbeat, measureOldestWait } from './heartbeat.js';
import { redisNames, type WireRequest } from './protocol.js';

const cipher = new RpcCipher(TEST_KEYS.rpcSecrets);

describe('a consumer', () => {
  beforeAll(() => Logger.overrideLogger(false)); // The consumer would log each failed pull.

  it('counts as stalled after more than a minute without a pull or a reset', () => {
    let now = 0;
    const health = new ConsumerHealth(() => now);
    for (const restart of [() => health.recordPull(), () => health.reset()]) {
      now += 60_000;
      expect(health.stalled).toBe(false);
      now += 1;
      expect(health.stalled).toBe(true);
      restart();
      expect(health.stalled).toBe(false);
    }
  });

  it('completes pulls regularly, except while its queue is unreadable', async () => {
    const { ownerUrl, urlFor } = await testRedis();
    const { redisUrl, rpcPrefix: prefix } = testConfig({ redisUrl: urlFor('events') });
    const queue = redisNames(prefix).queue('events');
    const redis = new Redis(ownerUrl);
    const options = { service: 'events', redisUrl, prefix, concurrency: 1, batch: 1, cipher } as const;
    const consumer = new QueueConsumer({ ...options, clock: new RedisClock() }, () => Promise.resolve());
    await consumer.start();
    const silent = async (condition: (ms: number) => boolean) => {
      while (!condition(consumer.health.silentFor)) await wait(20);
    };
    await silent((ms) => ms > 500);
    await silent((ms) => ms < 500);
    await redis.set(queue, 'not a list');
    await silent((ms) => ms > 1_500);
    expect(consumer.ready).toBe(true);
    await redis.del(queue);
    await silent((ms) => ms < 500);
    await consumer.stop();
    redis.disconnect();
  });
});

const age = async () =>
  (await rpcOldestWaiting.get()).values.find(({ labels }) => labels.service === 'events')?.value;

it('measureOldestWait records the age of the oldest message, or 0 without one', async () => {
  const { ownerUrl, urlFor } = await testRedis();
  const [redis, owner] = [new Redis(urlFor('events')), new Redis(ownerUrl)];
  const clock = new RedisClock();
  await clock.synchronise(redis);
  const queue = redisNames('rpc').queue('events');
  const sent = (secondsAgo: number) =>
    cipher.encrypt(JSON.stringify({ sent: clock.now() - secondsAgo * 1_000 } as WireRequest), queue);
  const options = { service: 'events', prefix: 'rpc', clock, cipher } as const;
  await owner.rpush(queue, sent(90), sent(5));
  await measureOldestWait(redis, options);
  expect(Math.floor((await age())!)).toBe(90);
  await owner.lpush(queue, 'not a message');
  await measureOldestWait(redis, options);
  expect(await age()).toBe(0);
  await owner.del(queue);
  await measureOldestWait(redis, options);
  expect(await age()).toBe(0);
  for (const each of [redis, owner]) each.disconnect();
});

it('a replica sends a heartbeat when its pull connection opens', async () => {
  const { urlFor } = await testRedis();
  const commands = new Redis(urlFor('events'));
  const puller = new Redis(urlFor('events'), { lazyConnect: true });
  const clock = new RedisClock();
  await clock.synchronise(commands);
  const heartbeat = new Heartbeat({ service: 'events', prefix: 'rpc', clock, cipher }, commands, puller);
  await heartbeat.begin();
  const told = jest.spyOn(commands, 'zadd');
  expect(told).not.toHaveBeenCalled();
  await puller.connect();
  expect(told).toHaveBeenCalledTimes(1);
  heartbeat.end();
  for (const each of [commands, puller]) each.disconnect();
});

describe('a service', () => {
  const sample = serviceForTests(openSample);

  it('removes a crashed replica from the live set', async () => {
    const redis = new Redis(sample.ownerUrl);
    const replicas = redisNames(sample.config.rpcPrefix).replicas('events');
    await redis.zadd(replicas, Date.now() - 60_000, 'killed');
    await sample.another();
    expect(await redis.zscore(replicas, 'killed')).toBeNull();
    expect(await redis.zcard(replicas)).toBe(2);
    redis.disconnect();
  });
});
