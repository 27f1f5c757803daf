import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Community,
  type Event,
  type FontName,
  lastMomentOf,
  zonedRange,
  zoneOf,
} from '@meetmark/contracts';
import { chosenPattern, coverPattern, PATTERN } from '@meetmark/contracts/cover-pattern';
import type { PictureColours } from '@meetmark/contracts/palette';
import type { PresentCommunity } from '@meetmark/platform';
import opentype, { type Font } from 'opentype.js';

// The words of a share picture as outlines, because a bare machine has no fonts for the library that paints them. Words with letters that
// join, stand from right to left or number thousands are not outlined here: that library sets them itself, in fonts of ours.

const require = createRequire(import.meta.url);
/** The second one is for words with letters that the first one lacks: Cyrillic, Greek, Vietnamese. */
const FAMILIES = {
  figtree: { from: require.resolve('@fontsource/figtree/package.json'), subsets: ['latin', 'latin-ext'] },
  manrope: {
    from: require.resolve('@fontsource/manrope/package.json'),
    subsets: ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'vietnamese'],
  },
};
type Weight = 600 | 700;
/** Made by the build (fonts.mjs). */
const FONTS = fileURLToPath(new URL('../../dist/fonts/', import.meta.url));
const loaded = new Map<string, Font>();

/** Read when the first picture is made that needs it. */
function fontOf(family: Face['family'], subset: string, weight: Weight): Font {
  const file = isOurs(family)
    ? join(dirname(FAMILIES[family].from), `files/${family}-${subset}-${weight}-normal.woff`)
    : join(FONTS, `${family}-${subset}-${weight}.ttf`);
  const known = loaded.get(file);
  if (known !== undefined) return known;
  const { buffer, byteOffset, byteLength } = readFileSync(file);
  const font = opentype.parse((buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength));
  loaded.set(file, font);
  return font;
}

export const SHARE_PICTURE = { width: 1200, height: 630 } as const;
/** Three times what a mail shows. */
const SQUARE_PICTURE = { width: 504, height: 504 } as const;
const MARGIN = 72;
const TITLE = { size: 66, lines: 3, leading: 1.14 };
const SMALL = 34;

/** What stands in no font of letters, and what only changes its look. */
const PICTOGRAPHS =
  /[\p{Emoji_Presentation}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Variation_Selector}\u{20e3}]/gu;
const BELONGS_TO_WORDS = /[\p{L}\p{M}\p{N}]/u;

type Ours = keyof typeof FAMILIES;
const isOurs = (family: Ours | FontName): family is Ours => Object.hasOwn(FAMILIES, family);
/** Those of the fonts that a community may choose. */
const CHOSEN_SUBSETS = ['latin', 'latin-ext'];

interface Face {
  family: Ours | FontName;
  weight: Weight;
  size: number;
}

/** The first font of the family that has the character. */
const fontWith = (character: string, { family, weight }: Omit<Face, 'size'>) =>
  (isOurs(family) ? FAMILIES[family].subsets : CHOSEN_SUBSETS)
    .map((subset) => fontOf(family, subset, weight))
    .find((font) => font.charToGlyphIndex(character) > 0);

const charactersOf = (text: string) => [
  ...text.normalize('NFC').replaceAll(/\s/g, ' ').replaceAll(PICTOGRAPHS, ''),
];

/**
 * A text in the first family that has all its letters, the community's own before ours, or '' without one. Other signs that are missing
 * are left out alone; the narrow spaces of dates, which are, become plain ones.
 */
function written(
  text: string,
  { font, weight, size }: Omit<Face, 'family'> & { font: FontName | null },
): { text: string; face: Face } {
  const characters = charactersOf(text);
  for (const family of [...(font === null ? [] : [font]), ...(Object.keys(FAMILIES) as Ours[])]) {
    const face = { family, weight, size };
    const missing = new Set(characters.filter((each) => fontWith(each, face) === undefined));
    if (![...missing].some((each) => BELONGS_TO_WORDS.test(each)))
      return { face, text: characters.filter((each) => !missing.has(each)).join('') };
  }
  return { text: '', face: { family: 'figtree', weight, size } };
}

/** Where words are set, in pixels: lines of this size, at most so high, above `bottom`. */
interface Box {
  size: number;
  lines: number;
  left: number;
  width: number;
  height: number;
  bottom: number;
}

/** Words that the library of pictures sets, in these fonts: names of families, and of the files of `dist/fonts` with the letters. */
export interface SetWords extends Box {
  words: string;
  families: string[];
  files: string[];
  fromRight: boolean;
}

/** Some letters of a family. */
interface OtherFont {
  file: string;
  family: string;
  letters: string;
}
let others: OtherFont[] | undefined;

