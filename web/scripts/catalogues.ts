import MessageFormat from '@messageformat/core';
import { parse, type Select, type Token } from '@messageformat/parser';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';

/** Texts of one namespace in one language, in ICU MessageFormat. */
export type Texts = string | Texts[] | { [key: string]: Texts };
/** By namespace. */
export type Catalogue = Record<string, Texts>;

/** The language of the texts in the application itself; the others name what differs from it, or everything. */
export const DEFAULT_LOCALE = 'en-US';
/** Names the folders of the other languages. */
export const TRANSLATIONS = '.vite/translations.json';
const FOLDER = 'src/strings/catalogues';

/** The catalogues of `web`, by locale. */
export function readCatalogues(root: string): Record<string, Catalogue> {
  const folder = join(root, FOLDER);
  const read = (locale: string) =>
    readdirSync(join(folder, locale)).map((file): [string, Texts] => [
      basename(file, '.json'),
      JSON.parse(readFileSync(join(folder, locale, file), 'utf8')) as Texts,
    ]);
  return Object.fromEntries(readdirSync(folder).map((locale) => [locale, Object.fromEntries(read(locale))]));
}

/**
 * What is wrong with a catalogue beside the default's: keys that are missing or unknown, arguments that differ, messages that cannot
 * be read. A dialect of the default's language (en-GB) holds only what it says differently.
 */
