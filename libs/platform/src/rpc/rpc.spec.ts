import { until } from '@meetmark/testing';
import { Redis } from 'ioredis';
import { openSample } from '../testing/open-sample.js';
import { Break, Refuse, Silent, Work } from '../testing/sample.messages.js';
import { serviceForTests } from '../testing/test-service.js';
import { BLOB_OVER } from './protocol.js';

describe('an RPC call', () => {
  const sample = serviceForTests(openSample);

  it('returns the handler’s answer, or undefined if it returns nothing', async () => {
    const answer = { number: 7, pid: process.pid, text: '' };
    expect(await sample.caller.rpc.call(Work, { number: 7 })).toEqual(answer);
    expect(await sample.caller.rpc.call(Silent, {})).toBeUndefined();
  });

  it('encrypts requests and replies of any size in Redis', async () => {
    const owner = new Redis(sample.ownerUrl);
    const monitor = await owner.monitor();
    const commands: string[] = [];
    monitor.on('monitor', (_time: string, command: string[]) => commands.push(command.join(' ')));
    await owner.set('control', 'planted-control');
    // Redis must not see any text of these calls. The large reply consists mainly of the letter x.
    await sample.caller.rpc.call(Work, { number: 70_007 });
    await sample.caller.rpc.call(Work, { number: 70_007, size: 2 * BLOB_OVER });
    await until('the blob', 60_000, async () => commands.some((command) => command.startsWith('getdel ')));
    const seen = commands.join('\n');
    for (const disconnected of [monitor, owner]) disconnected.disconnect();
    for (const sent of ['rpush ', 'publish ', 'set rpc:blob:', 'planted-control'])
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