/** Read when the first picture is made that needs them. */
const otherFonts = () =>
  (others ??= JSON.parse(readFileSync(join(FONTS, 'fonts.json'), 'utf8')) as OtherFont[]);

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const KOREAN = /\p{Script=Hangul}/u;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const FROM_RIGHT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;
/** Makes letters stand in another order than they are read in, for no reason that a title has. */
const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/gu;
/** Those of the text's language come first: languages that share signs draw them differently. */
function inOrder(text: string, fonts: OtherFont[]): OtherFont[] {
  const first = JAPANESE.test(text) ? ' JP' : KOREAN.test(text) ? ' KR' : WIDE.test(text) ? ' SC' : 'Manrope';
  const isFirst = ({ family }: OtherFont) => Number(family.includes(first));
  return [...fonts].sort((a, b) => isFirst(b) - isFirst(a));
}

/** As many of the characters as there may be room for, of which the narrow ones take two fifths of their height: for more no font is read. */
function beginning(characters: string[], { size, lines, width }: Box): string[] {
  let room = (width * lines) / size;
  const end = characters.findIndex((each) => (room -= WIDE.test(each) ? 1 : 0.4) < 0);
  return end < 0 ? characters : characters.slice(0, end);
}

/**
 * A text that no outlines have, with the fonts that have its letters; null without words that all have one. A title without some of its
 * words would be another title, and what shows the picture has the words beside it.
 */
function setWords(
  text: string,
  style: { font: FontName | null; weight: Weight },
  box: Omit<SetWords, 'words' | 'families' | 'files' | 'fromRight'>,
) {
  if (!BELONGS_TO_WORDS.test(text) || written(text, { ...style, size: box.size }).text !== '') return null;
  const all = charactersOf(text.replaceAll(OVERRIDES, ''));
  const characters = beginning(all, box);
  const fonts = inOrder(text, otherFonts());
  const used = new Set<OtherFont>();
  let words = '';
  for (const character of characters) {
    const font = fonts.find(({ letters }) => letters.includes(character));
    if (font === undefined && BELONGS_TO_WORDS.test(character)) return null;
    if (font === undefined) continue;
    used.add(font);
    words += character;
  }
  // of the dots where it is cut
  used.add(fonts.find(({ letters }) => letters.includes('…'))!);
  const strong = characters.find((each) => /\p{L}/u.test(each)) ?? '';
  return {
    ...box,
    words: characters.length < all.length ? `${words.trim()}…` : words.trim(),
    families: [...new Set([...used].map(({ family }) => family))],
    files: [...used].map(({ file }) => file),
    fromRight: FROM_RIGHT.test(strong),
  };
}

interface Run {
  font: Font;
  text: string;
}

function runsOf(text: string, face: Face): Run[] {
  const runs: Run[] = [];
  for (const character of text) {
    const font = fontWith(character, face)!;
    const last = runs.at(-1);
    if (last?.font === font) last.text += character;
    else runs.push({ font, text: character });
  }
  return runs;
}

const widthOf = (text: string, face: Face) =>
  runsOf(text, face).reduce((sum, run) => sum + run.font.getAdvanceWidth(run.text, face.size), 0);

function outline(text: string, face: Face, y: number): string {
  let x = MARGIN;
  return runsOf(text, face)
    .map((run) => {
      const path = run.font.getPath(run.text, x, y, face.size).toPathData(1);
      x += run.font.getAdvanceWidth(run.text, face.size);
      return `<path d="${path}"/>`;
    })
    .join('');
}

/** A letter in the middle of a square; nothing where no font has it. */
export function letterOutline(
  letter: string,
  { side, size, font }: { side: number; size: number; font: FontName | null },
): string {
  const { text, face } = written(letter, { font, weight: 700, size });
  const [run] = runsOf(text, face);
  if (run === undefined) return '';
  const path = run.font.getPath(run.text, 0, 0, size);
  const { x1, y1, x2, y2 } = path.getBoundingBox();
  return `<path transform="translate(${(side - x1 - x2) / 2} ${(side - y1 - y2) / 2})" d="${path.toPathData(2)}"/>`;
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

const DAY = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
const TIME = { hour: 'numeric', minute: '2-digit' } as const;

/** Another version of the event is another picture. */
export const sharePictureUrl = (
  { id, version }: Pick<Event, 'id' | 'version'>,
  { settingsVersion }: Pick<PresentCommunity, 'settingsVersion'>,
) => `/media/share/${id}-${version}${settingsVersion > 1 ? `-${settingsVersion}` : ''}.jpg`;

/** Other settings are another picture. */
export const communityPictureUrl = ({ settingsVersion }: Pick<PresentCommunity, 'settingsVersion'>) =>
  `/media/share/community-${settingsVersion}.jpg`;

/** On the clock of its place, with the zone. */
export function whenOf(event: Event, community: Pick<Community, 'locale' | 'timeZone'>): string {
  const place = { locale: community.locale, timeZone: zoneOf(event, community) };
  const startDate = new Date(event.startDate);
  const end = lastMomentOf({ startDate, endDate: new Date(event.endDate), isAllDay: event.isAllDay });
  return event.isAllDay
    ? new Intl.DateTimeFormat(place.locale, { timeZone: place.timeZone, ...DAY }).formatRange(startDate, end)
    : zonedRange(startDate, end, place, { ...DAY, ...TIME });
}

/** What an event without a picture is drawn from. */
interface Drawn {
  id: string;
  coverPattern: number | null;
}

interface ShareGround {
  /** Null: the picture of the community. */
  drawn: Drawn | null;
  hasCover: boolean;
  colours: PictureColours;
}

interface ShareWords {
  title: string;
  when: string;
  community: string;
  font?: FontName | null;
}

/** Those of the words that are not outlined but set. */
function shareSetWords({ title, when, community, font = null }: ShareWords): SetWords[] {
  const { width, height } = SHARE_PICTURE;
  const inside = { left: MARGIN, width: width - 2 * MARGIN };
  const small = { ...inside, size: SMALL, lines: 1, height: SMALL * 2 };
  const bottom = height - MARGIN;
  const below = (size: number) => Math.round(size / 8);
  return [
    setWords(community, { font, weight: 600 }, { ...small, bottom: MARGIN + SMALL + below(SMALL) }),
    setWords(
      title,
      { font, weight: 700 },
      {
        ...{ ...inside, size: TITLE.size, lines: TITLE.lines, height: TITLE.size * TITLE.lines * 1.5 },
        bottom: bottom - SMALL - 36 + below(TITLE.size),
      },
    ),
    setWords(when, { font, weight: 600 }, { ...small, bottom: bottom + below(SMALL) }),
  ].filter((words) => words !== null);
}

/** What stands for the picture of an event that has none, as on its page. */
function drawnCover(
  { id, coverPattern: number }: Drawn,
  { covers }: PictureColours,
  { width, height }: { width: number; height: number },
): string {
  const drawing = number === null ? coverPattern(id, covers) : chosenPattern(number, covers);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${PATTERN.width} ${PATTERN.height}" preserveAspectRatio="xMidYMid slice">${drawing}</svg>`
  );
}

