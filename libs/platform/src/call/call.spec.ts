import { DEADLINES, type Identity } from '@meetmark/contracts';
import { openSample, type Sample } from '../testing/open-sample.js';
import { type OpenedService, openTestService, type TestCaller } from '../testing/open-service.js';
import { Look, Relay } from '../testing/sample.messages.js';
import { RelayModule } from '../testing/sample.service.js';
import { runInCall, StartedCall } from './call.js';

const member: Identity = { sub: 'member-1', isAdmin: false, epoch: 3 };

describe('what a call hands on', () => {
  let sample: Sample;
  let relay: OpenedService;
  let caller: TestCaller;
  beforeAll(async () => {
    sample = await openSample();
    ({ caller } = sample);
    relay = await openTestService('admin', RelayModule, [Relay], sample.config);
  });
  afterAll(async () => {
    await relay.stop();
    await sample.close();
  });

  it('is the request id and the caller, over every hop', async () => {
    const { here, there } = await caller.rpc.call(Relay, {}, { identity: member, requestId: 'request-1' });
    expect([here.requestId, there.requestId]).toEqual(['request-1', 'request-1']);
    expect([here.sub, there.sub]).toEqual(['member-1', 'member-1']);
  });

  it('is the trace', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const call = new StartedCall({ requestId: 'request-2', identity: member, traceparent, timeLeft: 1_000 });
    const { here, there } = await runInCall(call, () => caller.rpc.call(Relay, {}));
    expect([here.traceparent, there.traceparent]).toEqual([traceparent, traceparent]);
  });

  it('is what is left of its time, and no more', async () => {
    const { here, there } = await caller.rpc.call(Relay, {}, { identity: member, deadlineMs: 1_000 });
    // the two processes' notions of Redis's time differ by a few milliseconds
    expect(here.timeLeft).toBeLessThan(DEADLINES.call / 2);
    expect(there.timeLeft).toBeLessThan(DEADLINES.call / 2);
  });

  it('is nothing once its time is over: the next call is not even made', async () => {
    const call = new StartedCall({ requestId: 'request-3', timeLeft: 0 });
    await expect(runInCall(call, () => caller.rpc.call(Look, {}))).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      details: { outcome: 'not-started' },
    });
  });

  it('is a signal that aborts at the deadline', async () => {
    const { signal } = new StartedCall({ requestId: 'request-4', timeLeft: 1 });
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    expect(signal.aborted).toBe(true);
  });
});
