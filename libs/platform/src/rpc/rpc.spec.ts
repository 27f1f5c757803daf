import net from 'node:net';
import { until } from '@meetmark/testing';
import { Redis } from 'ioredis';
import { runInCall, StartedCall } from '../call/call.js';
import { openSample } from '../testing/open-sample.js';
import { openTestService } from '../testing/open-service.js';
import { Break, Look, Refuse, sampleMessages, Silent, Work } from '../testing/sample.messages.js';
import { SampleModule } from '../testing/sample.service.js';
import { serviceForTests } from '../testing/test-service.js';
import { BLOB_OVER } from './protocol.js';

const sample = serviceForTests(openSample);

/**
 * Collects the commands that Redis gets in a database. Uses no client library: ioredis fails if the first
 * command arrives together with the answer to MONITOR.
 */
async function watchCommands(url: string) {
  const { hostname, port, username, password, pathname } = new URL(url);
  const socket = net.connect(Number(port), hostname).setEncoding('utf8');
  let received = '';
  socket.on('data', (text) => (received += String(text)));
  if (password !== '') socket.write(`AUTH ${username || 'default'} ${password}\r\n`);
  socket.write('MONITOR\r\n');
  const began = () => received.split('+OK\r\n').length > (password === '' ? 1 : 2);
  await until('the monitor', 60_000, async () => began());
  const inDatabase = new RegExp(`^\\+[0-9.]+ \\[${pathname.slice(1) || 0} [^\\]]+\\] (.+)$`);
  const commands = () =>
    received.split('\r\n').flatMap((line) => inDatabase.exec(line)?.[1]?.replaceAll('\\"', '"') ?? []);
  return { commands, stop: () => socket.destroy() };
}

describe('an RPC call', () => {
  it('returns the handler’s answer, or undefined if it returns nothing', async () => {
    const answer = { number: 7, pid: process.pid, text: '' };
    expect(await sample.caller.rpc.call(Work, { number: 7 })).toEqual(answer);
    expect(await sample.caller.rpc.call(Silent, {})).toBeUndefined();
  });

  it('gives the handler only the time until the deadline of the caller', async () => {
    const { timeLeft } = await sample.caller.rpc.call(Look, {}, { deadlineMs: 1_000 });
    expect(timeLeft).toBeLessThan(2_000);
  });

  it('encrypts requests and replies of any size in Redis', async () => {
    const { commands, stop } = await watchCommands(sample.ownerUrl);
    const owner = new Redis(sample.ownerUrl);
    await owner.set('control', 'planted-control');
    // Redis must not see any text of these calls. The large reply consists mainly of the letter x.
    await sample.caller.rpc.call(Work, { number: 70_007 });
    await sample.caller.rpc.call(Work, { number: 70_007, size: 2 * BLOB_OVER });
    await until('the blob', 60_000, async () =>
      commands().some((command) => command.startsWith('"getdel" ')),
    );
    const seen = commands().join('\n');
    owner.disconnect();
    stop();
    for (const sent of ['"rpush" ', '"publish" ', '"set" "rpc:blob:', 'planted-control'])
      expect(seen).toContain(sent);
    for (const readable of ['70007', Work.name, '"nonce"', '"text"', 'xxxxxxxx'])
      expect(seen).not.toContain(readable);
  });

  it('returns several concurrent large answers in full', async () => {
    const size = 2_000_000;
    const numbers = [1, 2, 3, 4];
    const answers = await Promise.all(
      numbers.map((number) => sample.caller.rpc.call(Work, { number, size })),
    );
    expect(answers.map(({ number, text }) => [number, text.length])).toEqual(numbers.map((n) => [n, size]));
  });

  it('throws the handler’s refusal with its details', async () => {
    await expect(sample.caller.rpc.call(Refuse, {})).rejects.toMatchObject({
      name: 'DomainError',
      code: 'CAPACITY_BELOW_REGISTERED',
      details: { registered: 7 },
    });
  });

  it('hides the details of an internal error', async () => {
    const failure = await sample.caller.rpc.call(Break, {}).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'INTERNAL', details: undefined });
    expect(JSON.stringify(failure)).not.toContain('secret detail');
  });
});

describe('a nested call', () => {
  const identity = { sub: 'member-1', isAdmin: false, epoch: 3 };
  const look = (call: ConstructorParameters<typeof StartedCall>[0]) =>
    runInCall(new StartedCall({ identity, ...call }), () => sample.caller.rpc.call(Look, {}));

  it('has the request id, the caller, the trace and the remaining time of the outer call', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const { timeLeft, ...seen } = await look({ requestId: 'request-1', traceparent, timeLeft: 1_000 });
    expect(seen).toMatchObject({ requestId: 'request-1', traceparent, sub: 'member-1' });
    expect(timeLeft).toBeLessThan(2_000);
  });

  it('does not start after the deadline', async () => {
    await expect(look({ requestId: 'request-3', timeLeft: 0 })).rejects.toMatchObject({
      ...{ code: 'DEADLINE_EXCEEDED', details: { outcome: 'not-started' } },
    });
  });
});

describe('a service', () => {
  it.each([
    ['has no handler', [...sampleMessages, { ...Look, name: 'sample.other' }]],
    ['is handled here but is not a message of events', sampleMessages.slice(1)],
  ])('does not start if a message %s', async (problem, messages) => {
    await expect(openTestService('events', SampleModule, messages, sample.config)).rejects.toThrow(problem);
  });

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
