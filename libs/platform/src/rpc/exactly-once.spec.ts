import 'reflect-metadata';
import { testRedis } from '@meetmark/testing';
import type { ServiceConfig } from '../config/service.config.js';
import { openCaller, testConfig, type TestCaller } from '../testing/open-service.js';
import { waitForExit, repeated, Replicas } from '../testing/replicas.js';
import { Work } from '../testing/sample.messages.js';
import { TEST_KEYS } from '../testing/test-keys.js';

const REPLICAS = 2;
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);

describe('a service with several replicas', () => {
  let caller: TestCaller;
  let replicas: Replicas;

  beforeAll(async () => {
    const settings: Partial<ServiceConfig> = {
      redisUrl: (await testRedis()).urlFor('events'),
      ...TEST_KEYS,
      databaseUrl: 'postgres://not-used',
      logLevel: 'error',
    };
    replicas = new Replicas(settings);
    replicas.start(REPLICAS);
    caller = await openCaller(testConfig(settings));
    await caller.replicas('events', REPLICAS);
  });
  afterAll(async () => {
    caller.close();
    await replicas.stop();
  });
  beforeEach(() => {
    replicas.begun.length = 0;
  });

  it('handles each message once and shares the work among all replicas', async () => {
    const answers = await Promise.all(
      numbers(300).map((number) => caller.rpc.call(Work, { number, takes: 1 })),
    );
    expect(answers.map(({ number }) => number)).toEqual(numbers(300));
    await replicas.until(() => replicas.begun.length >= 300);
    expect(repeated(replicas.begun)).toEqual([]);
    expect(new Set(answers.map(({ pid }) => pid)).size).toBe(REPLICAS);
  });

  it('handles no message twice when a replica is killed', async () => {
    const calls = Promise.allSettled(
      numbers(90).map((number) => caller.rpc.call(Work, { number, takes: 700 }, { deadlineMs: 2_500 })),
    );
    await replicas.until(() => replicas.begun.length === 90);
    await waitForExit(replicas.processes[0]!, 'SIGKILL');
    const results = await calls;
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(90);
    for (const { reason } of refused)
      expect(reason).toMatchObject({ code: 'DEADLINE_EXCEEDED', details: { outcome: 'unknown' } });
    expect(repeated(replicas.begun)).toEqual([]);
    const after = await Promise.all(numbers(30, 1_000).map((number) => caller.rpc.call(Work, { number })));
    expect(after).toHaveLength(30);
  });
});
