import fc from 'fast-check';
import { toMailbox, normaliseEmail } from './email-address.js';

describe('normaliseEmail', () => {
  it.each([
    ['x@gmaİl.com', 'x@xn--gmail-bgd.com'], // Unicode's lower case would change the domain to gmail.com.
    ['x@ｇmail.com', 'x@gmail.com'],
    ['x@BÜCHER.de', 'x@xn--bcher-kva.de'],
    ['İda@example.com', 'İda@example.com'], // Validation rejects this address, so it stays unchanged.
    ['"a@B"@example.com', '"a@b"@example.com'],
  ])('normalises %j to %j', (typed, form) => {
    expect(normaliseEmail(typed)).toBe(form);
  });

  it('trims and lowercases an email address', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        expect(normaliseEmail(` ${address.toUpperCase()} `)).toBe(address.toLowerCase());
      }),
    );
  });

  it('does not change an already normalised text', () => {
    const typed = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.tuple(fc.string(), fc.domain()).map((parts) => parts.join('@')),
    );
    fc.assert(
      fc.property(typed, (text) => expect(normaliseEmail(normaliseEmail(text))).toBe(normaliseEmail(text))),
    );
  });

  it('does not change text that is not an email address', () => {
    const noDomain = fc.stringMatching(/^[a-z@]*@[A-Za-z.]*[%/?#:\\[\]][A-Za-z.]*$/);
    const noAddress = fc.oneof(noDomain, fc.stringMatching(/^[^@\s]*$/), fc.constant('ada@xn--a.com'));
    fc.assert(fc.property(noAddress, (typed) => expect(normaliseEmail(typed)).toBe(typed)));
  });
});

describe('toMailbox', () => {
  it.each([
    ['ada@example.org', 'ada@example.org'],
    ['Ada+1@Example.org', 'ada@example.org'],
    ['ada+1+2@example.org', 'ada@example.org'],
    ['ada.b+@example.org', 'ada.b@example.org'],
    ['+1@example.org', '+1@example.org'],
    ['ada@example+1.org', 'ada@example+1.org'],
  ])('finds the mailbox of the email address %j', (address, mailbox) => {
    expect(toMailbox(address)).toBe(mailbox);
  });
});
