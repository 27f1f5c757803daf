/** A map that forgets its oldest entries: for what can be made again, kept for as many as `limit`. */
export class BoundedMap<K, V> {
  private readonly entries = new Map<K, V>();

  constructor(private readonly limit: number) {}

  get(key: K): V | undefined {
    return this.entries.get(key);
  }

  set(key: K, value: V): void {
    this.entries.delete(key); // to the end: the map's order is the order of age
    this.entries.set(key, value);
    if (this.entries.size <= this.limit) return;
    const oldest = this.entries.keys().next();
    if (!oldest.done) this.entries.delete(oldest.value);
  }

  delete(key: K): void {
    this.entries.delete(key);
  }

  /** Every entry, oldest first; none is left. */
  take(): [K, V][] {
    const all = [...this.entries];
    this.entries.clear();
    return all;
  }

  /** The entry of `key`; made by `make` when there is none. */
  getOrMake(key: K, make: (key: K) => V): V {
    const known = this.entries.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    this.set(key, made);
    return made;
  }
}
