import { openSample } from '../testing/open-sample.js';
import { Work } from '../testing/sample.messages.js';

describe('a stopping replica', () => {
  it('stops under load without failing any call', async () => {
    const { service: first, caller, another, close } = await openSample();
    const second = await another();
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
    await another();
    await reach(answered + 200);
    await second.stop();
    await reach(answered + 200);
    running = false;
    await expect(load).resolves.toHaveLength(32);
    await close();
  });
});
