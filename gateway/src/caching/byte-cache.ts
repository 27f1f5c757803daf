/** What was asked for last, as much of it as `capacity` bytes hold: for what can be made again. */
export class ByteCache<T> {
  private readonly entries = new Map<string, { value: T; bytes: number }>();
  private size = 0;

  constructor(private readonly capacity: number) {}

  get(name: string): T | undefined {
    const entry = this.entries.get(name);
    if (entry === undefined) return undefined;
    this.entries.delete(name); // to the end: the map's order is the order of use
    this.entries.set(name, entry);
    return entry.value;
  }

  set(name: string, value: T, bytes: number): void {
    this.delete(name);
    this.entries.set(name, { value, bytes });
    this.size += bytes;
    for (const oldest of this.entries.keys()) {
      if (this.size <= this.capacity) break;
      this.delete(oldest);
    }
  }

  delete(name: string): void {
    this.size -= this.entries.get(name)?.bytes ?? 0;
    this.entries.delete(name);
  }
}
