export class Checks {
  private readonly failed: string[] = [];
  private passed = 0;

  async check(name: string, work: () => Promise<unknown>): Promise<void> {
    const began = performance.now();
    try {
      const note = await work();
      this.passed += 1;
      const seconds = ((performance.now() - began) / 1_000).toFixed(1);
      console.log(`  ✓ ${name}${typeof note === 'string' ? ` (${note})` : ''} ${seconds} s`);
    } catch (error) {
      this.failed.push(name);
      console.log(`  ✗ ${name}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }

  summarise(): number {
    for (const name of this.failed) console.log(`failed: ${name}`);
    console.log(`\n${this.passed} passed, ${this.failed.length} failed`);
    return this.failed.length === 0 ? 0 : 1;
  }
}

/** @throws Error naming the expected value if `actual` differs */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found !== wanted) throw new Error(`${what}: ${found} instead of ${wanted}`);
}