export function faultsOf(
  locale: string,
  texts: Texts | undefined,
  own: Texts | undefined,
  path = '',
): string[] {
  const isDialect = locale !== DEFAULT_LOCALE && languageOf(locale) === languageOf(DEFAULT_LOCALE);
  if (texts === undefined) return isDialect ? [] : [`${locale}: ${path} is missing`];
  if (own === undefined) return [`${locale}: ${path} is not in ${DEFAULT_LOCALE}`];
  if (typeof texts === 'string' && typeof own === 'string') {
    try {
      new MessageFormat(locale).compile(texts);
      if (hasLooseBrace(parse(texts))) return [`${locale}: ${path} has a brace that nothing closes`];
      const [given, wanted] = [texts, own].map((text) => argumentsOf(parse(text)).toSorted().join(', '));
      return given === wanted ? [] : [`${locale}: ${path} has the arguments (${given}), not (${wanted})`];
    } catch (error) {
      return [`${locale}: ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`];
    }
  }
  if (typeof texts === 'string' || typeof own === 'string' || Array.isArray(texts) !== Array.isArray(own))
    return [`${locale}: ${path} is of another kind than in ${DEFAULT_LOCALE}`];
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

const languageOf = (locale: string) => locale.split('-')[0]!;

/** Every argument once, in the order in which a message names them. */
export function argumentsOf(tokens: Token[]): string[] {
  const found = tokens.flatMap((token): string[] => {
    if (!('arg' in token)) return [];
    const inner = 'cases' in token ? token.cases.flatMap((each) => argumentsOf(each.tokens)) : [];
    return [token.arg, ...inner];
  });
  return [...new Set(found)];
}

/** The parser takes a brace for text where no argument follows. */
const hasLooseBrace = (tokens: Token[]) =>
  tokens.some((token) => token.type === 'content' && /[{}]/.test(token.value));

/** Whether a language says 'one' of exactly 1, and 'other' of every other whole number. */
function countsFromOne(locale: string): boolean {
  const rules = new Intl.PluralRules(locale);
  return [...Array(1_000).keys()].every((count) => rules.select(count) === (count === 1 ? 'one' : 'other'));
}

/** An expression for texts: strings, and functions of their arguments for those that have some. */
export function compiled(texts: Texts, own: Texts, locale: string): string {
  if (Array.isArray(texts))
    return `[${texts.map((text, at) => compiled(text, (own as Texts[])[at]!, locale)).join(',')}]`;
  if (typeof texts !== 'string')
    return `{${Object.entries(texts)
      .map(([key, text]) => `${keyOf(key)}:${compiled(text, (own as Catalogue)[key]!, locale)}`)
      .join(',')}}`;
  const names = argumentsOf(parse(own as string));
  const parameters = new Map(names.map((name, at) => [name, String.fromCharCode(A + at)]));
  const written = expressionOf(parse(texts), parameters, locale);
  const listed = [...parameters.values()].join(',');
  return names.length === 0 ? written : `${names.length === 1 ? listed : `(${listed})`}=>${written}`;
}

const A = 'a'.charCodeAt(0);
const keyOf = (key: string) => (/^[a-z]\w*$/i.test(key) ? key : JSON.stringify(key));

/** An expression for what a message says. */
function expressionOf(
  tokens: Token[],
  parameters: Map<string, string>,
  locale: string,
  counted = '',
): string {
  const parts = tokens.map((token): string => {
    switch (token.type) {
      case 'content':
        return JSON.stringify(token.value);
      case 'octothorpe':
        return `Number(${counted}).toLocaleString(${JSON.stringify(locale)})`;
      case 'argument':
        return parameters.get(token.arg)!;
      case 'plural':
        return pluralOf(token, parameters, locale);
      default:
        throw new Error(`the catalogue’s compiler knows no ${token.type}`);
    }
  });
  // a number and a text make a text, two numbers their sum
  const isText = parts.slice(0, 2).some((part) => part.startsWith('"'));
  return [...(isText ? [] : ['""']), ...parts].join('+');
}

function pluralOf({ arg, cases }: Select, parameters: Map<string, string>, locale: string): string {
  const value = parameters.get(arg)!;
  const written = (tokens: Token[]) => expressionOf(tokens, parameters, locale, value);
  const exact = cases.filter(({ key }) => key.startsWith('='));
  const named = cases.filter(({ key }) => !key.startsWith('=') && key !== 'other');
  const other = written(cases.find(({ key }) => key === 'other')!.tokens);
  const isCase = (key: string) =>
    key === 'one' && countsFromOne(locale)
      ? `${value}==1`
      : `new Intl.PluralRules(${JSON.stringify(locale)}).select(${value})==${JSON.stringify(key)}`;
  const chosen = [
    ...exact.map(({ key, tokens }) => `${value}==${Number(key.slice(1))}?${written(tokens)}:`),
    ...named.map(({ key, tokens }) => `${isCase(key)}?${written(tokens)}:`),
  ];
  return `(${chosen.join('')}${other})`;
}

/** A dialect has the default's texts where it says the same. */
function completed(texts: Texts | undefined, own: Texts): Texts {
  if (texts === undefined) return own;
  if (typeof own === 'string' || Array.isArray(own)) return texts;
  return Object.fromEntries(
    Object.entries(own).map(([key, text]) => [key, completed((texts as Catalogue)[key], text)]),
  );
}

/** The component library's words, by our locale; its own are good for all English. */
const COMPONENT_WORDS: Partial<Record<string, string>> = { de: 'de_DE' };
/** Those of the components that are used, and say something. */
const USED = ['locale', 'global', 'Table', 'Modal', 'Empty'];

/** An expression for the component library's words. */
function componentWords(root: string, locale: string): string {
  const name = COMPONENT_WORDS[locale];
  if (name === undefined) return 'undefined';
  const words = createRequire(join(root, 'package.json'))(`antd/lib/locale/${name}`) as {
    default: Record<string, unknown>;
  };
  return `(${JSON.stringify(Object.fromEntries(USED.map((part) => [part, words.default[part]])))})`;
}

const REFUSALS = '/src/strings/refusals.ts';
/** The modules that a language replaces, beside the catalogues: they name what the default does without. */
const REPLACED: Record<string, string> = {
  '/src/strings/component-words.ts': 'componentWords',
  [REFUSALS]: 'refusals',
};
const MODULE = /\/src\/strings\/(?:catalogues\/en-US\/([\w-]+)\.json|([\w-]+)\.ts)$/;
/** Stands in the built files for what differs between languages. */
const PLACE = /\bTEXTS_OF\(["'`]([\w-]+)["'`]\)/g;

/** What a page is written in; `catalogues` reads it when a module is asked for. */
export interface Page {
  locale: string;
}

/** For a page that has all languages in it, and shows that of its document. */
export function cataloguesOfAll(): Plugin {
  let root = '';
  return {
    name: 'catalogues-of-all',
    enforce: 'pre',
    configResolved(config) {
      root = config.root;
    },
    load: {
      filter: { id: MODULE },
      handler(id) {
        const isRefusals = id.endsWith(REFUSALS);
        const namespace = isRefusals ? 'errors' : MODULE.exec(id)?.[1];
        if (namespace === undefined) return undefined;
        const all = readCatalogues(root);
        const own = all[DEFAULT_LOCALE]![namespace]!;
        const texts = Object.keys(all).map(
          (locale) =>
            `${JSON.stringify(locale)}:${compiled(completed(all[locale]?.[namespace], own), own, locale)}`,
        );
        const exported = isRefusals ? 'export const refusals =' : 'export default';
        const code = `const all={${texts.join(',')}};\n${exported} all[document.documentElement.lang]??all["${DEFAULT_LOCALE}"];`;
        return { code, moduleType: 'js' };
      },
    },
  };
}

/**
 * Compiles the catalogues, and fails the build when one has other keys or arguments than the default's. Each language has the files of
 * the application with its own texts in them: the default's in `assets/`, the others in the folders that `.vite/translations.json`
 * names, from which the gateway serves them.
 */
export function catalogues(page: Page = { locale: DEFAULT_LOCALE }): Plugin {
  let root = '';
  let isBuild = false;
  const all = () => readCatalogues(root);
  const expressions = (locale: string): Record<string, string> => {
    const own = all()[DEFAULT_LOCALE]!;
    const texts = completed(all()[locale], own) as Catalogue;
    const names = Object.keys(own).filter((name) => name !== 'errors');
    return {
      ...Object.fromEntries(names.map((name) => [name, `(${compiled(texts[name]!, own[name]!, locale)})`])),
      refusals: locale === DEFAULT_LOCALE ? '{}' : `(${JSON.stringify(texts.errors)})`,
      componentWords: componentWords(root, locale),
    };
  };
  return {
    name: 'catalogues',
    enforce: 'pre',
    configResolved(config) {
      root = config.root;
      isBuild = config.command === 'build';
    },
    buildStart() {
      const found = all();
      const faults = Object.entries(found).flatMap(([locale, texts]) =>
        faultsOf(locale, texts, found[DEFAULT_LOCALE]),
      );
      if (faults.length > 0) this.error(`catalogues:\n${faults.join('\n')}`);
    },
    load: {
      filter: { id: MODULE },
      handler(id) {
        const [, namespace] = MODULE.exec(id) ?? [];
        const [, replaced] = Object.entries(REPLACED).find(([file]) => id.endsWith(file)) ?? [];
        const name = namespace ?? replaced;
        if (name === undefined) return undefined;
        const code = isBuild ? `TEXTS_OF("${name}")` : expressions(page.locale)[name];
        const exported = namespace === undefined ? `export const ${name} =` : 'export default';
        return { code: `${exported} ${code};`, moduleType: 'js', moduleSideEffects: false };
      },
    },
    /** The name of a file changes with its texts. */
    augmentChunkHash: ({ moduleIds }) =>
      moduleIds.some((id) => MODULE.test(id)) ? JSON.stringify(all()) : undefined,
    generateBundle: {
      order: 'post', // after Vite has written the names of the files that a file asks for
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const templates = chunks.map(({ fileName, code }) => ({ fileName, code }));
        const folders: Record<string, string> = {};
        for (const locale of Object.keys(all())) {
          const texts = expressions(locale);
          const filled = (code: string) => code.replaceAll(PLACE, (_, name: string) => texts[name]!);
          if (locale === DEFAULT_LOCALE) {
            for (const chunk of chunks) chunk.code = filled(chunk.code);
            continue;
          }
          const hash = createHash('sha256');
          templates.forEach(({ fileName, code }) => hash.update(fileName).update(filled(code)));
          const folder = `assets/${locale}-${hash.digest('base64url').slice(0, 8)}`;
          folders[locale] = folder;
          for (const { fileName, code } of templates)
            this.emitFile({
              type: 'asset',
              fileName: inFolder(fileName, folder),
              source: templates.reduce(
                (source, { fileName: other }) => source.replaceAll(other, inFolder(other, folder)),
                filled(code),
              ),
            });
        }
        this.emitFile({ type: 'asset', fileName: TRANSLATIONS, source: JSON.stringify(folders) });
      },
    },
  };
}

/** The folders of the other languages in what was built, by locale. */
export const readFolders = async (built: string) =>
  JSON.parse(await readFile(join(built, TRANSLATIONS), 'utf8')) as Record<string, string>;

/** Where a file of the default is in another language. */
export const inFolder = (file: string, folder: string) => file.replace(/^assets/, folder);
