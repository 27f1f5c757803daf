import 'reflect-metadata';
import { testRedisUrl } from '@meetmark/testing';
import { Redis } from 'ioredis';
import { rpcOldestWaiting } from '../operations/metrics.js';
import { ownPrefix } from '../testing/open-service.js';
import { measureAge } from './queue-age.js';
import { RedisClock } from './redis-clock.js';
import { redisNames, type WireRequest } from './wire.js';

const age = async () => (await rpcOldestWaiting.get()).values[0]?.value;

it('the age of the oldest message that waits is a metric, and 0 when none waits', async () => {
  const redis = new Redis(await testRedisUrl());
  const clock = new RedisClock();
  await clock.synchronise(redis);
  const queue = redisNames(ownPrefix()).queue('events');
  const sent = (secondsAgo: number) =>
    `key.code.${JSON.stringify({ sent: clock.now() - secondsAgo * 1_000 } as WireRequest)}`;
  await redis.rpush(queue, sent(90), sent(5));
  await measureAge(redis, queue, 'events', clock);
  expect(Math.floor((await age())!)).toBe(90);
  await redis.del(queue);
  await measureAge(redis, queue, 'events', clock);
  expect(await age()).toBe(0);
  redis.disconnect();
});
