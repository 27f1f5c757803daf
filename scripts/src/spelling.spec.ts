import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCatalogues, type Texts } from '@meetmark/contracts/catalogues';
import german from 'dictionary-de';
import american from 'dictionary-en';
import british from 'dictionary-en-gb';
import nspell from 'nspell';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const words = (file: Uint8Array) => new TextDecoder().decode(file);
const spelling = ({ aff, dic }: Record<'aff' | 'dic', Uint8Array>, left = /(?!)/g) =>
  nspell(words(aff), words(dic).replaceAll(left, ''));
/** The German entries that stand within compounds only: the library takes them for all there is of their word. */
const PARTS = /^.+\/.*o.*$/gm;
const DICTIONARIES = { en: [spelling(american), spelling(british)], de: [spelling(german, PARTS)] };

const textsOf = (texts: Texts): string[] =>
  typeof texts === 'string' ? [texts] : Object.values(texts).flatMap(textsOf);

/** What belongs to the format of a text or of a page, addresses, and what is typed at a terminal. */
const NO_WORDS = [
  /^```[^]*?^```/gm,
  /`[^`]*`/g,
  /\{#[\w-]+\}/g,
  /\b(one|other|zero|host|link|code|true|false) ?\{/g,
  /\{\w+(, ?(plural|select|selectordinal),)?/g,
  /\]\([^)]*\)/g,
  /<[^>]+>/g,
  /#[0-9a-f]{6}\b/g,
  /https?:\S+|\S+@\S+|\S+\.(example|org|com|json|ics|csv|md)\b/g,
];

/** Each part of a word with hyphens is one. */
function wordsOf(text: string): string[] {
  const said = NO_WORDS.reduce((rest, pattern) => rest.replaceAll(pattern, ' '), text).replaceAll("''", '’');
  return [...said.matchAll(/\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)*/gu)].map(([word]) => word.replaceAll('’', "'"));
}

/** The files of the handbook in a language. */
const handbook = (folder: string) =>
  readdirSync(path.join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => read(`${folder}/${file}`));

describe.each([
  ['en', ['en', 'en-US', 'en-GB'], 'docs/handbook'],
  ['de', ['de', 'de-x-du'], 'docs/handbook/de'],
] as const)('What people read in %s', (language, catalogues, folder) => {
  const all = readCatalogues();
  // at the beginning of a sentence any word has a capital
  const isKnown = (word: string) =>
    DICTIONARIES[language].some(
      (each) => each.correct(word) || each.correct(word[0]!.toLowerCase() + word.slice(1)),
    );
  const unknownIn = (texts: string[]) => [
    ...new Set(texts.flatMap(wordsOf).filter((word) => !isKnown(word))),
  ];

  it('is spelt as in its dictionary, but for words that are looked at one by one', () => {
    const texts = [...catalogues.flatMap((locale) => textsOf(all[locale]!)), ...handbook(folder)];
    const lookedAt = read(`scripts/words/${language}.txt`).trim().split('\n');
    expect(unknownIn(texts).toSorted()).toEqual(lookedAt);
  });

  it('shows what is not', () => {
    const wrong = {
      en: 'Pleese {count, plural, one {chooose} other {choose}} `wrogn`',
      de: 'Bitte wälen, veranstaltung',
    };
    expect(unknownIn([wrong[language]])).toEqual(
      { en: ['Pleese', 'chooose'], de: ['wälen', 'veranstaltung'] }[language],
    );
  });
});
