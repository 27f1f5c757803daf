import {
  BASE,
  catalogueOf,
  compiled,
  DEFAULT_LOCALE,
  readCatalogues,
  REFUSALS,
  type Catalogue,
} from '@meetmark/contracts/catalogues';
import { TEXT_LOCALES } from '@meetmark/contracts/locales';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';

/** Names the folders of the other languages. */
export const TRANSLATIONS = '.vite/translations.json';
/** Names the files that all languages share. */
const WORDLESS = '.vite/wordless.json';

/** Those of the components that are used, and say something. */
const USED = ['locale', 'global', 'Table', 'Modal', 'Empty'];

/** An expression for the component library's words; its own are good for all English. */
function componentWords(root: string, locale: string): string {
  const { language, region } = new Intl.Locale(locale).maximize();
  if (language === BASE) return 'undefined';
  const name = `${language}_${region}`;
  const words = createRequire(join(root, 'package.json'))(`antd/lib/locale/${name}`) as {
    default: Record<string, unknown>;
  };
  return `(${JSON.stringify(Object.fromEntries(USED.map((part) => [part, words.default[part]])))})`;
}

/**
 * The modules that differ between languages: the texts of a namespace as @meetmark/contracts has them, and those that name what the
 * default does without.
 */
const MODULE = /\/contracts\/dist\/texts\/([\w-]+)\.js$|\/src\/strings\/(refusals|component-words)\.ts$/;
/** Stands in the built files for what differs between languages. */
const PLACE = /\bTEXTS_OF\(["'`]([\w-]+)["'`], ?["'`](\w+)["'`]\)/g;

/** Expressions for what the modules export, by their names. */
type Exported = Record<string, string>;

/** Of all modules in a language, by the names of their files. */
function exportedIn(all: Record<string, Catalogue>, locale: string, root: string): Record<string, Exported> {
  const { [REFUSALS]: refusals, ...texts } = catalogueOf(all, locale) as Record<string, Catalogue>;
  const own = all[BASE]![REFUSALS] as Catalogue;
  const otherwise = Object.entries(refusals!).filter(([code, sentence]) => sentence !== own[code]);
  const written = (groups: Catalogue) =>
    Object.entries(groups).map(([group, each]) => [group, `(${compiled(each, locale)})`]);
  return {
    ...Object.fromEntries(
      Object.entries(texts).map(([name, groups]) => [name, Object.fromEntries(written(groups)) as Exported]),
    ),
    refusals: { refusals: `(${JSON.stringify(Object.fromEntries(otherwise))})` },
    'component-words': { componentWords: componentWords(root, locale) },
  };
}

/** A module that exports for each name what `write` says. */
const moduleOf = (exported: Exported, write: (name: string) => string) => ({
  code: Object.keys(exported)
    .map((name) => `export const ${name} = ${write(name)};\n`)
    .join(''),
  moduleType: 'js' as const,
  moduleSideEffects: false,
});

/** The name of the module's file; undefined for one that is the same in all languages. */
function nameOf(id: string): string | undefined {
  const [, namespace, replaced] = MODULE.exec(id) ?? [];
  return namespace ?? replaced;
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
        const name = nameOf(id);
        if (name === undefined || name === 'component-words') return undefined;
        const all = readCatalogues();
        const inEach = TEXT_LOCALES.map((locale) => [locale, exportedIn(all, locale, root)[name]!] as const);
        return moduleOf(inEach[0]![1], (exported) => {
          const texts = inEach.map(([locale, each]) => `${JSON.stringify(locale)}:${each[exported]}`);
          return `(all=>all[document.documentElement.dataset.texts]??all[document.documentElement.lang]??all["${DEFAULT_LOCALE}"])({${texts.join(',')}})`;
        });
      },
    },
  };
}

/** The files without texts, which lead to none with texts either. */
function wordless(templates: { fileName: string; code: string }[]): string[] {
  const own = new Set<string>();
  for (let known = -1; known < own.size;) {
    known = own.size;
    for (const { fileName, code } of templates)
      if (code.match(PLACE) || [...own].some((other) => code.includes(basename(other)))) own.add(fileName);
  }
  return templates.map(({ fileName }) => fileName).filter((fileName) => !own.has(fileName));
}

/**
 * Puts the texts of its language into each page; in development those of the default. Each language has the files with its own texts in them, and those that lead to such a file: the
 * default's in `assets/`, the others in the folders that `.vite/translations.json` names. `.vite/wordless.json` names what all share. The gateway
 * serves a page with those of its language.
 */
export function catalogues(): Plugin {
  let root = '';
  let isBuild = false;
  /** By locale, for the whole of a build. */
  const kept: Record<string, Record<string, Exported>> = {};
  const textsOf = (locale: string) => (kept[locale] ??= exportedIn(readCatalogues(), locale, root));
  return {
    name: 'catalogues',
    enforce: 'pre',
    configResolved(config) {
      root = config.root;
      isBuild = config.command === 'build';
    },
    load: {
      filter: { id: MODULE },
      handler(id) {
        const name = nameOf(id);
        if (name === undefined) return undefined;
        // in development they change
        if (!isBuild) delete kept[DEFAULT_LOCALE];
        const exported = textsOf(DEFAULT_LOCALE)[name]!;
        return moduleOf(exported, (each) =>
          isBuild ? `/*#__PURE__*/TEXTS_OF("${name}","${each}")` : exported[each]!,
        );
      },
    },
    /** The name of a file changes with its texts. */
    augmentChunkHash: ({ moduleIds }) =>
      moduleIds.some((id) => MODULE.test(id)) ? JSON.stringify(TEXT_LOCALES.map(textsOf)) : undefined,
    generateBundle: {
      order: 'post', // after Vite has written the names of the files that a file asks for
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const files = chunks.map(({ fileName, code }) => ({ fileName, code }));
        const shared = wordless(files);
        const templates = files.filter(({ fileName }) => !shared.includes(fileName));
        const folders: Record<string, string> = {};
        for (const locale of TEXT_LOCALES) {
          const texts = textsOf(locale);
          const filled = (code: string) =>
            code.replaceAll(PLACE, (_, name: string, each: string) => texts[name]![each]!);
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
              source: [
                ...templates.map(({ fileName: other }) => [other, inFolder(other, folder)] as const),
                ...shared.map((other) => [`./${basename(other)}`, `../${basename(other)}`] as const),
              ].reduce((source, [other, there]) => source.replaceAll(other, there), filled(code)),
            });
        }
        this.emitFile({ type: 'asset', fileName: TRANSLATIONS, source: JSON.stringify(folders) });
        this.emitFile({ type: 'asset', fileName: WORDLESS, source: JSON.stringify(shared) });
      },
    },
  };
}

/** The folders of the other languages in what was built, by locale. */
export const readFolders = async (built: string) =>
  JSON.parse(await readFile(join(built, TRANSLATIONS), 'utf8')) as Record<string, string>;

/** Where a file of the default that has texts is in another language. */
export const inFolder = (file: string, folder: string) => file.replace(/^assets/, folder);
