import { parse, type Select, type Token } from '@messageformat/parser';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LOCALES } from './locales.js';

// The one compiler of what people read (docs/adr/0011-texts-and-languages.md), for builds alone.

/** Texts of one namespace in one language, in ICU MessageFormat. */
export type Texts = string | Texts[] | { [key: string]: Texts };
/** By namespace, or by the name of a group in one. */
export type Catalogue = Record<string, Texts>;

/** The language of pages that have no other. */
export const DEFAULT_LOCALE = LOCALES[0];
/**
 * The texts as they are specified, and as the API says them: every other folder translates them. A folder whose tag begins with that of
 * another (`en-US`, `de-x-du`) holds only what it says differently.
 */
export const BASE = 'en';
/** What only those who run the community read: a language may leave it to the base. */
const LEFT_TO_BASE = /^(setup|admin\.adminSystemText)(\.|$)/;
const FOLDER = fileURLToPath(new URL('../texts', import.meta.url));

/** The catalogues, by locale: one folder each. */
export function readCatalogues(): Record<string, Catalogue> {
  const read = (locale: string) =>
    readdirSync(`${FOLDER}/${locale}`).map((file): [string, Texts] => [
      basename(file, '.json'),
      JSON.parse(readFileSync(`${FOLDER}/${locale}/${file}`, 'utf8')) as Texts,
    ]);
  return Object.fromEntries(readdirSync(FOLDER).map((locale) => [locale, Object.fromEntries(read(locale))]));
}

/** The folder whose texts hold where a folder says nothing; undefined: it says everything, but for what is left to the base. */
function parentOf(locale: string): string | undefined {
  const [language, ...more] = locale.split('-');
  return more.length === 0 ? undefined : language;
}

/** All texts of a language. */
export function catalogueOf(all: Record<string, Catalogue>, locale: string): Catalogue {
  const parent = locale === BASE ? undefined : (parentOf(locale) ?? BASE);
  return (
    parent === undefined ? all[locale]! : completed(all[locale], catalogueOf(all, parent))
  ) as Catalogue;
}

/** How a language counts: the cases of its numbers, and whether 'one' is exactly 1 and every other whole number 'other'. */
function countingIn(locale: string) {
  const known = COUNTING.get(locale);
  if (known !== undefined) return known;
  const rules = new Intl.PluralRules(locale);
  const isOneAlone = (count: number) => rules.select(count) === (count === 1 ? 'one' : 'other');
  const { pluralCategories } = rules.resolvedOptions();
  const counting = { pluralCategories, isFromOne: [...Array(1_000).keys()].every(isOneAlone) };
  COUNTING.set(locale, counting);
  return counting;
}
const COUNTING = new Map<string, { pluralCategories: Intl.LDMLPluralRule[]; isFromOne: boolean }>();

const tokensOf = (message: string, locale: string) =>
  parse(message, { cardinal: countingIn(locale).pluralCategories });

/**
 * What is wrong with a catalogue beside the base: keys that are missing or unknown, arguments that differ, messages that cannot be read.
 */
export function faultsOf(
  locale: string,
  texts: Texts | undefined,
  own: Texts | undefined,
  path = '',
): string[] {
  if (texts === undefined)
    return parentOf(locale) !== undefined || LEFT_TO_BASE.test(path) ? [] : [`${locale}: ${path} is missing`];
  if (own === undefined) return [`${locale}: ${path} is not in ${BASE}`];
  if (typeof texts === 'string' && typeof own === 'string') {
    try {
      compiled(texts, locale);
      if (hasLooseBrace(tokensOf(texts, locale)))
        return [`${locale}: ${path} has a brace that nothing closes`];
      const named = (tokens: Token[]) => argumentsOf(tokens).toSorted().join(', ');
      const [given, wanted] = [named(tokensOf(texts, locale)), named(tokensOf(own, BASE))];
      return given === wanted ? [] : [`${locale}: ${path} has the arguments (${given}), not (${wanted})`];
    } catch (error) {
      return [`${locale}: ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`];
    }
  }
  if (typeof texts === 'string' || typeof own === 'string' || Array.isArray(texts) !== Array.isArray(own))
    return [`${locale}: ${path} is of another kind than in ${BASE}`];
  if (Array.isArray(texts) && texts.length !== own.length)
    return [`${locale}: ${path} has ${texts.length} entries, not ${own.length}`];
  const keys = new Set([...Object.keys(own), ...Object.keys(texts)]);
  return [...keys].flatMap((key) =>
    faultsOf(
      locale,
      (texts as Catalogue)[key],
      (own as Catalogue)[key],
      path === '' ? key : `${path}.${key}`,
    ),
  );
}

/** The parser takes a brace for text where no argument follows. */
const hasLooseBrace = (tokens: Token[]) =>
  tokens.some((token) => token.type === 'content' && /[{}]/.test(token.value));

/** Every argument of a message once. */
const argumentsOf = (tokens: Token[]): string[] => [
  ...new Set(
    tokens.flatMap((token) => {
      const inner = 'cases' in token ? token.cases.flatMap((each) => argumentsOf(each.tokens)) : [];
      return 'arg' in token ? [token.arg, ...inner] : [];
    }),
  ),
];

const keyOf = (key: string) => (/^[a-z]\w*$/i.test(key) ? key : JSON.stringify(key));
const entriesOf = (texts: Catalogue, write: (text: Texts) => string, between: string) =>
  `{${Object.entries(texts)
    .map(([key, text]) => `${keyOf(key)}:${write(text)}`)
    .join(between)}}`;

