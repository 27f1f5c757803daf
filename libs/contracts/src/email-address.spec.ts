import fc from 'fast-check';
import { normaliseEmail } from './email-address.js';

describe('the one form of an address', () => {
  it.each([
    ['x@gmaİl.com', 'x@xn--gmail-bgd.com'], // Unicode's lower case would make gmail.com of it
    ['x@ｇmail.com', 'x@gmail.com'],
    ['x@BÜCHER.de', 'x@xn--bcher-kva.de'],
    ['İda@example.com', 'İda@example.com'], // refused by the validation, folded into nothing
    ['"a@B"@example.com', '"a@b"@example.com'],
  ])('%j is %j', (typed, form) => {
    expect(normaliseEmail(typed)).toBe(form);
  });

  it('is trimmed and in lower case', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        expect(normaliseEmail(` ${address.toUpperCase()} `)).toBe(address.toLowerCase());
      }),
    );
  });

  it('is its own form, whatever was typed', () => {
    const typed = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.tuple(fc.string(), fc.domain()).map((parts) => parts.join('@')),
    );
    fc.assert(
      fc.property(typed, (text) => expect(normaliseEmail(normaliseEmail(text))).toBe(normaliseEmail(text))),
    );
  });

  it('is what was typed when that is no address', () => {
    const noDomain = fc.stringMatching(/^[a-z@]*@[A-Za-z.]*[%/?#:\\[\]][A-Za-z.]*$/);
    const noAddress = fc.oneof(noDomain, fc.stringMatching(/^[^@\s]*$/), fc.constant('ada@xn--a.com'));
    fc.assert(fc.property(noAddress, (typed) => expect(normaliseEmail(typed)).toBe(typed)));
  });
});
