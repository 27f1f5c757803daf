import 'reflect-metadata';
import { codes, testRedis, type TestRedis } from '@meetmark/testing';
import { Redis } from 'ioredis';
import type { ServiceConfig } from '../config/service.config.js';
import { openCaller, openTestService, testConfig, type TestCaller } from '../testing/open-service.js';
import { sampleMessages, Silent, Work } from '../testing/sample.messages.js';
import { ledger, SampleModule } from '../testing/sample.service.js';
import { RpcCipher } from './cipher.js';
import { redisNames, TRANSPORT } from './protocol.js';

describe('an overloaded service', () => {
  let servers: TestRedis;
  let config: ServiceConfig;
  let caller: TestCaller;
  let stops: (() => Promise<void>)[];
  const begun: number[] = [];

  beforeEach(async () => {
    begun.length = 0;
    stops = [];
    ledger.begun = (number) => begun.push(number);
    servers = await testRedis();
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
    await Promise.all(stops.map((stop) => stop()));
  });

  const open = async () => {
    const service = await openTestService('events', SampleModule, sampleMessages, config);
    stops.push(() => service.stop());
    caller = await openCaller(config);
  };
  const work = (count: number, takes: number, deadlineMs: number) =>
    Array.from({ length: count }, (_, number) => caller.rpc.call(Work, { number, takes }, { deadlineMs }));
  const notStarted = (code: string) => ({ code, details: { outcome: 'not-started' } });

  it('refuses calls while its queue is full and handles the others', async () => {
    await open();
    const results = await Promise.allSettled(work(60, 50, 3_000));
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const refusal of refused)
      expect(refusal).toMatchObject({ reason: notStarted('SERVICE_OVERLOADED') });
    expect(begun).toHaveLength(60 - refused.length);
  });

  it('does not start calls whose caller has given up', async () => {
    await open();
    config.rpcMaxQueue = 1_000;
    const slow = await codes(work(10, 400, 300));
    expect(slow.filter((code) => !['DEADLINE_EXCEEDED', 'SERVICE_OVERLOADED'].includes(code))).toEqual([]);
    // The queue is ordered. When this call returns, all earlier requests were started or dropped.
    await caller.rpc.call(Silent, {});
    expect(begun.length).toBeLessThanOrEqual(config.rpcConcurrency);
  });

  it('drops expired, unencrypted and malformed messages', async () => {
    const redis = new Redis(servers.ownerUrl);
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
    redis.disconnect();
    await open();
    await caller.rpc.call(Silent, {});
    expect(begun).toEqual([3]);
  });

  it('receives no calls while no replica is live', async () => {
    caller = await openCaller(config);
    await expect(caller.rpc.call(Work, { number: 1 })).rejects.toMatchObject(
      notStarted('SERVICE_UNAVAILABLE'),
    );
    const redis = new Redis(servers.ownerUrl);
    expect(await redis.llen(redisNames(config.rpcPrefix).queue('events'))).toBe(0);
    redis.disconnect();
  });

  it('reports waiting calls as not started after the last replica crashed', async () => {
    caller = await openCaller(config);
    const redis = new Redis(servers.ownerUrl);
    // Simulates a replica that was just killed. It counts as live until its heartbeat expires.
    const replicas = redisNames(config.rpcPrefix).replicas('events');
    await redis.zadd(replicas, Date.now() + TRANSPORT.look, 'killed');
    await expect(caller.rpc.call(Work, { number: 1 }, { deadlineMs: 10_000 })).rejects.toMatchObject(
      notStarted('SERVICE_UNAVAILABLE'),
    );
    redis.disconnect();
  });
});
