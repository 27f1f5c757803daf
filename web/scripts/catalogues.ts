import MessageFormat from '@messageformat/core';
import compileModule from '@messageformat/core/lib/compile-module.js';
import { parse, type Token } from '@messageformat/parser';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Texts of one namespace in one language, in ICU MessageFormat. */
export type Texts = string | Texts[] | { [key: string]: Texts };
/** By namespace. */
export type Catalogue = Record<string, Texts>;

/** The language of the texts in the application itself; the others name what differs from it, or everything. */
export const DEFAULT_LOCALE = 'en-US';
/** Names the scripts of the other languages. */
export const TRANSLATIONS = '.vite/translations.json';
const FOLDER = 'src/strings/catalogues';
const FILE = /\/src\/strings\/catalogues\/[^/]+\/[^/]+\.json$/;

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
      const [given, wanted] = [texts, own].map((text) => argumentsOf(parse(text)).join(', '));
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

/** Every argument once, in alphabetical order. */
export function argumentsOf(tokens: Token[]): string[] {
  const found = tokens.flatMap((token): string[] => {
    if (!('arg' in token)) return [];
    const inner = 'cases' in token ? token.cases.flatMap((each) => argumentsOf(each.tokens)) : [];
    return [token.arg, ...inner];
  });
  return [...new Set(found)].toSorted();
}

/** The text of a message without arguments; null for one that has some. */
function plainText(message: string): string | null {
  const tokens = parse(message);
  return tokens.every((token) => token.type === 'content')
    ? tokens.map((token) => token.value).join('')
    : null;
}

/** The parser takes a brace for text where no argument follows. */
const hasLooseBrace = (tokens: Token[]) =>
  tokens.some((token) => token.type === 'content' && /[{}]/.test(token.value));

/** A module whose default export has texts as strings, and as functions where they have arguments. */
function compiledModule(texts: Texts, locale: string): string {
  const dynamic: Record<string, string> = {};
  const written = (text: Texts): string => {
    if (Array.isArray(text)) return `[${text.map(written).join(',')}]`;
    if (typeof text !== 'string')
      return `{${Object.entries(text)
        .map(([key, value]) => `${JSON.stringify(key)}:${written(value)}`)
        .join(',')}}`;
    const plain = plainText(text);
    if (plain !== null) return JSON.stringify(plain);
    const name = `m${Object.keys(dynamic).length}`;
    dynamic[name] = text;
    return `messages.${name}`;
  };
  const module = written(texts);
  const functions = compileModule(new MessageFormat(locale), dynamic).replace(
    'export default',
    'const messages =',
  );
  return `${functions}\nexport default ${module};`;
}

const ENTRY = 'virtual:translation';

/** The script of a language, which runs before the application: its texts, and the words of the component library. */
async function translationScript(
  root: string,
  locale: string,
  catalogue: Catalogue,
  componentWords?: string,
): Promise<string> {
  const components =
    componentWords === undefined
      ? 'const components = undefined;'
      : `import components from ${JSON.stringify(componentWords)};`;
  const code = `${components}\nimport texts from '${ENTRY}/texts';\nglobalThis.translation = { texts, components };`;
  // imported where it builds: it keeps a pipe open, which whoever only reads catalogues need not have
  const { build } = await import('vite');
  const made = await build({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [
      {
        name: 'translation',
        enforce: 'pre',
        resolveId: (id) => (id.startsWith(ENTRY) ? `\0${id}` : undefined),
        load(id) {
          if (id === `\0${ENTRY}`) return code;
          return id === `\0${ENTRY}/texts` ? compiledModule(catalogue, locale) : undefined;
        },
      },
    ],
    build: {
      target: 'es2022',
      write: false,
      copyPublicDir: false,
      modulePreload: false,
      rolldownOptions: { input: ENTRY, output: { format: 'iife' } },
    },
  });
  const [{ output }] = [made].flat() as { output: { code?: string }[] }[] as [{ output: [{ code: string }] }];
  return output[0].code;
}

/** The component library's words, by our locale. */
const COMPONENT_WORDS: Record<string, string> = {
  'en-GB': 'antd/es/locale/en_GB',
  de: 'antd/es/locale/de_DE',
};

/**
 * Compiles the catalogues, and fails the build when one has other keys or arguments than the default's. The default's texts are part of
 * the application; every other language is one script, named in `.vite/translations.json`, which the gateway puts before it.
 */
export function catalogues(): Plugin {
  let root = '';
  return {
    name: 'catalogues',
    enforce: 'pre',
    configResolved(config) {
      root = config.root;
    },
    buildStart() {
      const all = readCatalogues(root);
      const faults = Object.entries(all).flatMap(([locale, texts]) =>
        faultsOf(locale, texts, all[DEFAULT_LOCALE]),
      );
      if (faults.length > 0) this.error(`catalogues:\n${faults.join('\n')}`);
    },
    load: {
      filter: { id: FILE },
      handler: (id) => ({
        code: compiledModule(JSON.parse(readFileSync(id, 'utf8')) as Texts, basename(dirname(id))),
        moduleType: 'js',
      }),
    },
    async generateBundle() {
      const scripts: Record<string, string> = {};
      for (const [locale, texts] of Object.entries(readCatalogues(root))) {
        if (locale === DEFAULT_LOCALE) continue;
        const source = await translationScript(root, locale, texts, COMPONENT_WORDS[locale]);
        const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
        scripts[locale] = `assets/translation-${locale}-${hash}.js`;
        this.emitFile({ type: 'asset', fileName: scripts[locale], source });
      }
      this.emitFile({
        type: 'asset',
        fileName: TRANSLATIONS,
        source: JSON.stringify(scripts),
      });
    },
  };
}
