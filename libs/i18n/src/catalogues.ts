import { parse, type Select, type Token } from '@messageformat/parser';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LOCALES } from './locales.js';

// Compiles the texts at build time (docs/adr/0011-texts-and-languages.md).

/** ICU MessageFormat. */
export type Texts = string | Texts[] | { [key: string]: Texts };
export type Catalogue = Record<string, Texts>;

export const DEFAULT_LOCALE = LOCALES[0];
/**
 * English texts of the specification, also used by the API. `en-US` and `de-x-du` contain only the texts that
 * differ.
 */
export const BASE = 'en';
/** Texts for operators and owners. Translations may omit them. */
const LEFT_TO_BASE = /^(setup|admin\.adminSystemText)(\.|$)/;
const FOLDER = fileURLToPath(new URL('../texts', import.meta.url));

export function readCatalogues(): Record<string, Catalogue> {
  const read = (locale: string) =>
    readdirSync(`${FOLDER}/${locale}`).map((file): [string, Texts] => [
      basename(file, '.json'),
      JSON.parse(readFileSync(`${FOLDER}/${locale}/${file}`, 'utf8')) as Texts,
    ]);
  return Object.fromEntries(readdirSync(FOLDER).map((locale) => [locale, Object.fromEntries(read(locale))]));
}

function getParent(locale: string): string | undefined {
  const [language, ...more] = locale.split('-');
  return more.length === 0 ? undefined : language;
}

export function resolveCatalogue(all: Record<string, Catalogue>, locale: string): Catalogue {
  const parent = locale === BASE ? undefined : (getParent(locale) ?? BASE);
  return (
    parent === undefined ? all[locale]! : completed(all[locale], resolveCatalogue(all, parent))
  ) as Catalogue;
}

/** `isFromOne` is true if 'one' means exactly 1, and 'other' means every other integer. */
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

const parseTokens = (message: string, locale: string) =>
  parse(message, { cardinal: countingIn(locale).pluralCategories });

export function findFaults(
  locale: string,
  texts: Texts | undefined,
  own: Texts | undefined,
  path = '',
): string[] {
  if (texts === undefined)
    return getParent(locale) !== undefined || LEFT_TO_BASE.test(path)
      ? []
      : [`${locale}: ${path} is missing`];
  if (own === undefined) return [`${locale}: ${path} is not in ${BASE}`];
  if (typeof texts === 'string' && typeof own === 'string') {
    try {
      compiled(texts, locale);
      if (hasLooseBrace(parseTokens(texts, locale)))
        return [`${locale}: ${path} has a brace that nothing closes`];
      const named = (tokens: Token[]) => listArguments(tokens).toSorted().join(', ');
      const [given, wanted] = [named(parseTokens(texts, locale)), named(parseTokens(own, BASE))];
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
    findFaults(
      locale,
      (texts as Catalogue)[key],
      (own as Catalogue)[key],
      path === '' ? key : `${path}.${key}`,
    ),
  );
}

/** Finds braces without an argument. The parser silently accepts them as text. */
const hasLooseBrace = (tokens: Token[]) =>
  tokens.some((token) => token.type === 'content' && /[{}]/.test(token.value));

const listArguments = (tokens: Token[]): string[] => [
  ...new Set(
    tokens.flatMap((token) => {
      const inner = 'cases' in token ? token.cases.flatMap((each) => listArguments(each.tokens)) : [];
      return 'arg' in token ? [token.arg, ...inner] : [];
    }),
  ),
];

const formatKey = (key: string) => (/^[a-z]\w*$/i.test(key) ? key : JSON.stringify(key));
const formatEntries = (texts: Catalogue, write: (text: Texts) => string, between: string) =>
  `{${Object.entries(texts)
    .map(([key, text]) => `${formatKey(key)}:${write(text)}`)
    .join(between)}}`;

function declared(texts: Texts): string {
  if (Array.isArray(texts)) return `(${[...new Set(texts.map(declared))].join(' | ')})[]`;
  if (typeof texts !== 'string') return formatEntries(texts, declared, ';\n');
  const types = listArguments(parseTokens(texts, BASE)).map((name) => `${name}: string | number`);
  return types.length === 0 ? 'string' : `(values: { ${types.join('; ')} }) => string`;
}

type Reading = (name: string) => string;
const VALUES = 'a';
const readPlainly: Reading = (name) => `${VALUES}.${name}`;

export function compiled(texts: Texts, locale: string, reading = readPlainly): string {
  if (Array.isArray(texts)) return `[${texts.map((text) => compiled(text, locale, reading)).join(',')}]`;
  if (typeof texts !== 'string') return formatEntries(texts, (text) => compiled(text, locale, reading), ',');
  const tokens = parseTokens(texts, locale);
  const written = buildExpression(tokens, locale, reading);
  return listArguments(tokens).length === 0 ? written : `${VALUES}=>${written}`;
}

function buildExpression(tokens: Token[], locale: string, reading: Reading, counted = ''): string {
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
        return buildChoice(token, locale, reading);
      default:
        throw new Error(`the catalogue’s compiler knows no ${token.type}`);
    }
  });
  // If neither of the first two parts is a string, + could add numbers.
  const isText = parts.slice(0, 2).some((part) => part.startsWith('"'));
  return [...(isText ? [] : ['""']), ...parts].join('+');
}

function buildChoice({ type, arg, cases }: Select, locale: string, reading: Reading): string {
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
  const written = (tokens: Token[]) => buildExpression(tokens, locale, reading, value);
  const named = cases.filter((each) => each !== other);
  // Exact numbers (=0) take precedence over plural categories.
  const inOrder = [...named.filter(({ key }) => isExact(key)), ...named.filter(({ key }) => !isExact(key))];
  const chosen = inOrder.map(({ key, tokens }) => `${isCase(key)}?${written(tokens)}:`);
  return `(${chosen.join('')}${written(other.tokens)})`;
}

function completed(texts: Texts | undefined, own: Texts): Texts {
  if (texts === undefined) return own;
  if (typeof own === 'string' || Array.isArray(own)) return texts;
  return Object.fromEntries(
    Object.entries(own).map(([key, text]) => [key, completed((texts as Catalogue)[key], text)]),
  );
}

/** Error messages. The API uses the base texts. Pages load a translation when they show their first error. */
export const REFUSALS = 'errors';
const OF_SERVERS = ['mail-frame', 'mails'];
/** Throws if a value is missing, because no email is better than an email with a gap. */
const READ_SURELY = `const given = (name, value) => {
  if (value === undefined) throw new Error('a text has no ' + name);
  return value;
};`;
const readSurely: Reading = (name) => `given("${name}",${readPlainly(name)})`;

/**
 * Modules for screens contain the base texts, which the web build replaces for each language. Modules for
 * servers contain all languages.
 */
export function buildModules(
  all: Record<string, Catalogue>,
): Record<string, { code: string; types: string }> {
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
          `${JSON.stringify(locale)}: ${compiled(resolveCatalogue(all, locale)[name]!, locale, readSurely)}`,
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
