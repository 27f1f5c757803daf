import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import opentype, { type Font } from 'opentype.js';

// The words of a share picture as outlines, because a bare machine has no fonts for the library that paints them.

const require = createRequire(import.meta.url);
/** Latin, and what lies beyond its first page. */
const FILES = {
  600: [
    require.resolve('@fontsource/figtree/files/figtree-latin-600-normal.woff'),
    require.resolve('@fontsource/figtree/files/figtree-latin-ext-600-normal.woff'),
  ],
  700: [
    require.resolve('@fontsource/figtree/files/figtree-latin-700-normal.woff'),
    require.resolve('@fontsource/figtree/files/figtree-latin-ext-700-normal.woff'),
  ],
};
type Weight = keyof typeof FILES;
const loaded = new Map<Weight, Font[]>();

function load(file: string): Font {
  const { buffer, byteOffset, byteLength } = readFileSync(file);
  return opentype.parse((buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength));
}

/** Read when the first picture is made. */
function fontsOf(weight: Weight): Font[] {
  const fonts = loaded.get(weight) ?? FILES[weight].map(load);
  loaded.set(weight, fonts);
  return fonts;
}

export const SHARE_PICTURE = { width: 1200, height: 630, maxBytes: 300 * 1024 } as const;
const MARGIN = 72;
const TITLE = { size: 66, lines: 3, leading: 1.14 };
const SMALL = 34;

interface Run {
  font: Font;
  text: string;
}

/** Characters that no font has are left out. */
function runsOf(text: string, weight: Weight): Run[] {
  const runs: Run[] = [];
  for (const character of text.normalize('NFC')) {
    const font = fontsOf(weight).find((each) => each.charToGlyphIndex(character) > 0);
    if (font === undefined) continue;
    const last = runs.at(-1);
    if (last?.font === font) last.text += character;
    else runs.push({ font, text: character });
  }
  return runs;
}

const widthOf = (text: string, weight: Weight, size: number) =>
  runsOf(text, weight).reduce((sum, run) => sum + run.font.getAdvanceWidth(run.text, size), 0);

function outline(text: string, { weight, size, y }: { weight: Weight; size: number; y: number }): string {
  let x = MARGIN;
  return runsOf(text, weight)
    .map((run) => {
      const path = run.font.getPath(run.text, x, y, size).toPathData(1);
      x += run.font.getAdvanceWidth(run.text, size);
      return `<path d="${path}"/>`;
    })
    .join('');
}

/** As many characters as fit, with an ellipsis if that is not all. */
function cut(text: string, fits: (part: string) => boolean): string {
  if (fits(text)) return text;
  const characters = [...text];
  while (characters.length > 0 && !fits(`${characters.join('').trimEnd()}…`)) characters.pop();
  return `${characters.join('').trimEnd()}…`;
}

function lines(title: string, most: number, fits: (line: string) => boolean): string[] {
  const words = title.split(/\s+/).filter(Boolean);
  const found: string[] = [];
  while (words.length > 0 && found.length < most) {
    let line = words.shift()!;
    if (found.length === most - 1) return [...found, cut([line, ...words].join(' '), fits)];
    while (words.length > 0 && fits(`${line} ${words[0]}`)) line += ` ${words.shift()}`;
    found.push(cut(line, fits));
  }
  return found;
}

interface ShareWords {
  title: string;
  when: string;
  community: string;
}

/** Behind the words of an event without a cover. */
const GROUNDS = [
  ['#085541', '#14211c'],
  ['#7a3b12', '#241812'],
  ['#1d4466', '#111c26'],
  ['#5b2a4f', '#201420'],
] as const;

/** The words over a shade, or without a cover over colours that are those of the event. */
export function shareOverlay(
  { title, when, community }: ShareWords,
  { id, hasCover }: { id: string; hasCover: boolean },
): string {
  const { width, height } = SHARE_PICTURE;
  const inside = width - 2 * MARGIN;
  const fits = (weight: Weight, size: number) => (text: string) => widthOf(text, weight, size) <= inside;
  const titleLines = lines(title, TITLE.lines, fits(700, TITLE.size));
  const small = fits(600, SMALL);
  const bottom = height - MARGIN;
  const first = bottom - SMALL - 36 - (titleLines.length - 1) * TITLE.size * TITLE.leading;
  const words = [
    outline(cut(community, small), { weight: 600, size: SMALL, y: MARGIN + SMALL }),
    ...titleLines.map((line, index) =>
      outline(line, { weight: 700, size: TITLE.size, y: first + index * TITLE.size * TITLE.leading }),
    ),
    outline(cut(when, small), { weight: 600, size: SMALL, y: bottom }),
  ];
  const [from, to] = GROUNDS[Number.parseInt(id.slice(-2), 16) % GROUNDS.length]!;
  const stops = hasCover
    ? '<stop offset="0" stop-color="#000" stop-opacity=".55"/><stop offset=".35" stop-color="#000" stop-opacity=".3"/><stop offset="1" stop-color="#000" stop-opacity=".85"/>'
    : `<stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<defs><linearGradient id="g" x1="0" y1="0" x2="0" y2="1">${stops}</linearGradient></defs>` +
    `<rect width="${width}" height="${height}" fill="url(#g)"/><g fill="#fff">${words.join('')}</g></svg>`
  );
}
