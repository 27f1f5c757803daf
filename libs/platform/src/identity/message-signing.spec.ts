import { createHmac, randomBytes } from 'node:crypto';
import { MessageCode } from './message-signing.js';

const KEY = randomBytes(32);

describe('the code of a message', () => {
  it.each([
    ['nothing', ''],
    ['a message', '{"nonce":"x"}'],
    ['other characters', 'Zoë 🎉\0'],
    ['exactly a block', 'x'.repeat(64)],
    ['a large one', 'ü'.repeat(100_000)],
  ])('is the HMAC-SHA-256 of node:crypto for %s', (_, body) => {
    const right = createHmac('sha256', KEY).update(body).digest('hex');
    expect(new MessageCode(KEY).of(body).toString('hex')).toBe(right);
    expect(new MessageCode(randomBytes(32)).of(body).toString('hex')).not.toBe(right);
  });

  it('refuses a key that it would cut off', () => {
    expect(() => new MessageCode(randomBytes(65))).toThrow('longer than a block');
  });
});
