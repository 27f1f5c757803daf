import 'reflect-metadata';
import { testRedisUrl } from '@meetmark/testing';
import type { ServiceConfig } from '../config/service.config.js';
import {
  openCaller,
  openTestService,
  ownPrefix,
  testConfig,
  type OpenedService,
  type TestCaller,
} from '../testing/open-service.js';
import { Break, Refuse, sampleMessages, Silent, Work } from '../testing/sample.messages.js';
import { SampleModule } from '../testing/sample.service.js';

describe('a call from one process to another', () => {
  let config: ServiceConfig;
  let service: OpenedService;
  let caller: TestCaller;

  beforeAll(async () => {
    config = testConfig({ redisUrl: await testRedisUrl(), rpcPrefix: ownPrefix() });
    service = await openTestService('events', SampleModule, sampleMessages, config);
    caller = await openCaller(config);
  });
  afterAll(async () => {
    caller.close();
    await service.stop();
  });

  it('gets the answer of the handler', async () => {
    await expect(caller.rpc.call(Work, { number: 7 })).resolves.toEqual({
      number: 7,
      pid: process.pid,
      text: '',
    });
  });

  it('gets undefined from a handler that answers nothing', async () => {
    await expect(caller.rpc.call(Silent, {})).resolves.toBeUndefined();
  });

  it('gets large answers whole, many at a time', async () => {
    const size = 2_000_000;
    const answers = await Promise.all([1, 2, 3, 4].map((number) => caller.rpc.call(Work, { number, size })));
    expect(answers.map(({ number, text }) => [number, text.length])).toEqual(
      [1, 2, 3, 4].map((n) => [n, size]),
    );
  });

  it('gets the refusal of the handler with its details', async () => {
    await expect(caller.rpc.call(Refuse, {})).rejects.toMatchObject({
      name: 'DomainError',
      code: 'CAPACITY_BELOW_REGISTERED',
      details: { registered: 7 },
    });
  });

  it('learns nothing of what broke inside', async () => {
    const failure = await caller.rpc.call(Break, {}).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'INTERNAL', details: undefined });
    expect(JSON.stringify(failure)).not.toContain('secret detail');
  });
});
