import 'reflect-metadata';
import { testRedisUrl } from '@meetmark/testing';
import { openCaller, openTestService, ownPrefix, testConfig } from '../testing/open-service.js';
import { sampleMessages, Work } from '../testing/sample.messages.js';
import { SampleModule } from '../testing/sample.service.js';

describe('a replica that is asked to stop', () => {
  it('under load finishes what it has; no call fails, and the others do the rest', async () => {
    const config = testConfig({ redisUrl: await testRedisUrl(), rpcPrefix: ownPrefix() });
    const open = () => openTestService('events', SampleModule, sampleMessages, config);
    const [first, second] = await Promise.all([open(), open()]);
    const caller = await openCaller(config);
    let running = true;
    let answered = 0;
    const loops = Array.from({ length: 32 }, async () => {
      while (running) {
        await caller.rpc.call(Work, { number: answered, takes: 20 });
        answered += 1;
      }
    });
    const load = Promise.all(loops);
    const reach = async (count: number) => {
      while (answered < count) await new Promise(setImmediate);
    };
    await reach(200);
    await first.stop();
    const third = await open();
    await reach(answered + 200);
    await second.stop();
    await reach(answered + 200);
    running = false;
    await expect(load).resolves.toHaveLength(32);
    caller.close();
    await third.stop();
  });

  it('leaves at once when it has nothing to do', async () => {
    const config = testConfig({ redisUrl: await testRedisUrl(), rpcPrefix: ownPrefix() });
    const service = await openTestService('events', SampleModule, sampleMessages, config);
    const caller = await openCaller(config);
    expect(await caller.rpc.replicas('events')).toBe(1);
    await service.stop();
    expect(await caller.rpc.replicas('events')).toBe(0);
    await expect(caller.rpc.call(Work, { number: 1 })).rejects.toMatchObject({
      details: { outcome: 'not-started' },
    });
    caller.close();
  });
});