/** The type of what `compiled` makes of texts. */
export function declared(texts: Texts): string {
  if (Array.isArray(texts)) return `(${[...new Set(texts.map(declared))].join(' | ')})[]`;
  if (typeof texts !== 'string') return entriesOf(texts, declared, ';\n');
  const types = argumentsOf(tokensOf(texts, BASE)).map((name) => `${name}: string | number`);
  return types.length === 0 ? 'string' : `(values: { ${types.join('; ')} }) => string`;
}

/** How a message reads the argument of a name. */
type Reading = (name: string) => string;
const VALUES = 'a';
const readPlainly: Reading = (name) => `${VALUES}.${name}`;

/** An expression for texts: strings, and functions of their arguments, by their names, for those that have some. */
export function compiled(texts: Texts, locale: string, reading = readPlainly): string {
  if (Array.isArray(texts)) return `[${texts.map((text) => compiled(text, locale, reading)).join(',')}]`;
  if (typeof texts !== 'string') return entriesOf(texts, (text) => compiled(text, locale, reading), ',');
  const tokens = tokensOf(texts, locale);
  const written = expressionOf(tokens, locale, reading);
  return argumentsOf(tokens).length === 0 ? written : `${VALUES}=>${written}`;
}

/** An expression for what a message says. */
function expressionOf(tokens: Token[], locale: string, reading: Reading, counted = ''): string {
  const parts = tokens.map((token): string => {
    switch (token.type) {
      case 'content':
        return JSON.stringify(token.value);
      case 'octothorpe':
        return `Number(${counted}).toLocaleString(${JSON.stringify(locale)})`;
      case 'argument':
        return reading(token.arg);
      case 'plural':
      case 'select':
        return choiceOf(token, locale, reading);
      default:
        throw new Error(`the catalogue’s compiler knows no ${token.type}`);
    }
  });
  // a number and a text make a text, two numbers their sum
  const isText = parts.slice(0, 2).some((part) => part.startsWith('"'));
  return [...(isText ? [] : ['""']), ...parts].join('+');
}

function choiceOf({ type, arg, cases }: Select, locale: string, reading: Reading): string {
  const value = reading(arg);
  const isExact = (key: string) => type === 'select' || key.startsWith('=');
  const isCase = (key: string) => {
    if (type === 'select') return `${value}==${JSON.stringify(key)}`;
    if (isExact(key)) return `${value}==${Number(key.slice(1))}`;
    if (key === 'one' && countingIn(locale).isFromOne) return `${value}==1`;
    return `new Intl.PluralRules(${JSON.stringify(locale)}).select(${value})==${JSON.stringify(key)}`;
  };
  const other = cases.find(({ key }) => key === 'other');
  if (other === undefined) throw new Error(`{${arg}} has no case for all other`);
  const written = (tokens: Token[]) => expressionOf(tokens, locale, reading, value);
  const named = cases.filter((each) => each !== other);
  // what is said of one number alone goes before what is said of all like it
  const inOrder = [...named.filter(({ key }) => isExact(key)), ...named.filter(({ key }) => !isExact(key))];
  const chosen = inOrder.map(({ key, tokens }) => `${isCase(key)}?${written(tokens)}:`);
  return `(${chosen.join('')}${written(other.tokens)})`;
}

/** A language has its parent's texts where it says the same. */
function completed(texts: Texts | undefined, own: Texts): Texts {
  if (texts === undefined) return own;
  if (typeof own === 'string' || Array.isArray(own)) return texts;
  return Object.fromEntries(
    Object.entries(own).map(([key, text]) => [key, completed((texts as Catalogue)[key], text)]),
  );
}

/** The sentences of refusals: the API says those of the base, and pages load what their language says otherwise with the first. */
export const REFUSALS = 'errors';
/** What servers write, each time in the language of its reader. */
const OF_SERVERS = ['mail-frame', 'mails'];
/** A mail without a word in the midst of a sentence is worse than none. */
const READ_SURELY = `const given = (name, value) => {
  if (value === undefined) throw new Error('a text has no ' + name);
  return value;
};`;
const readSurely: Reading = (name) => `given("${name}",${readPlainly(name)})`;

/**
 * A module for each namespace, and its types. That of a screen exports its groups of the base: the build of pages puts in those of each
 * page's language. That of servers exports all languages.
 */
export function modulesOf(all: Record<string, Catalogue>): Record<string, { code: string; types: string }> {
  const modules = Object.entries(all[BASE]!)
    .filter(([name]) => name !== REFUSALS)
    .map(([name, own]) => {
      const inEach = (texts: Record<string, string>) =>
        Object.entries(texts).map(([group, text]) => `export const ${group} = ${text};\n`);
      if (!OF_SERVERS.includes(name)) {
        const groups = Object.entries(own);
        const code = inEach(
          Object.fromEntries(groups.map(([group, texts]) => [group, compiled(texts, BASE)])),
        );
        const types = groups.map(([group, texts]) => `export declare const ${group}: ${declared(texts)};\n`);
        return [name, { code: code.join(''), types: types.join('') }] as const;
      }
      const known = Object.keys(all).filter((locale) => locale !== BASE);
      const languages = known.map(
        (locale) =>
          `${JSON.stringify(locale)}: ${compiled(catalogueOf(all, locale)[name]!, locale, readSurely)}`,
      );
      const locales = known.map((locale) => JSON.stringify(locale)).join(' | ');
      return [
        name,
        {
          code: `${READ_SURELY}\nexport const texts = {\n${languages.join(',\n')},\n};\n`,
          types: `export declare const texts: Record<${locales}, ${declared(own)}>;\n`,
        },
      ] as const;
    });
  return Object.fromEntries(modules);
}
