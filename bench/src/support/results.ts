import { quantile } from './measure.js';

/** One line of the table. */
export interface Row {
  path: string;
  ours: string;
  /** What it is measured against. */
  beside: string;
  ratio: string;
  goal: string;
  /** Null for a figure without a goal. */
  met: boolean | null;
}

/** Rows that were measured together, and the machine's pace (milliseconds) before and after. */
export interface Group {
  rows: Row[];
  paces: [number, number];
}

/** How much of everything is measured. */
export interface Effort {
  rounds: number;
  /** Seconds of each run of an HTTP load. */
  seconds: number;
  quick: boolean;
}

/** Ours and the other in turn, so that a busy machine slows both. */
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
  median: quantile(values, 0.5),
  least: Math.min(...values),
  most: Math.max(...values),
});

/** `0.61 (0.58–0.66)` */
export const ratioOf = ({ median, least, most }: Spread) =>
  `${median.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`;

/** The last column: how fast the machine was, before and after, as a share of the fastest that the run has seen. */
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
