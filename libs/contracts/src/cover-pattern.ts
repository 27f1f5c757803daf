import type { PictureColours } from './palette.js';

const COLUMNS = 6;
const ROWS = 3;
const TILE = 100;

/** Of the drawing, in its own units; it is shown cut to the shape of its place. */
export const PATTERN = { width: COLUMNS * TILE, height: ROWS * TILE };

/** Shapes of a tile, each in an ink and where it has two parts in a second one. */
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

/**
 * The picture of an event that has none, as the content of an SVG of `PATTERN`'s size: the same for the same seed on page, card and
 * shared picture.
 * @param seed the event's id
 * @param covers the community's colours
 */
export function coverPattern(seed: string, covers: PictureColours['covers']): string {
  const next = streamOf(hashOf(seed));
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
