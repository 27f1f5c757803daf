import { createHash } from 'node:crypto';
import sharp from 'sharp';

/** A picture as it is stored: named by the SHA-256 of its bytes. */
export interface Picture {
  hash: string;
  bytes: Buffer;
  width: number;
  height: number;
}

/** Paints drawings to WebP, several at a time in sharp's own threads. */
export async function paint(drawings: string[]): Promise<Picture[]> {
  return Promise.all(
    drawings.map(async (svg) => {
      const painted = sharp(Buffer.from(svg)).webp({ quality: 82, effort: 2 });
      const { data, info } = await painted.toBuffer({ resolveWithObject: true });
      return {
        hash: createHash('sha256').update(data).digest('hex'),
        bytes: data,
        width: info.width,
        height: info.height,
      };
    }),
  );
}

/** The same numbers in [0, 1) for the same text, on every machine (mulberry32 over an FNV-1a hash). */
export function randomFrom(text: string): () => number {
  let state = 2_166_136_261;
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One of the values. */
function pick<Value>(random: () => number, values: readonly [Value, ...Value[]]): Value {
  return values[Math.floor(random() * values.length)] ?? values[0];
}

/** The values in another order. */
export function shuffled<Value>(random: () => number, values: readonly Value[]): Value[] {
  return values
    .map((value) => ({ value, rank: random() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ value }) => value);
}

const AVATAR_SIZE = 320;

type Strings = readonly [string, ...string[]];

const BACKGROUNDS: Strings = [
  '#dbeafe',
  '#fde68a',
  '#fecdd3',
  '#d1fae5',
  '#e9d5ff',
  '#fed7aa',
  '#cffafe',
  '#e2e8f0',
];
const DARK_HAIRS: Strings = ['#1f1300', '#2b1a12', '#3b2417', '#78716c'];
const ALL_HAIRS: Strings = ['#1f1300', '#3b2417', '#6b4423', '#a55728', '#d6a53f', '#9ca3af', '#7c2d12'];
const LOOKS: readonly [Look, ...Look[]] = [
  { skin: '#f8d9c0', hairs: ALL_HAIRS },
  { skin: '#f3cfa8', hairs: ALL_HAIRS },
  { skin: '#e0ac69', hairs: DARK_HAIRS },
  { skin: '#c68642', hairs: DARK_HAIRS },
  { skin: '#8d5524', hairs: DARK_HAIRS },
  { skin: '#6b4226', hairs: DARK_HAIRS },
];
interface Look {
  skin: string;
  hairs: Strings;
}
const CLOTHES: Strings = ['#1d4ed8', '#0f766e', '#be123c', '#7c3aed', '#334155', '#c2410c', '#15803d'];

/** Behind the head and over the forehead; `c` is the colour. */
const HAIRCUTS: readonly [Haircut, ...Haircut[]] = [
  {
    back: () => '',
    front: (c) =>
      `<path d="M92 150 Q90 74 160 72 Q230 74 228 150 Q206 112 160 110 Q114 112 92 150Z" fill="${c}"/>`,
  },
  {
    back: (c) => `<path d="M84 250 Q72 66 160 64 Q248 66 236 250 Q160 276 84 250Z" fill="${c}"/>`,
    front: (c) =>
      `<path d="M94 150 Q104 84 160 84 Q216 84 226 150 Q190 104 138 112 Q108 120 94 150Z" fill="${c}"/>`,
  },
  {
    back: (c) => `<circle cx="160" cy="58" r="30" fill="${c}"/>`,
    front: (c) =>
      `<path d="M92 148 Q94 76 160 76 Q226 76 228 148 Q214 108 160 104 Q106 108 92 148Z" fill="${c}"/>`,
  },
  {
    back: (c) =>
      [100, 122, 148, 174, 200, 220]
        .map((x, i) => `<circle cx="${x}" cy="${[112, 88, 76, 76, 88, 112][i]}" r="30" fill="${c}"/>`)
        .join(''),
    front: (c) =>
      `<path d="M98 132 Q110 92 160 92 Q210 92 222 132 Q190 108 160 108 Q130 108 98 132Z" fill="${c}"/>`,
  },
  {
    back: (c) =>
      `<path d="M88 206 Q80 70 160 68 Q240 70 232 206 Q220 214 208 204 V140 H112 V204 Q100 214 88 206Z" fill="${c}"/>`,
    front: (c) =>
      `<path d="M96 146 Q100 82 160 82 Q220 82 224 146 Q212 122 160 122 Q108 122 96 146Z" fill="${c}"/>`,
  },
  { back: () => '', front: () => '' },
];
interface Haircut {
  back: (colour: string) => string;
  front: (colour: string) => string;
}

const BEARD_SHARE = 0.22;
const GLASSES_SHARE = 0.3;

/** An illustrated face; the same name always gives the same one. */
export function avatarSvg(name: string): string {
  const random = randomFrom(name);
  const { skin, hairs } = pick(random, LOOKS);
  const [background, hair, cloth] = [pick(random, BACKGROUNDS), pick(random, hairs), pick(random, CLOTHES)];
  const cut = pick(random, HAIRCUTS);
  const beard =
    random() < BEARD_SHARE
      ? `<path d="M100 176 Q104 250 160 252 Q216 250 220 176 Q206 214 160 212 Q114 214 100 176Z" fill="${hair}"/>`
      : '';
  const glasses =
    random() < GLASSES_SHARE
      ? '<g fill="none" stroke="#1f2937" stroke-width="5"><circle cx="134" cy="162" r="20"/><circle cx="186" cy="162" r="20"/><path d="M154 160 h12"/></g>'
      : '';
  const smile = pick(random, [
    'M138 204 Q160 224 182 204',
    'M140 206 Q160 216 180 206',
    'M136 202 Q160 232 184 202 Z',
  ] as const);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 320" width="${AVATAR_SIZE}" height="${AVATAR_SIZE}">` +
    `<rect width="320" height="320" fill="${background}"/>${cut.back(hair)}` +
    `<path d="M52 330 Q58 252 130 246 H190 Q262 252 268 330Z" fill="${cloth}"/><path d="M134 214 h52 v40 q-26 26 -52 0Z" fill="${skin}"/>` +
    `<ellipse cx="160" cy="160" rx="66" ry="76" fill="${skin}"/>${beard}` +
    `<g fill="#1f2937"><circle cx="134" cy="162" r="7"/><circle cx="186" cy="162" r="7"/></g>` +
    `<g fill="none" stroke="${hair}" stroke-width="6" stroke-linecap="round"><path d="M120 140 q14 -8 26 -2"/><path d="M174 138 q14 -6 26 2"/></g>` +
    `<path d="M160 166 q8 18 -3 22" fill="none" stroke="#00000033" stroke-width="5" stroke-linecap="round"/>` +
    `<path d="${smile}" fill="${smile.endsWith('Z') ? '#fff' : 'none'}" stroke="#7f1d1d" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/>` +
    `${glasses}${cut.front(hair)}</svg>`
  );
}

const BANNER = { width: 1600, height: 640 } as const;

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
