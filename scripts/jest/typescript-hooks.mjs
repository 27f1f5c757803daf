// Makes Node load our TypeScript sources. Also used by specs that start processes from source.
import { transform } from '@swc/core';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const swcrc = JSON.parse(readFileSync(new URL('../../.swcrc', import.meta.url), 'utf8'));
const server = { ...swcrc, $schema: undefined, exclude: undefined, swcrc: false, sourceMaps: 'inline' };
const web = {
  ...server,
  jsc: {
    ...swcrc.jsc,
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic' } },
  },
};

const JEST_GLOBALS = new URL('jest-globals.mjs', import.meta.url).href;
/** Style sheets are empty modules: a class is named like its property. */
const STYLES = 'export default new Proxy({}, { get: (_, name) => name });';

const isOurs = ({ parentURL = '' }) => !parentURL.includes('/node_modules/');

export async function resolve(specifier, context, nextResolve) {
  if (specifier === '@jest/globals') return { url: JEST_GLOBALS, shortCircuit: true };
  if (!isOurs(context)) return nextResolve(specifier, context);
  if (specifier.startsWith('.')) {
    const url = new URL(specifier, context.parentURL);
    const candidates = specifier.endsWith('.js')
      ? [url.href.replace(/\.js$/, '.ts'), url.href.replace(/\.js$/, '.tsx')]
      : [`${url.href}.ts`, `${url.href}.tsx`, `${url.href}/index.ts`];
    const source = candidates.find((candidate) => existsSync(new URL(candidate)));
    if (source !== undefined) return { url: source, shortCircuit: true };
  }
  // Some installed packages have a condition of this name that selects code that Node can't run.
  const conditions = specifier.startsWith('@meetmark/')
    ? ['source', ...context.conditions]
    : context.conditions;
  return nextResolve(specifier, { ...context, conditions });
}

export async function load(url, context, nextLoad) {
  const { pathname } = new URL(url);
  if (pathname.endsWith('.css')) return { format: 'module', source: STYLES, shortCircuit: true };
  if (!/\.tsx?$/.test(pathname) || pathname.includes('/node_modules/')) return nextLoad(url, context);
  const filename = fileURLToPath(url);
  const options = pathname.includes('/web/src/') ? web : server;
  const { code } = await transform(readFileSync(filename, 'utf8'), { ...options, filename });
  return { format: 'module', source: code, shortCircuit: true };
}
