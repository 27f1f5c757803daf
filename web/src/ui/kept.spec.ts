import { inThisTab, keep, kept } from './kept';

describe('what a browser keeps', () => {
  it('is there again, until it is forgotten', () => {
    keep('colour', 'dark');
    expect([kept('colour'), kept('colour', inThisTab)]).toEqual(['dark', null]);
    keep('colour', null);
    expect(kept('colour')).toBeNull();
  });

  it('lasts as long as the page where keeping is forbidden', () => {
    const forbidden = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    keep('view', 'agenda', forbidden);
    expect(kept('view', forbidden)).toBe('agenda');
    keep('view', null, forbidden);
    expect(kept('view', forbidden)).toBeNull();
  });
});
