import 'reflect-metadata';
import { testRedis } from '@meetmark/testing';
import { Redis } from 'ioredis';
import type { ServiceConfig } from '../config/service.config.js';
import { openCaller, openTestService, testConfig, type TestCaller } from '../testing/open-service.js';
import { sampleMessages, Silent, Work } from '../testing/sample.messages.js';
import { ledger, SampleModule } from '../testing/sample.service.js';
import { RpcCipher } from './cipher.js';
import { redisNames, TRANSPORT } from './protocol.js';

describe('an overloaded service', () => {
  let config: ServiceConfig;
  let caller: TestCaller;
  let redis: Redis;
  let stops: (() => Promise<void>)[];
  const begun: number[] = [];

  beforeEach(async () => {
    begun.length = 0;
    stops = [];
    ledger.begun = (number) => begun.push(number);
    const servers = await testRedis();
    redis = new Redis(servers.ownerUrl);
    config = testConfig({
      redisUrl: servers.urlFor('events'),
      rpcMaxQueue: 10,
      rpcConcurrency: 2,
      rpcBatch: 1,
    });
  });
  afterEach(async () => {
    ledger.begun = () => undefined;
    caller.close();
    redis.disconnect();
    await Promise.all(stops.map((stop) => stop()));
  });

  const open = async () => {
    const service = await openTestService('events', SampleModule, sampleMessages, config);
    stops.push(() => service.stop());
    caller = await openCaller(config);
  };
  const notStarted = (code: string) => ({ code, details: { outcome: 'not-started' } });

  it('refuses calls while its queue is full and handles the others', async () => {
    await open();
    const work = (_: unknown, number: number) =>
      caller.rpc.call(Work, { number, takes: 50 }, { deadlineMs: 3_000 });
    const results = await Promise.allSettled(Array.from({ length: 60 }, work));
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const refusal of refused)
      expect(refusal).toMatchObject({ reason: notStarted('SERVICE_OVERLOADED') });
    expect(begun).toHaveLength(60 - refused.length);
  });

  it('drops expired, unencrypted and malformed messages', async () => {
    const body = (number: number, deadline: number) =>
      JSON.stringify({
        ...{ nonce: `${number}`, pattern: Work.name, data: { number }, deadline, replyTo: 'nobody' },
        headers: { requestId: `${number}` },
      });
    const [past, future] = [Date.now() - 60_000, Date.now() + 60_000];
    const queue = redisNames(config.rpcPrefix).queue('events');
    const encrypted = (text: string) => new RpcCipher(config.rpcSecrets).encrypt(text, queue);
    await redis.rpush(queue, encrypted(body(1, past)), body(2, future), encrypted('null'), encrypted('{}'));
    await redis.rpush(queue, 'not JSON', '', encrypted(body(3, future)));
    await open();
    await caller.rpc.call(Silent, {});
    expect(begun).toEqual([3]);
  });

  it('receives no calls while no replica is live', async () => {
    caller = await openCaller(config);
    await expect(caller.rpc.call(Work, { number: 1 })).rejects.toMatchObject(
      notStarted('SERVICE_UNAVAILABLE'),
    );
    expect(await redis.llen(redisNames(config.rpcPrefix).queue('events'))).toBe(0);
  });

  it('reports waiting calls as not started after the last replica crashed', async () => {
    caller = await openCaller(config);
    // Simulates a replica that was just killed. It counts as live until its heartbeat expires.
    const replicas = redisNames(config.rpcPrefix).replicas('events');
    await redis.zadd(replicas, Date.now() + TRANSPORT.look, 'killed');
    await expect(caller.rpc.call(Work, { number: 1 }, { deadlineMs: 10_000 })).rejects.toMatchObject(
      notStarted('SERVICE_UNAVAILABLE'),
    );
  });
});
