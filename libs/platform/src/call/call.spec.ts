import type { Identity } from '@meetmark/contracts';
import { openSample } from '../testing/open-sample.js';
import { Look } from '../testing/sample.messages.js';
import { serviceForTests } from '../testing/test-service.js';
import { runInCall, StartedCall } from './call.js';

const member: Identity = { sub: 'member-1', isAdmin: false, epoch: 3 };

describe('nested calls', () => {
  const sample = serviceForTests(openSample);
  const look = (call: ConstructorParameters<typeof StartedCall>[0]) =>
    runInCall(new StartedCall(call), () => sample.caller.rpc.call(Look, {}));

  it('passes the request id, the caller and the trace to a nested call', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    expect(
      await look({ requestId: 'request-1', identity: member, traceparent, timeLeft: 1_000 }),
    ).toMatchObject({ requestId: 'request-1', traceparent, sub: 'member-1' });
  });

  it('gives a nested call only the remaining time of the outer call', async () => {
    const { timeLeft } = await look({ requestId: 'request-2', identity: member, timeLeft: 1_000 });
    expect(timeLeft).toBeLessThan(2_000);
  });

  it('does not start a nested call after the deadline', async () => {
    await expect(look({ requestId: 'request-3', timeLeft: 0 })).rejects.toMatchObject({
      ...{ code: 'DEADLINE_EXCEEDED', details: { outcome: 'not-started' } },
    });
  });
});
