// Makes Node load our TypeScript sources, in specs and in processes that specs start.
import { transform } from '@swc/core';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const swcrc = JSON.parse(readFileSync(new URL('../../.swcrc', import.meta.url), 'utf8'));
const options = { ...swcrc, $schema: undefined, exclude: undefined, swcrc: false, sourceMaps: 'inline' };

const JEST_GLOBALS = new URL('jest-globals.mjs', import.meta.url).href;

export async function resolve(specifier, context, nextResolve) {
  if (specifier === '@jest/globals') return { url: JEST_GLOBALS, shortCircuit: true };
  const source = specifier.startsWith('.') && new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
  if (source && source.pathname.endsWith('.ts') && existsSync(source))
    return { url: source.href, shortCircuit: true };
  // Some installed packages have a condition of this name that selects code that Node can't run.
  const isOurs = specifier.startsWith('@meetmark/');
  const conditions = isOurs ? ['source', ...context.conditions] : context.conditions;
  return nextResolve(specifier, { ...context, conditions });
}

export async function load(url, context, nextLoad) {
  const { pathname } = new URL(url);
  if (!url.startsWith('file:') || !pathname.endsWith('.ts')) return nextLoad(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(readFileSync(filename, 'utf8'), { ...options, filename });
  return { format: 'module', source: code, shortCircuit: true };
}
