interface Batch {
  keys: string[];
  found: Promise<(string | null)[]>;
}

/** Reads of all requests that arrive in one turn of the event loop, as one command: it begins after each of them has asked. */
export class SharedReads {
  private collecting?: Batch;

  constructor(private readonly readAll: (keys: string[]) => Promise<(string | null)[]>) {}

  async both(one: string, other: string): Promise<[string | null, string | null]> {
    const batch = (this.collecting ??= this.begin());
    const at = batch.keys.push(one, other) - 2;
    const found = await batch.found;
    return [found[at] ?? null, found[at + 1] ?? null];
  }

  private begin(): Batch {
    const keys: string[] = [];
    const found = new Promise<(string | null)[]>((resolve, reject) => {
      setImmediate(() => {
        this.collecting = undefined;
        this.readAll(keys).then(resolve, reject);
      });
    });
    return { keys, found };
  }
}
