import type { Message } from '@meetmark/contracts';
import { openSample, type Sample } from '../testing/open-sample.js';
import { Break, Refuse, Silent, Work } from '../testing/sample.messages.js';
import { newNonce } from './protocol.js';

describe('a call from one process to another', () => {
  let sample: Sample;
  beforeAll(async () => {
    sample = await openSample();
  });
  afterAll(() => sample.close());

  it('gets the answer of the handler', async () => {
    await expect(sample.caller.rpc.call(Work, { number: 7 })).resolves.toEqual({
      number: 7,
      pid: process.pid,
      text: '',
    });
  });

  it('gets undefined from a handler that answers nothing', async () => {
    await expect(sample.caller.rpc.call(Silent, {})).resolves.toBeUndefined();
  });

  it('gets large answers whole, many at a time', async () => {
    const size = 2_000_000;
    const answers = await Promise.all(
      [1, 2, 3, 4].map((number) => sample.caller.rpc.call(Work, { number, size })),
    );
    expect(answers.map(({ number, text }) => [number, text.length])).toEqual(
      [1, 2, 3, 4].map((n) => [n, size]),
    );
  });

  it('gets the refusal of the handler with its details', async () => {
    await expect(sample.caller.rpc.call(Refuse, {})).rejects.toMatchObject({
      name: 'DomainError',
      code: 'CAPACITY_BELOW_REGISTERED',
      details: { registered: 7 },
    });
  });

  describe('with fields that the other process does not know yet', () => {
    const ask = (dispensable: string[]) =>
      sample.caller.rpc.call({ ...Work, dispensable } as Message<object>, { number: 8, more: { at: 1 } });

    it('goes without those that can be done without', async () => {
      await expect(ask(['more'])).resolves.toMatchObject({ number: 8 });
    });

    it('is refused for any other', async () => {
      await expect(ask(['more.at'])).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    });
  });

  it('learns nothing of what broke inside', async () => {
    const failure = await sample.caller.rpc.call(Break, {}).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'INTERNAL', details: undefined });
    expect(JSON.stringify(failure)).not.toContain('secret detail');
  });
});

it('the nonce of a call is 128 bits, each as often set as not: no other process can guess it', () => {
  const nonces = Array.from({ length: 1_000 }, () => Buffer.from(newNonce(), 'base64url'));
  const timesSet = (bit: number) => nonces.filter((bytes) => (bytes[bit >> 3]! >> (bit & 7)) & 1).length;
  expect(nonces.every(({ length }) => length === 16)).toBe(true);
  expect(Array.from({ length: 128 }, (_, bit) => timesSet(bit)).filter((n) => n < 350 || n > 650)).toEqual(
    [],
  );
});
