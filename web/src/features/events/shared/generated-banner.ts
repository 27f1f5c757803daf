/** Five inks on a ground; every set was chosen to stand beside the others in a grid. */
const INKS: [ground: string, ...inks: string[]][] = [
  ['#0a3d2f', '#f2b233', '#f0643f', '#8fd8bc', '#f6efe0'],
  ['#f0643f', '#3a1430', '#ffd9a8', '#f2b233', '#fff4ea'],
  ['#23366f', '#8fb8ff', '#f2b233', '#f4efe6', '#f0643f'],
  ['#f2b233', '#0a3d2f', '#f0643f', '#fff4d9', '#23366f'],
  ['#4a2148', '#ff9fb2', '#f2b233', '#b7d9ff', '#fff1f0'],
  ['#1d6f72', '#bff0e4', '#ffcf70', '#0b2f3a', '#f58a6a'],
];

const COLUMNS = 6;
const ROWS = 3;

export interface BannerTile {
  x: number;
  y: number;
  shape: 'quarter' | 'disc' | 'half' | 'ring' | 'stripes' | 'square';
  /** Quarter turns. */
  turn: number;
  ink: string;
  second: string;
}

interface BannerDesign {
  ground: string;
  columns: number;
  rows: number;
  tiles: BannerTile[];
}

const SHAPES: BannerTile['shape'][] = ['quarter', 'quarter', 'disc', 'half', 'ring', 'stripes', 'square'];

/** FNV-1a: spreads ids that differ in one digit only. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}

/** Mulberry32: a stream of numbers in [0, 1) that one seed determines. */
function streamOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The picture of an event that has none: the same for the same seed, on every device. */
export function designBanner(seed: string): BannerDesign {
  const next = streamOf(hashOf(seed));
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(next() * choices.length)] as T;
  const [ground, ...inks] = pick(INKS);
  const tiles: BannerTile[] = [];
  for (let y = 0; y < ROWS; y += 1)
    for (let x = 0; x < COLUMNS; x += 1) {
      if (next() < 0.28) continue;
      const ink = pick(inks);
      const second = pick(inks.filter((other) => other !== ink));
      tiles.push({ x, y, shape: pick(SHAPES), turn: Math.floor(next() * 4), ink, second });
    }
  return { ground, columns: COLUMNS, rows: ROWS, tiles };
}
