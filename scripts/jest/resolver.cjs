const fs = require('node:fs');
const path = require('node:path');

const NODE_MODULES = `${path.sep}node_modules${path.sep}`;
const BUNDLES = path.join(path.sep, '.nx', 'cache', 'libraries', path.sep);
const ONE =
  /^(@nestjs\/|(class-transformer|class-validator|reflect-metadata|typeorm|rxjs|react|react-dom|antd)($|\/))/;
const SOURCE = 'source';

const folders = JSON.parse(process.env.MEETMARK_LIBRARIES ?? '{}');
const contents = Object.fromEntries(
  Object.entries(folders).map(([set, folder]) => [
    set,
    JSON.parse(fs.readFileSync(path.join(folder, 'contents.json'), 'utf8')).files,
  ]),
);
const isBundled = (folder) => folder.includes(BUNDLES);

/** Returns the path of a library that scripts/jest/libraries.mjs has bundled. */
function bundled(request, { conditions = [] }) {
  const set = conditions.includes('browser') ? 'browser' : 'server';
  const file = contents[set]?.[request];
  return file && path.join(folders[set], file);
}

/**
 * Resolves './x.js' to './x.ts' in our sources. Ignores the `source` condition of installed packages. In some
 * of them, this condition selects code that Node can't run.
 */
module.exports = function resolve(request, options) {
  const ours = !options.basedir.includes(NODE_MODULES);
  if (request.startsWith('.') && request.endsWith('.js') && ours) return withTypeScript(request, options);
  if (request.startsWith('@meetmark/')) return options.defaultResolver(request, options);
  if (ours && !isBundled(options.basedir)) {
    const file = bundled(request, options);
    if (file !== undefined) return file;
  } else if (ONE.test(request)) {
    throw new Error(`${options.basedir} would load a second ${request}`);
  }
  const conditions = options.conditions?.filter((condition) => condition !== SOURCE);
  return options.defaultResolver(request, { ...options, conditions });
};

function withTypeScript(request, options) {
  for (const extension of ['.ts', '.tsx', '.js']) {
    try {
      return options.defaultResolver(request.slice(0, -'.js'.length) + extension, options);
    } catch (error) {
      if (extension === '.js') throw error;
    }
  }
}
