import { openSealedText, sealText } from './sealed-text.js';

const OLD = 'an-old-secret-of-at-least-32-characters';
const NEW = 'a-new-secret-of-at-least-32-characters!';

describe('sealed text', () => {
  it('opens with the secret and under the context it was sealed with', () => {
    expect(openSealedText(sealText('123456', 'reset-code:1', [NEW]), 'reset-code:1', [NEW])).toBe('123456');
  });

  it('hides the text and never looks the same twice', () => {
    const [one, two] = [sealText('123456', 'c', [NEW]), sealText('123456', 'c', [NEW])];
    expect(one).not.toBe(two);
    expect(Buffer.from(one.slice(3), 'base64url').toString('latin1')).not.toContain('123456');
  });

  it('still opens after the secret was rotated', () => {
    expect(openSealedText(sealText('123456', 'c', [OLD]), 'c', [NEW, OLD])).toBe('123456');
  });

  it.each([
    ['another context', (sealed: string) => openSealedText(sealed, 'other', [NEW])],
    ['another secret', (sealed: string) => openSealedText(sealed, 'c', [OLD])],
    ['a changed byte', (sealed: string) => openSealedText(`${sealed.slice(0, -2)}AA`, 'c', [NEW])],
    ['a cut text', (sealed: string) => openSealedText(sealed.slice(0, 10), 'c', [NEW])],
    ['an unknown version', (sealed: string) => openSealedText(`v0${sealed.slice(2)}`, 'c', [NEW])],
  ])('does not open with %s', (_, open) => {
    expect(open(sealText('123456', 'c', [NEW]))).toBeNull();
  });
});
