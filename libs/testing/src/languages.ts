import { catalogueOf, readCatalogues, type Texts } from '@meetmark/contracts/catalogues';
import { LOCALES, type ProductLocale } from '@meetmark/contracts/locales';

/** Words that a language cannot do without, and that mean nothing in the others. */
const WORDS = {
  en: 'the your with this that from please been cannot and you are were their have',
  de: 'nicht und ist eine einen wird werden für mit bitte sich auf dem zum zur wurde kein Veranstaltung',
  fr: 'vous votre vos est une pour avec cette dans sur nous événement',
  es: 'una con para está por este esta puedes tu evento',
  nl: 'het een voor niet naar bij wordt deze geen zijn evenement',
} satisfies Record<string, string>;

const languageOf = (locale: string) => locale.split('-')[0]!;

const oneOf = (words: string) => new RegExp(`(?<![\\p{L}\\p{N}-])(${words})(?![\\p{L}\\p{N}-])`, 'giu');

/** The words in a text that are of another language than its own. */
export function foreignWordsIn(text: string, locale: ProductLocale): string[] {
  const others = Object.entries(WORDS).filter(([language]) => language !== languageOf(locale));
  return others.flatMap(([, words]) => text.match(oneOf(words.replaceAll(' ', '|'))) ?? []);
}

const WORD = /\p{L}[\p{L}\p{M}]+/gu;
/** Names of arguments, and what a message says of how it is put together. */
const SYNTAX = /\{\w+(?=[,}])|\b(select|plural|one|other)(?=[,\s{])/g;

const wordsOf = (text: string) => text.toLowerCase().match(WORD) ?? [];
const wordsIn = (texts: Texts): string[] =>
  typeof texts === 'string'
    ? wordsOf(texts.replaceAll(SYNTAX, ''))
    : Object.values(texts).flatMap((each) => wordsIn(each as Texts));

/**
 * Finds the words in a text that stand in the product's texts of another language and never in those of its own: one untranslated label is
 * enough.
 * @param more texts in its own language that stand in no catalogue
 */
export function strangersTo(locale: ProductLocale, more = ''): (text: string) => string[] {
  const all = readCatalogues();
  const language = languageOf(locale);
  const own = new Set([
    ...wordsIn(language === 'en' ? catalogueOf(all, locale) : all[locale]!),
    ...wordsOf(more),
  ]);
  const others = Object.keys(WORDS)
    .filter((other) => other !== language)
    .map((other) => all[other]!);
  // English has two: what each says in its own way
  const siblings = LOCALES.filter((other) => other !== locale && languageOf(other) === language);
  const strange = new Set(
    [...others, ...siblings.map((other) => catalogueOf(all, other))]
      .flatMap((texts) => wordsIn(texts))
      .filter((word) => !own.has(word)),
  );
  return (text) => [...new Set(wordsOf(text).filter((word) => strange.has(word)))];
}

const BRITISH =
  /\w*(organis|recognis|customis|apologis|authoris|minimis|summaris)\w*|\w*(colour|favour|behaviour|neighbour|honour)\w*|cancell(ed|ing)|\bcentre\b|\bcatalogue\b|\bprogramme\b|\bgrey\b|travell(ed|ing)|\blicence\b|\bwhilst\b/gi;
const AMERICAN =
  /\w*(organiz|recogniz|customiz|apologiz|authoriz(?!ed\b)|minimiz|summariz)\w*|\b\w*(color|favor|behavior|neighbor|honor)(s|ed|ing|ite|ites)?\b|cancel(ed|ing)\b|\bcenter\b|\bcatalog\b|\bgray\b|travel(ed|ing)\b/gi;

/** The words in an English text that are spelt as on the other side of the ocean. */
export const misspeltIn = (text: string, locale: 'en-US' | 'en-GB') =>
  text.match(locale === 'en-US' ? BRITISH : AMERICAN) ?? [];
