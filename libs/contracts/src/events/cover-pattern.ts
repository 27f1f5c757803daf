import type { PictureColours } from '../palette.js';

type Covers = PictureColours['covers'];

const COLUMNS = 6;
const ROWS = 3;
const TILE = 100;

export const PATTERN = { width: COLUMNS * TILE, height: ROWS * TILE };

const SHAPES: ((ink: string, second: string) => string)[] = [
  (ink) => `<path d="M0 0h100A100 100 0 0 1 0 100z" fill="${ink}"/>`,
  (ink) => `<path d="M0 0h100A100 100 0 0 1 0 100z" fill="${ink}"/>`,
  (ink, second) =>
    `<circle cx="50" cy="50" r="50" fill="${ink}"/><circle cx="50" cy="50" r="20" fill="${second}"/>`,
  (ink) => `<path d="M0 50a50 50 0 0 1 100 0z" fill="${ink}"/>`,
  (ink) => `<circle cx="50" cy="50" r="34" fill="none" stroke="${ink}" stroke-width="18"/>`,
  (ink) => `<path d="M0 12.5h100M0 37.5h100M0 62.5h100M0 87.5h100" stroke="${ink}" stroke-width="12.5"/>`,
  (ink, second) =>
    `<path d="M0 0h100v100H0z" fill="${ink}"/><path d="M0 100A100 100 0 0 1 100 0v100z" fill="${second}"/>`,
];

/** FNV-1a. Ids that differ in one digit get different hashes. */
function computeHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}

/** Mulberry32: pseudo-random numbers in [0, 1). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Returns the content of an SVG with the size of `PATTERN`. The same seed (an event's id) always gives the
 * same image.
 */
export function coverPattern(seed: string, covers: Covers): string {
  const next = createRandom(computeHash(seed));
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(next() * choices.length)] as T;
  const [ground = '', ...inks] = pick(covers);
  const tiles = [`<rect width="${PATTERN.width}" height="${PATTERN.height}" fill="${ground}"/>`];
  for (let y = 0; y < ROWS; y += 1)
    for (let x = 0; x < COLUMNS; x += 1) {
      if (next() < 0.28) continue;
      const ink = pick(inks);
      const second = pick(inks.filter((other) => other !== ink));
      const shape = pick(SHAPES);
      const turn = Math.floor(next() * 4) * 90;
      tiles.push(
        `<g transform="translate(${x * TILE} ${y * TILE}) rotate(${turn} ${TILE / 2} ${TILE / 2})">${shape(ink, second)}</g>`,
      );
    }
  return tiles.join('');
}

export const PATTERNS = 8;

const { width: WIDTH, height: HEIGHT } = PATTERN;

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

const tiled = (side: number, draw: (column: number, row: number) => string) =>
  upTo(HEIGHT / side)
    .flatMap((row) =>
      upTo(WIDTH / side).map(
        (column) => `<g transform="translate(${column * side} ${row * side})">${draw(column, row)}</g>`,
      ),
    )
    .join('');

const wave = (top: number) => `M0 ${top}${'q25 -40 50 0t50 0'.repeat(WIDTH / 100)}`;

type Ink = (index: number) => string;

const DRAWINGS: ((ink: Ink, ground: string) => string)[] = [
  (ink) =>
    tiled(
      100,
      (column, row) =>
        `<path d="M0 0h100A100 100 0 0 1 0 100z" transform="rotate(${((column + 2 * row) % 4) * 90} 50 50)" fill="${ink(column + row)}"/>`,
    ),
  (ink) =>
    upTo(9)
      .map((at) => {
        const radius = 360 - at * 40;
        return `<circle cx="${WIDTH / 2}" cy="${HEIGHT / 2}" r="${radius}" fill="none" stroke="${ink(at)}" stroke-width="22"/>`;
      })
      .join(''),
  (ink) =>
    upTo(19)
      .map((at) => `<path d="M${at * 50 - 300} ${HEIGHT}l300 -300h25l-300 300z" fill="${ink(at)}"/>`)
      .join(''),
  (ink) =>
    upTo(7)
      .map((at) => `<path d="${wave(at * 50)}V${HEIGHT}H0z" fill="${ink(at)}"/>`)
      .join(''),
  (ink) =>
    tiled(
      50,
      (column, row) =>
        `<circle cx="25" cy="25" r="${6 + 3 * ((column + 2 * row) % 6)}" fill="${ink(Math.floor((column + 2 * row) / 6))}"/>`,
    ),
  (ink) =>
    tiled(
      75,
      (column, row) =>
        `<path d="${(column + row) % 2 === 0 ? 'M0 75L75 75L75 0z' : 'M0 0L75 75L0 75z'}" fill="${ink(column * 3 + row)}"/>`,
    ),
  (ink, ground) =>
    upTo(12)
      .flatMap((row) =>
        upTo(6).flatMap((column) =>
          [ground, ink(row % 2), ground, ink(2 + (row % 2))].map(
            (fill, inner) =>
              `<circle cx="${column * 120 - 60 * (row % 2)}" cy="${row * 30}" r="${[60, 53, 37, 30][inner]}" fill="${fill}"/>`,
          ),
        ),
      )
      .join(''),
  (ink) =>
    tiled(50, (column, row) =>
      (column + row) % 2 === 0
        ? `<path d="M0 0h50v50H0z" fill="${ink(Math.floor(column / 2) + row)}"/>`
        : '<path d="M0 0"/>',
    ),
];

/** Returns the content of an SVG with the size of `PATTERN`. `number` starts at 1. */
export function chosenPattern(number: number, covers: Covers): string {
  const [ground = '', ...inks] = covers[(number - 1) % covers.length] ?? [];
  const drawn = DRAWINGS[number - 1]?.((index) => inks[index % inks.length] ?? ground, ground) ?? '';
  return `<rect width="${WIDTH}" height="${HEIGHT}" fill="${ground}"/>${drawn}`;
}

export const patternUrl = (number: number, covers: Covers) =>
  `/media/patterns/${number}-${computeHash(covers.join()).toString(36)}.svg`;

export const coverAddress = (
  { bannerImageUrl, coverPattern: number }: { bannerImageUrl: string | null; coverPattern?: number | null },
  covers: Covers,
): string | null => bannerImageUrl ?? (number ? patternUrl(number, covers) : null);
