import { resolveCatalogue, readCatalogues, type Texts } from '@meetmark/i18n/catalogues';
import { LOCALES, type ProductLocale } from '@meetmark/i18n/locales';

/** Frequent words of each language that don't exist in the other languages. */
const WORDS = {
  en: 'the your with this that from please been cannot and you are were their have',
  de: 'nicht und ist eine einen wird werden für mit bitte sich auf dem zum zur wurde kein Veranstaltung',
  fr: 'vous votre vos est une pour avec cette dans sur nous événement',
  es: 'una con para está por este esta puedes tu evento',
  nl: 'het een voor niet naar bij wordt deze geen zijn evenement',
} satisfies Record<string, string>;

const getLanguage = (locale: string) => locale.split('-')[0]!;

const matchWords = (words: string) => new RegExp(`(?<![\\p{L}\\p{N}-])(${words})(?![\\p{L}\\p{N}-])`, 'giu');

export function foreignWordsIn(text: string, locale: ProductLocale): string[] {
  const others = Object.entries(WORDS).filter(([language]) => language !== getLanguage(locale));
  return others.flatMap(([, words]) => text.match(matchWords(words.replaceAll(' ', '|'))) ?? []);
}

const WORD = /\p{L}[\p{L}\p{M}]+/gu;
/** Names of arguments, and keywords of ICU MessageFormat. */
const SYNTAX = /\{\w+(?=[,}])|\b(select|plural|one|other)(?=[,\s{])/g;

const listWords = (text: string) => text.toLowerCase().match(WORD) ?? [];
const wordsIn = (texts: Texts): string[] =>
  typeof texts === 'string'
    ? listWords(texts.replaceAll(SYNTAX, ''))
    : Object.values(texts).flatMap((each) => wordsIn(each as Texts));

/**
 * Returns a function that finds foreign words, such as those of an untranslated label. A word is foreign if
 * only the catalogues of other languages contain it.
 * @param more further texts in this language, outside of the catalogues
 */
export function strangersTo(locale: ProductLocale, more = ''): (text: string) => string[] {
  const all = readCatalogues();
  const language = getLanguage(locale);
  const own = new Set([
    ...wordsIn(language === 'en' ? resolveCatalogue(all, locale) : all[locale]!),
    ...listWords(more),
  ]);
  const others = Object.keys(WORDS)
    .filter((other) => other !== language)
    .map((other) => all[other]!);
  // Includes the other English variant, so that its spellings count as foreign too.
  const siblings = LOCALES.filter((other) => other !== locale && getLanguage(other) === language);
  const strange = new Set(
    [...others, ...siblings.map((other) => resolveCatalogue(all, other))]
      .flatMap((texts) => wordsIn(texts))
      .filter((word) => !own.has(word)),
  );
  return (text) => [...new Set(listWords(text).filter((word) => strange.has(word)))];
}

const BRITISH =
  /\w*(organis|recognis|customis|apologis|authoris|minimis|summaris)\w*|\w*(colour|favour|behaviour|neighbour|honour)\w*|cancell(ed|ing)|\bcentre\b|\bcatalogue\b|\bprogramme\b|\bgrey\b|travell(ed|ing)|\blicence\b|\bwhilst\b/gi;
const AMERICAN =
  /\w*(organiz|recogniz|customiz|apologiz|authoriz(?!ed\b)|minimiz|summariz)\w*|\b\w*(color|favor|behavior|neighbor|honor)(s|ed|ing|ite|ites)?\b|cancel(ed|ing)\b|\bcenter\b|\bcatalog\b|\bgray\b|travel(ed|ing)\b/gi;

/** Returns words of an English text that have the other variant's spelling. */
export const misspeltIn = (text: string, locale: 'en-US' | 'en-GB') =>
  text.match(locale === 'en-US' ? BRITISH : AMERICAN) ?? [];
