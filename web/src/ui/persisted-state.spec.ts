import { inThisTab, persist, readPersisted } from './persisted-state';

describe('what a browser keeps', () => {
  it('is there again, until it is forgotten', () => {
    persist('colour', 'dark');
    expect([readPersisted('colour'), readPersisted('colour', inThisTab)]).toEqual(['dark', null]);
    persist('colour', null);
    expect(readPersisted('colour')).toBeNull();
  });

  it('lasts as long as the page where keeping is forbidden', () => {
    const forbidden = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    persist('view', 'agenda', forbidden);
    expect(readPersisted('view', forbidden)).toBe('agenda');
    persist('view', null, forbidden);
    expect(readPersisted('view', forbidden)).toBeNull();
  });
});
