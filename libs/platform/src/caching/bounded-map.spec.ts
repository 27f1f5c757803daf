import { BoundedMap } from './bounded-map.js';

describe('a bounded map', () => {
  it('makes an entry once and gives it again', () => {
    const map = new BoundedMap<string, object>(2);
    const made = map.getOrMake('a', () => ({}));
    expect(map.getOrMake('a', () => ({}))).toBe(made);
    expect(map.get('a')).toBe(made);
  });

  it('forgets the oldest entry when there are too many; one that is set again is new', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 3);
    map.set('c', 4);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4]);
  });

  it('can be told to forget', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.delete('a');
    expect(map.get('a')).toBeUndefined();
  });
});
