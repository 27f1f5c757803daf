import { pick, randomFrom } from './random.js';

export const AVATAR_SIZE = 320;

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
