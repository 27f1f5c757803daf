import { RpcCipher } from './cipher.js';

const [OLD, NEW] = ['an-old-secret-of-32-characters-or-more', 'a-new-secret-of-32-characters-or-more'];
const QUEUE = 'rpc:auth';

describe('the RPC cipher', () => {
  const sender = new RpcCipher([OLD]);
  const decrypt = (bytes: Buffer, secrets = [OLD], name = QUEUE) =>
    new RpcCipher(secrets).decrypt(bytes, name);

  it('decrypts a text in another instance with the same secret', () => {
    for (const text of ['', 'päss wörd', 'x'.repeat(1_000_000)])
      expect(decrypt(sender.encrypt(text, QUEUE))).toBe(text);
  });

  it('encrypts the same text to different bytes each time', () => {
    const copies = Array.from({ length: 1_000 }, () => sender.encrypt('same', QUEUE).toString('hex'));
    copies.push(new RpcCipher([OLD]).encrypt('same', QUEUE).toString('hex'));
    expect(new Set(copies).size).toBe(1_001);
    expect(new Set(copies.map((copy) => copy.slice(0, 56))).size).toBe(1_001);
  });

  it('does not decrypt a text under another queue name', () => {
    expect(decrypt(sender.encrypt('text', QUEUE), [OLD], 'rpc:events')).toBeUndefined();
  });

  it('does not decrypt a changed or truncated message', () => {
    const bytes = sender.encrypt('text', QUEUE);
    const receiver = new RpcCipher([OLD]);
    for (let position = 0; position < bytes.length; position += 1) {
      const changed = Buffer.from(bytes);
      changed[position]! ^= 1;
      expect(receiver.decrypt(changed, QUEUE)).toBeUndefined();
      expect(receiver.decrypt(bytes.subarray(0, position), QUEUE)).toBeUndefined();
    }
    expect(receiver.decrypt(bytes, QUEUE)).toBe('text');
  });

  it('encrypts with the first secret and decrypts with any of them', () => {
    const [before, after] = [
      sender.encrypt('before', QUEUE),
      new RpcCipher([NEW, OLD]).encrypt('after', QUEUE),
    ];
    const receiver = new RpcCipher([OLD, NEW]);
    expect([receiver.decrypt(before, QUEUE), receiver.decrypt(after, QUEUE)]).toEqual(['before', 'after']);
    expect([decrypt(before, [NEW]), decrypt(after, [OLD])]).toEqual([undefined, undefined]);
  });

  it('throws without a secret', () => {
    expect(() => new RpcCipher([])).toThrow(/need a secret/);
  });
});
