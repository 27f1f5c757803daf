import { DEADLINES, type Identity } from '@meetmark/contracts';
import { openSample, type Sample } from '../testing/open-sample.js';
import type { TestCaller } from '../testing/open-service.js';
import { Look } from '../testing/sample.messages.js';
import { runInCall, StartedCall } from './call.js';

const member: Identity = { sub: 'member-1', isAdmin: false, epoch: 3 };

describe('nested calls', () => {
  let sample: Sample;
  let caller: TestCaller;
  beforeAll(async () => {
    sample = await openSample();
    ({ caller } = sample);
  });
  afterAll(() => sample.close());

  it('passes the request id, the caller and the trace to a nested call', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const call = new StartedCall({ requestId: 'request-1', identity: member, traceparent, timeLeft: 1_000 });
    expect(await runInCall(call, () => caller.rpc.call(Look, {}))).toMatchObject({
      ...{ requestId: 'request-1', traceparent, sub: 'member-1' },
    });
  });

  it('gives a nested call only the remaining time of the outer call', async () => {
    const call = new StartedCall({ requestId: 'request-2', identity: member, timeLeft: 1_000 });
    const { timeLeft } = await runInCall(call, () => caller.rpc.call(Look, {}));
    expect(timeLeft).toBeLessThan(DEADLINES.call / 2);
  });

  it('does not start a nested call after the deadline', async () => {
    const call = new StartedCall({ requestId: 'request-3', timeLeft: 0 });
    await expect(runInCall(call, () => caller.rpc.call(Look, {}))).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      details: { outcome: 'not-started' },
    });
  });
});
