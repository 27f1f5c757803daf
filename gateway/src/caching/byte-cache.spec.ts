import { ByteCache } from './byte-cache.js';

describe('a cache of so many bytes', () => {
  const present = (cache: ByteCache<number>, ...names: string[]) =>
    names.filter((name) => cache.get(name) !== undefined);

  it('makes room by what was not asked for the longest', () => {
    const cache = new ByteCache<number>(10);
    cache.set('a', 1, 4);
    cache.set('b', 2, 4);
    cache.get('a');
    cache.set('c', 3, 4);
    expect(present(cache, 'a', 'b', 'c')).toEqual(['a', 'c']);
  });

  it('counts what takes the place of another once, and what was deleted not at all', () => {
    const cache = new ByteCache<number>(10);
    cache.set('a', 1, 9);
    cache.set('a', 2, 2);
    cache.set('b', 3, 8);
    expect(present(cache, 'a', 'b')).toEqual(['a', 'b']);
    cache.delete('b');
    cache.set('c', 4, 8);
    expect(present(cache, 'a', 'b', 'c')).toEqual(['a', 'c']);
  });

  it('keeps nothing that is larger than itself', () => {
    const cache = new ByteCache<number>(10);
    cache.set('a', 1, 11);
    expect(cache.get('a')).toBeUndefined();
  });
});
