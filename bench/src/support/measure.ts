/** What one run of a closed loop gave. */
export interface Measured {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

/** Does `work` once for each item, so many at a time, each as soon as the one before it is done. */
export async function measure<T>(
  items: T[],
  inFlight: number,
  work: (item: T) => Promise<unknown>,
): Promise<Measured> {
  const queue = items.values();
  const latencies: number[] = [];
  const began = performance.now();
  const workers = Array.from({ length: inFlight }, async () => {
    for (const item of queue) {
      const asked = performance.now();
      await work(item);
      latencies.push(performance.now() - asked);
    }
  });
  await Promise.all(workers);
  const seconds = (performance.now() - began) / 1000;
  return { perSecond: items.length / seconds, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
}

export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: number[]): number => quantile(values, 0.5);
