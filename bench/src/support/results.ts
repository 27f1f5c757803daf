import { findPostgresBinaries } from '@meetmark/testing/embedded/postgres-binaries';
import { findRedis } from '@meetmark/testing/embedded/redis-binary';
import os from 'node:os';

export function machine(): string[] {
  const [cpu] = os.cpus();
  const gigabytes = os.totalmem() / 2 ** 30;
  const silent = () => undefined;
  return [
    `${os.cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${gigabytes.toFixed(0)} GB, ${os.type()} ${os.release()}`,
    `Node ${process.version}, PostgreSQL ${findPostgresBinaries(silent).version}, Redis ${findRedis(silent).version}`,
  ];
}

/** Returns the load averages of 1, 5 and 15 minutes, which are low on a quiet machine. */
export const loadAverage = () =>
  os
    .loadavg()
    .map((value) => value.toFixed(1))
    .join(', ');

const PIECES = 7;
const OBJECTS = 300_000;

/**
 * Returns the milliseconds of a fixed amount of work. Other virtual machines on the same host can double
 * them.
 */
export function pace(): number {
  const times = Array.from({ length: PIECES }, () => {
    const began = performance.now();
    const made = new Map<number, string>();
    for (let each = 0; each < OBJECTS; each += 1) made.set(each % 1_000, `object ${each}`);
    return performance.now() - began;
  });
  return median(times);
}

export interface Measured {
  perSecond: number;
  /** Latency in milliseconds. */
  p50: number;
  p99: number;
}

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
  return { perSecond: items.length / seconds, p50: median(latencies), p99: quantile(latencies, 0.99) };
}

export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: number[]): number => quantile(values, 0.5);

export const rate = (perSecond: number) => `${Math.round(perSecond).toLocaleString('en')}/s`;
export const milliseconds = (value: number) => `${value.toFixed(1)} ms`;

export interface Row {
  path: string;
  ours: string;
  beside: string;
  ratio: string;
  goal: string;
  /** Null if the figure has no goal. */
  met: boolean | null;
}

export interface Group {
  rows: Row[];
  paces: [number, number];
}

export interface Effort {
  rounds: number;
  seconds: number;
  quick: boolean;
}

/** Runs the two measurements in turn, so that a busy machine slows both of them. */
export async function alternate<T>(
  rounds: number,
  ours: () => Promise<T>,
  theirs: () => Promise<T>,
): Promise<{ ours: T; theirs: T }[]> {
  const pairs: { ours: T; theirs: T }[] = [];
  for (let round = 0; round < rounds; round += 1) pairs.push({ ours: await ours(), theirs: await theirs() });
  return pairs;
}

export interface Spread {
  median: number;
  least: number;
  most: number;
}

export const spread = (values: number[]): Spread => ({
  median: median(values),
  least: Math.min(...values),
  most: Math.max(...values),
});

export const formatRatio = ({ median, least, most }: Spread) =>
  `${median.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`;

/**
 * Formats the results as a table. The last column is the machine's speed before and after each group,
 * relative to its maximum.
 */
export function table(groups: Group[]): string {
  const head = ['Path', 'Measured', 'Beside it', 'Ratio (range)', 'Goal', 'Met', 'Machine'];
  const fastest = Math.min(...groups.flatMap(({ paces }) => paces));
  const met = (row: Row) => (row.met === null ? '–' : row.met ? 'yes' : '**no**');
  const lines = groups.flatMap(({ rows, paces }) => {
    const machine = paces.map((pace) => (fastest / pace).toFixed(2)).join(', ');
    return rows.map((row) => [row.path, row.ours, row.beside, row.ratio, row.goal, met(row), machine]);
  });
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