/** What is behind the words without a picture; the community itself has its own ground. */
function groundOf(drawn: Drawn | null, colours: PictureColours): string {
  const { width, height } = SHARE_PICTURE;
  if (drawn !== null) return drawnCover(drawn, colours, SHARE_PICTURE);
  const { deep, deepFirst, deepSecond } = colours;
  return (
    `<rect width="${width}" height="${height}" fill="${deep}"/>` +
    `<circle cx="${width - 150}" cy="60" r="250" fill="${deepFirst}"/>` +
    `<circle cx="${width}" cy="330" r="250" fill="${deepSecond}"/>`
  );
}

/** The words over a shade, which makes them readable on the cover, or on what stands for it. */
export function shareOverlay(
  { title, when, community, font = null }: ShareWords,
  { drawn, hasCover, colours }: ShareGround,
): string {
  const { width, height } = SHARE_PICTURE;
  const inside = width - 2 * MARGIN;
  const fitsIn = (face: Face) => (text: string) => widthOf(text, face) <= inside;
  const bottom = height - MARGIN;
  const small = (words: string, y: number) => {
    const { text, face } = written(words, { font, weight: 600, size: SMALL });
    return outline(cut(text, fitsIn(face)), face, y);
  };
  const { text, face } = written(title, { font, weight: 700, size: TITLE.size });
  const titleLines = lines(text, TITLE.lines, fitsIn(face));
  const first = bottom - SMALL - 36 - (titleLines.length - 1) * TITLE.size * TITLE.leading;
  const words = [
    small(community, MARGIN + SMALL),
    ...titleLines.map((line, index) => outline(line, face, first + index * TITLE.size * TITLE.leading)),
    small(when, bottom),
  ];
  const stops =
    '<stop offset="0" stop-color="#000" stop-opacity=".55"/><stop offset=".35" stop-color="#000" stop-opacity=".3"/>' +
    '<stop offset="1" stop-color="#000" stop-opacity=".85"/>';
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<defs><linearGradient id="g" x1="0" y1="0" x2="0" y2="1">${stops}</linearGradient></defs>` +
    `${hasCover ? '' : groundOf(drawn, colours)}<rect width="${width}" height="${height}" fill="url(#g)"/>` +
    `<g fill="#fff">${words.join('')}</g></svg>`
  );
}

/** What is drawn over the cover: outlines, and words for which there are none. */
export const shareDrawing = (words: ShareWords, event: Parameters<typeof shareOverlay>[1]) => ({
  ...SHARE_PICTURE,
  overlay: shareOverlay(words, event),
  words: shareSetWords(words),
});

/** The picture of an event alone, for mails. */
export const squareDrawing = ({ drawn, hasCover, colours }: ShareGround & { drawn: Drawn }) => ({
  ...SQUARE_PICTURE,
  overlay: hasCover ? '' : drawnCover(drawn, colours, SQUARE_PICTURE),
  words: [],
});

/** A pattern as a file of its own. */
export const patternFile = (number: number, { covers }: PictureColours): string => {
  const { width, height } = PATTERN;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${2 * width}" height="${2 * height}" ` +
    `viewBox="0 0 ${width} ${height}">${chosenPattern(number, covers)}</svg>`
  );
};
