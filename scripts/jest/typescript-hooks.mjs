// Makes Node load our TypeScript sources, in specs and in processes that specs start.
import { transform } from '@swc/core';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const swcrc = JSON.parse(readFileSync(new URL('../../.swcrc', import.meta.url), 'utf8'));
const options = { ...swcrc, $schema: undefined, exclude: undefined, swcrc: false, sourceMaps: 'inline' };
const withReact = {
  ...options,
  jsc: {
    ...swcrc.jsc,
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic' } },
    experimental: { keepImportAttributes: true },
  },
};

const JEST_GLOBALS = new URL('jest-globals.mjs', import.meta.url).href;

export async function resolve(specifier, context, nextResolve) {
  if (specifier === '@jest/globals') return { url: JEST_GLOBALS, shortCircuit: true };
  const source = specifier.startsWith('.') && findSource(specifier, context.parentURL);
  if (source) return { url: source.href, shortCircuit: true };
  // Some installed packages have a condition of this name that selects code that Node can't run.
  const isOurs = specifier.startsWith('@meetmark/');
  const conditions = isOurs ? ['source', ...context.conditions] : context.conditions;
  return nextResolve(specifier, { ...context, conditions });
}

/** Returns the URL of the TypeScript file that an import such as './x.js' or, in `web`, './x' means. */
function findSource(specifier, parent) {
  const name = specifier.replace(/\.js$/, '');
  return ['.ts', '.tsx']
    .map((extension) => new URL(`${name}${extension}`, parent))
    .find((url) => url.protocol === 'file:' && existsSync(url));
}

export async function load(url, context, nextLoad) {
  const { pathname } = new URL(url);
  if (!url.startsWith('file:')) return nextLoad(url, context);
  // Components read their class names from style sheets. Specs need no class names.
  if (pathname.endsWith('.css'))
    return { format: 'module', source: 'export default {};', shortCircuit: true };
  if (!/\.tsx?$/.test(pathname)) return nextLoad(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(readFileSync(filename, 'utf8'), {
    ...(filename.endsWith('x') ? withReact : options),
    filename,
  });
  return { format: 'module', source: code, shortCircuit: true };
}
