import 'reflect-metadata';
import { once } from 'node:events';
import { testRedis } from '@meetmark/testing';
import { openCaller, testConfig, type TestCaller } from '../testing/open-service.js';
import { waitForExit, Replicas } from '../testing/replicas.js';
import { Work } from '../testing/sample.messages.js';
import { TEST_KEYS } from '../testing/test-keys.js';

const EX_CONFIG = 78;

describe('a process', () => {
  let replicas: Replicas;
  let caller: TestCaller;

  beforeAll(async () => {
    const settings = {
      redisUrl: (await testRedis()).urlFor('events'),
      ...TEST_KEYS,
      databaseUrl: 'postgres://not-used',
      logLevel: 'silent' as const,
    };
    replicas = new Replicas('replica', settings);
    caller = await openCaller(testConfig(settings));
  });
  afterAll(async () => {
    caller.close();
    await replicas.stop();
  });

  async function started() {
    const before = await caller.rpc.replicas('events');
    const [child] = replicas.start();
    await caller.replicas('events', before + 1);
    return child!;
  }

  it('finishes its work on SIGTERM and exits with code 0', async () => {
    const child = await started();
    const working = caller.rpc.call(Work, { number: 1, takes: 500 });
    await replicas.until(() => replicas.begun.includes(1));
    const end = waitForExit(child, 'SIGTERM');
    await expect(working).resolves.toMatchObject({ number: 1 });
    expect(await end).toBe(0);
    expect(await caller.rpc.replicas('events')).toBe(0);
  });

  it('exits when its parent disconnects', async () => {
    const child = await started();
    const exit = once(child, 'exit');
    child.disconnect();
    expect(await exit).toEqual([0, null]);
  });

  it('exits with code 78 when its configuration is invalid', async () => {
    const wrong = new Replicas('replica', { redisUrl: 'nonsense', logLevel: 'silent' }, 'ignore');
    const [child] = wrong.start();
    expect(await waitForExit(child!)).toBe(EX_CONFIG);
  });

  it('exits in production if it can read other services’ messages in Redis', async () => {
    const redisUrl = (await testRedis()).ownerUrl;
    const settings = {
      ...TEST_KEYS,
      redisUrl,
      databaseUrl: 'postgres://not-used',
      logLevel: 'silent' as const,
    };
    const allowed = new Replicas('replica', settings, 'ignore');
    const [child] = allowed.start();
    expect(await waitForExit(child!)).toBe(EX_CONFIG);
  });
});
