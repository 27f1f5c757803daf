import { pick, randomFrom } from './random.js';

export const BANNER = { width: 1600, height: 640 } as const;

interface Palette {
  from: string;
  to: string;
  accents: readonly [string, string, string];
}

const PALETTES: readonly [Palette, ...Palette[]] = [
  { from: '#0f172a', to: '#1d4ed8', accents: ['#60a5fa', '#fbbf24', '#f8fafc'] },
  { from: '#134e4a', to: '#0d9488', accents: ['#5eead4', '#fde68a', '#f0fdfa'] },
  { from: '#4c1d95', to: '#9333ea', accents: ['#d8b4fe', '#fb7185', '#faf5ff'] },
  { from: '#7c2d12', to: '#ea580c', accents: ['#fdba74', '#fde047', '#fff7ed'] },
  { from: '#1e1b4b', to: '#be185d', accents: ['#f9a8d4', '#fcd34d', '#fdf2f8'] },
  { from: '#064e3b', to: '#65a30d', accents: ['#bef264', '#fef08a', '#f7fee7'] },
  { from: '#172554', to: '#0891b2', accents: ['#67e8f9', '#fda4af', '#ecfeff'] },
  { from: '#3b0764', to: '#4338ca', accents: ['#a5b4fc', '#f0abfc', '#eef2ff'] },
];

type Composition = (random: () => number, palette: Palette) => string;

const between = (random: () => number, low: number, high: number): number =>
  Math.round(low + random() * (high - low));

/** Overlapping discs of light. */
const discs: Composition = (random, { accents }) =>
  Array.from({ length: 9 }, () => {
    const [x, y, r] = [between(random, 0, 1600), between(random, 0, 640), between(random, 60, 260)];
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="${pick(random, accents)}" opacity="${(0.08 + random() * 0.22).toFixed(2)}"/>`;
  }).join('');

/** Layered waves along the bottom. */
const waves: Composition = (random, { accents }) =>
  [0, 1, 2, 3]
    .map((layer) => {
      const base = 300 + layer * 80;
      const points = Array.from(
        { length: 5 },
        (_, step) => `${step * 400 + 400},${base + between(random, -90, 90)}`,
      );
      const path = points
        .map((point, step) => `S ${step * 400 + 200},${base + between(random, -90, 90)} ${point}`)
        .join(' ');
      return `<path d="M 0,${base} ${path} V 640 H 0 Z" fill="${accents[layer % 3]}" opacity="0.22"/>`;
    })
    .join('');

/** Rising columns, as in a report of a good quarter. */
const columns: Composition = (random, { accents }) =>
  Array.from({ length: 16 }, (_, index) => {
    const height = 60 + index * 24 + between(random, -30, 60);
    const fill = index % 5 === 4 ? accents[1] : accents[0];
    return `<rect x="${index * 96 + 40}" y="${640 - height}" width="64" height="${height}" rx="12" fill="${fill}" opacity="0.4"/>`;
  }).join('');

/** People and pages that link to each other. */
const network: Composition = (random, { accents }) => {
  const nodes = Array.from({ length: 14 }, (_, index) => ({
    x: 60 + (index % 7) * 240 + between(random, -70, 70),
    y: 170 + Math.floor(index / 7) * 300 + between(random, -110, 110),
    r: between(random, 14, 44),
  }));
  const lines = nodes.flatMap((from, index) =>
    nodes
      .slice(index + 1)
      .filter((to) => Math.hypot(from.x - to.x, from.y - to.y) < 380)
      .map((to) => `<line x1="${from.x}" y1="${from.y}" x2="${to.x}" y2="${to.y}"/>`),
  );
  const dots = nodes.map(
    ({ x, y, r }) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${pick(random, accents)}" opacity="0.75"/>`,
  );
  return `<g stroke="${accents[2]}" stroke-width="4" opacity="0.35">${lines.join('')}</g>${dots.join('')}`;
};

/** Speech bubbles. */
const bubbles: Composition = (random, { accents }) =>
  Array.from({ length: 8 }, (_, index) => {
    const [x, y] = [index * 200 + between(random, -40, 40), between(random, 60, 420)];
    const [width, height] = [between(random, 150, 280), between(random, 90, 150)];
    const tail = `M ${x + 40},${y + height - 4} l 0,46 l 52,-46 Z`;
    const fill = pick(random, accents);
    return `<g fill="${fill}" opacity="0.32"><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="32"/><path d="${tail}"/></g>`;
  }).join('');

/** Rings around an aim. */
const rings: Composition = (random, { accents }) => {
  const [x, y] = [between(random, 900, 1350), between(random, 220, 420)];
  const circles = [380, 300, 220, 140, 60].map(
    (r, index) =>
      `<circle cx="${x}" cy="${y}" r="${r}" fill="${accents[index % 3]}" opacity="${0.14 + index * 0.1}"/>`,
  );
  return `${circles.join('')}<path d="M ${x},${y} L ${x - 520},${y + 260}" stroke="${accents[2]}" stroke-width="14" stroke-linecap="round" opacity="0.7"/>`;
};

const COMPOSITIONS: readonly [Composition, ...Composition[]] = [
  discs,
  waves,
  columns,
  network,
  bubbles,
  rings,
];

/** A picture without words; neighbouring indices differ in colours and composition, and the same input gives the same picture. */
export function bannerSvg(title: string, index: number): string {
  const random = randomFrom(title);
  const palette = PALETTES[index % PALETTES.length] ?? PALETTES[0];
  const composition = COMPOSITIONS[index % COMPOSITIONS.length] ?? discs;
  const { width, height } = BANNER;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">` +
    `<defs><linearGradient id="sky" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${palette.from}"/>` +
    `<stop offset="1" stop-color="${palette.to}"/></linearGradient></defs>` +
    `<rect width="${width}" height="${height}" fill="url(#sky)"/>${composition(random, palette)}</svg>`
  );
}
