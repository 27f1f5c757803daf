import fc from 'fast-check';
import { openSealedText, sealText } from './sealed-text.js';

const OLD = 'an-old-secret-of-at-least-32-characters';
const NEW = 'a-new-secret-of-at-least-32-characters!';

describe('sealing text', () => {
  it('returns the original text for the same secret and context, even after a rotation', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) =>
        expect(openSealedText(sealText(text, context, [OLD]), context, [NEW, OLD])).toBe(text),
      ),
    );
  });

  it('hides the text and encrypts it differently each time', () => {
    const [one, two] = [sealText('123456', 'c', [NEW]), sealText('123456', 'c', [NEW])];
    expect(one).not.toBe(two);
    expect(Buffer.from(one.slice(3), 'base64url').toString('latin1')).not.toContain('123456');
  });

  it.each([
    ['another context', (sealed: string) => openSealedText(sealed, 'other', [NEW])],
    ['another secret', (sealed: string) => openSealedText(sealed, 'c', [OLD])],
    ['a cut text', (sealed: string) => openSealedText(sealed.slice(0, 10), 'c', [NEW])],
    ['an unknown version', (sealed: string) => openSealedText(`v0${sealed.slice(2)}`, 'c', [NEW])],
  ])('returns null for %s', (_, open) => {
    expect(open(sealText('123456', 'c', [NEW]))).toBeNull();
  });
});
