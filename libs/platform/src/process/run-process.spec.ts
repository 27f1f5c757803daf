import 'reflect-metadata';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { testRedis } from '@meetmark/testing';
import type { ServiceConfig } from '../config/service.config.js';
import { openCaller, testConfig, type TestCaller } from '../testing/open-service.js';
import { waitForExit, Replicas } from '../testing/replicas.js';
import { Work } from '../testing/sample.messages.js';
import { TEST_KEYS } from '../testing/test-keys.js';

const EX_CONFIG = 78;

describe('a process', () => {
  let caller: TestCaller;
  const started: Replicas[] = [];
  const start = (settings: Partial<ServiceConfig>, count?: number) => {
    const replicas = new Replicas(settings, 'ignore');
    started.push(replicas);
    return replicas.start(count);
  };
  let children: ChildProcess[];
  let misconfigured: ChildProcess[];

  beforeAll(async () => {
    const { ownerUrl, urlFor } = await testRedis();
    const common = { ...TEST_KEYS, databaseUrl: 'postgres://not-used', logLevel: 'silent' } as const;
    const settings = { ...common, redisUrl: urlFor('events') };
    children = start(settings, 2);
    caller = await openCaller(testConfig(settings));
    await caller.replicas('events', 2);
    // Started later, because the second one counts as a replica until it exits.
    misconfigured = [
      ...start({ redisUrl: 'nonsense', logLevel: 'silent' }),
      ...start({ ...common, redisUrl: ownerUrl }),
    ];
  });
  afterAll(async () => {
    caller.close();
    await Promise.all(started.map((replicas) => replicas.stop()));
  });

  it('exits when its parent disconnects', async () => {
    const exit = once(children[0]!, 'exit');
    children[0]!.disconnect();
    expect(await exit).toEqual([0, null]);
  });

  it('finishes its work on SIGTERM and exits with code 0', async () => {
    const working = caller.rpc.call(Work, { number: 1, takes: 500 });
    await started[0]!.until(() => started[0]!.begun.includes(1));
    const end = waitForExit(children[1]!, 'SIGTERM');
    await expect(working).resolves.toMatchObject({ number: 1 });
    expect(await end).toBe(0);
    expect(await caller.rpc.replicas('events')).toBe(0);
  });

  it.each([
    ['its configuration is invalid', 0],
    ['it can read other services’ messages in Redis', 1],
  ])('exits with code 78 in production if %s', async (_, place) => {
    expect(await waitForExit(misconfigured[place]!)).toBe(EX_CONFIG);
  });
});
