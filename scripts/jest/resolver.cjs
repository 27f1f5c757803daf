const fs = require('node:fs');
const path = require('node:path');

const NODE_MODULES = `${path.sep}node_modules${path.sep}`;
const BUNDLES = path.join(path.sep, '.nx', 'cache', 'libraries', path.sep);
const ONE = /^(react|react-dom|antd)($|\/)/;
const SOURCE = 'source';

const folder = process.env.MEETMARK_LIBRARIES;
const files = folder && JSON.parse(fs.readFileSync(path.join(folder, 'contents.json'), 'utf8')).files;
const isBundled = (file) => file.includes(BUNDLES);

/** Returns the path of a library that scripts/jest/libraries.mjs has bundled. */
function findBundled(request, { conditions = [] }) {
  const file = conditions.includes('browser') ? files?.[request] : undefined;
  return file && path.join(folder, file);
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
    const file = findBundled(request, options);
    if (file !== undefined) return file;
  } else if (options.conditions?.includes('browser') && ONE.test(request)) {
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
