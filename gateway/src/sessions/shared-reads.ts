/** The key's name in a generation of Redis. */
export type KeyIn = (generation: string) => string;

interface Batch {
  keys: KeyIn[];
  found: Promise<(string | null)[]>;
}

/** Reads of all requests that arrive in one turn of the event loop, as one command: it begins after each of them has asked. */
export class SharedReads {
  private collecting?: Batch;

  constructor(private readonly readAll: (keys: KeyIn[]) => Promise<(string | null)[]>) {}

  async both(one: KeyIn, other: KeyIn): Promise<[string | null, string | null]> {
    const batch = (this.collecting ??= this.begin());
    const at = batch.keys.push(one, other) - 2;
    const found = await batch.found;
    return [found[at] ?? null, found[at + 1] ?? null];
  }

  private begin(): Batch {
    const keys: KeyIn[] = [];
    const found = new Promise<(string | null)[]>((resolve, reject) => {
      setImmediate(() => {
        this.collecting = undefined;
        this.readAll(keys).then(resolve, reject);
      });
    });
    return { keys, found };
  }
}
