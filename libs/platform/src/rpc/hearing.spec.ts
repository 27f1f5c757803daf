import 'reflect-metadata';
import { setTimeout as wait } from 'node:timers/promises';
import { testRedisUrl } from '@meetmark/testing';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { ownPrefix, testConfig } from '../testing/open-service.js';
import { Hearing } from './hearing.js';
import { TEST_KEYS } from '../testing/test-keys.js';
import { MessageVerifier } from './message-keys.js';
import { QueueConsumer } from './queue.consumer.js';
import { RedisClock } from './redis-clock.js';
import { redisNames } from './wire.js';

describe('a consumer', () => {
  beforeAll(() => Logger.overrideLogger(false)); // it complains about each pull

  it('is deaf when nothing came back for more than a minute', () => {
    let now = 0;
    const hearing = new Hearing(() => now);
    now = 60_000;
    expect(hearing.deaf).toBe(false);
    now = 60_001;
    expect(hearing.deaf).toBe(true);
    hearing.heard();
    expect(hearing.deaf).toBe(false);
  });

  it('is excused while Redis answers nothing at all', () => {
    let now = 0;
    const hearing = new Hearing(() => now);
    now = 59_000;
    hearing.excuse();
    now = 100_000;
    expect(hearing.deaf).toBe(false);
  });

  it('hears every second, and nothing any more when its queue cannot be read although Redis answers', async () => {
    const { redisUrl } = testConfig({ redisUrl: await testRedisUrl() });
    const prefix = ownPrefix();
    const queue = redisNames(prefix).queue('events');
    const redis = new Redis(redisUrl);
    const consumer = new QueueConsumer(
      {
        ...{ service: 'events', redisUrl, prefix, concurrency: 1, batch: 1, clock: new RedisClock() },
        verifier: new MessageVerifier('events', TEST_KEYS),
      },
      () => Promise.resolve(),
    );
    await consumer.start();
    const silent = async (condition: (ms: number) => boolean) => {
      while (!condition(consumer.hearing.silentFor)) await wait(20);
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
