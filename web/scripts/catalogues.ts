import {
  BASE,
  resolveCatalogue,
  compiled,
  DEFAULT_LOCALE,
  readCatalogues,
  REFUSALS,
  type Catalogue,
} from '@meetmark/i18n/catalogues';
import { TEXT_LOCALES } from '@meetmark/i18n/locales';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';

export const TRANSLATIONS = '.vite/translations.json';
const WORDLESS = '.vite/wordless.json';

const USED = ['locale', 'global', 'Table', 'Modal', 'Empty'];

/** Returns code with antd's texts for a locale. English locales use antd's default texts. */
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
 * Modules whose code differs by language: the texts of @meetmark/i18n, and two modules that are empty in
 * the default language.
 */
const MODULE = /\/i18n\/dist\/texts\/([\w-]+)\.js$|\/src\/strings\/(refusals|component-words)\.ts$/;
/** Placeholder for language-specific code in built files. */
const PLACE = /\bTEXTS_OF\(["'`]([\w-]+)["'`], ?["'`](\w+)["'`]\)/g;

type Exported = Record<string, string>;

function exportedIn(all: Record<string, Catalogue>, locale: string, root: string): Record<string, Exported> {
  const { [REFUSALS]: refusals, ...texts } = resolveCatalogue(all, locale) as Record<string, Catalogue>;
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

const buildModule = (exported: Exported, write: (name: string) => string) => ({
  code: Object.keys(exported)
    .map((name) => `export const ${name} = ${write(name)};\n`)
    .join(''),
  moduleType: 'js' as const,
  moduleSideEffects: false,
});

function parseName(id: string): string | undefined {
  const [, namespace, replaced] = MODULE.exec(id) ?? [];
  return namespace ?? replaced;
}

/** Bundles the texts of all languages into a page, which uses those of its document's language. */
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
        const name = parseName(id);
        if (name === undefined || name === 'component-words') return undefined;
        const all = readCatalogues();
        const inEach = TEXT_LOCALES.map((locale) => [locale, exportedIn(all, locale, root)[name]!] as const);
        return buildModule(inEach[0]![1], (exported) => {
          const texts = inEach.map(([locale, each]) => `${JSON.stringify(locale)}:${each[exported]}`);
          return `(all=>all[document.documentElement.dataset.texts]??all[document.documentElement.lang]??all["${DEFAULT_LOCALE}"])({${texts.join(',')}})`;
        });
      },
    },
  };
}

/** Returns the files that neither contain texts nor import files that do. */
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
 * Builds one set of files per language: the default in `assets/`, others in the folders listed in
 * `.vite/translations.json`. Only files that contain or import texts differ; `.vite/wordless.json` lists the
 * shared ones. The gateway serves a page with its language's files.
 */
export function catalogues(): Plugin {
  let root = '';
  let isBuild = false;
  const kept: Record<string, Record<string, Exported>> = {};
  const getTexts = (locale: string) => (kept[locale] ??= exportedIn(readCatalogues(), locale, root));
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
        const name = parseName(id);
        if (name === undefined) return undefined;
        // in development, the texts may have changed
        if (!isBuild) delete kept[DEFAULT_LOCALE];
        const exported = getTexts(DEFAULT_LOCALE)[name]!;
        return buildModule(exported, (each) =>
          isBuild ? `/*#__PURE__*/TEXTS_OF("${name}","${each}")` : exported[each]!,
        );
      },
    },
    augmentChunkHash: ({ moduleIds }) =>
      moduleIds.some((id) => MODULE.test(id)) ? JSON.stringify(TEXT_LOCALES.map(getTexts)) : undefined,
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const files = chunks.map(({ fileName, code }) => ({ fileName, code }));
        const shared = wordless(files);
        const templates = files.filter(({ fileName }) => !shared.includes(fileName));
        const folders: Record<string, string> = {};
        for (const locale of TEXT_LOCALES) {
          const texts = getTexts(locale);
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

/** Returns the path of a default-language file in another language's folder. */
export const inFolder = (file: string, folder: string) => file.replace(/^assets/, folder);
