import type { Handbook, HandbookLanguage, HandbookPage, HandbookSection } from '@meetmark/contracts/handbook';

/** Words with which a question is asked, and which say nothing about its answer. */
const ASKING: Record<HandbookLanguage, Set<string>> = {
  en: new Set(
    'a an and are can could do does for from how i in is it may me my of on or should the there to was we what when where which who why with you your'.split(
      ' ',
    ),
  ),
  de: new Set(
    'als am an auf aus bei das dass dem den der des die ein eine einem einen einer es für geht gibt habe haben ich ihr ihre im in ist kann können man mein meine meinem meinen meiner mich mir mit muss oder sich sie sind soll und von was wann warum wenn wer werden wie wir wird wo zu zum zur'.split(
      ' ',
    ),
  ),
};

const WORDS = /[\p{L}\p{N}]+/gu;
const wordsIn = (text: string) => text.match(WORDS) ?? [];

const withoutMarks = (word: string) =>
  word.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss');
const SPELT_OUT: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue' };
/** As one types it on a keyboard that has no such letters. */
const speltOut = (word: string) =>
  withoutMarks(
    word
      .toLowerCase()
      .normalize('NFC')
      .replaceAll(/[äöü]/g, (letter) => SPELT_OUT[letter]!),
  );

/** Endings such as that of a plural are at most this long, and what they end is at least so. */
const ENDING = 2;
const STEM = 4;

/** Whether a word of the text begins with the one that is looked for, or is it without its ending. */
function isMeant(word: string, sought: string): boolean {
  return [withoutMarks(word), speltOut(word)].some(
    (form) =>
      form.startsWith(sought) ||
      (form.length >= STEM && sought.startsWith(form) && sought.length - form.length <= ENDING),
  );
}

/** What a question looks for: its words that say something, or all of them where none does. */
export function soughtIn(question: string, language: HandbookLanguage): string[] {
  const words = [...new Set(wordsIn(question))].filter(({ length }) => length > 1);
  const telling = words.filter((word) => !ASKING[language].has(word.toLowerCase()));
  return (telling.length > 0 ? telling : words).map(withoutMarks);
}

/** A piece of a text, and whether it was looked for. */
interface Piece {
  words: string;
  isHit: boolean;
}

export function pieces(text: string, sought: string[]): Piece[] {
  const found: Piece[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    if (!sought.some((each) => isMeant(word, each))) continue;
    if (index > end) found.push({ words: text.slice(end, index), isHit: false });
    found.push({ words: word, isHit: true });
    end = index + word.length;
  }
  if (end < text.length) found.push({ words: text.slice(end), isHit: false });
  return found;
}

export interface Found {
  page: HandbookPage;
  section: HandbookSection;
  /** Those with what was looked for, or the first. */
  paragraphs: string[];
}

/** Of one result. */
const SHOWN_PARAGRAPHS = 2;
/** How much more a word says in a heading. */
const IN_HEADING = 3;

const paragraphsIn = (html: string) =>
  [...new DOMParser().parseFromString(html, 'text/html').querySelectorAll('p, li')].map(
    ({ textContent }) => textContent,
  );

/** Words in a heading with which it is meant, whatever else was asked. */
const TELLING_HEADING = 2;

/** The sections that have the most of what is looked for, and those that say it in their heading, which come first. */
export function searchHandbook({ pages }: Handbook, sought: string[]): Found[] {
  const all = pages.flatMap((page) =>
    page.sections.map((section) => {
      const paragraphs = paragraphsIn(section.html);
      const has = (text: string) => {
        const words = wordsIn(text);
        return sought.map((each) => words.some((word) => isMeant(word, each)));
      };
      const inHeading = has(section.title);
      const inText = has(paragraphs.join(' '));
      const hits = sought.filter((_, at) => inHeading[at] || inText[at]).length;
      const said = inHeading.filter(Boolean).length;
      const weight = hits + said * IN_HEADING;
      const telling = paragraphs.filter((text) => has(text).some(Boolean));
      const shown = (telling.length > 0 ? telling : paragraphs).slice(0, SHOWN_PARAGRAPHS);
      return { page, section, paragraphs: shown, hits, said, weight };
    }),
  );
  const most = Math.max(...all.map(({ hits }) => hits));
  if (most === 0) return [];
  return all
    .filter(({ hits, said }) => hits === most || said >= TELLING_HEADING)
    .toSorted((one, other) => other.weight - one.weight);
}
