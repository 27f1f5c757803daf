import { normaliseEmail } from './email-address.js';

describe('the one form of an address', () => {
  it.each([
    [' Ada@Example.COM ', 'ada@example.com'],
    ['x@gmaİl.com', 'x@xn--gmail-bgd.com'], // Unicode's lower case would make gmail.com of it
    ['x@ｇmail.com', 'x@gmail.com'],
    ['x@BÜCHER.de', 'x@xn--bcher-kva.de'],
    ['x@xn--bcher-kva.de', 'x@xn--bcher-kva.de'],
    ['İda@example.com', 'İda@example.com'], // refused by the validation, folded into nothing
    ['"a@B"@example.com', '"a@b"@example.com'],
  ])('%j is %j', (typed, form) => {
    expect(normaliseEmail(typed)).toBe(form);
    expect(normaliseEmail(form)).toBe(form);
  });

  it.each(['ada', 'ada@', 'ada@ex%61mple.com', 'ada@example.com/x', 'ada@xn--a.com', ''])(
    '%j is no address and stays',
    (typed) => {
      expect(normaliseEmail(typed)).toBe(typed);
    },
  );
});
