const path = require('node:path');

const NODE_MODULES = `${path.sep}node_modules${path.sep}`;
const SOURCE = 'source';

/**
 * Resolves './x.js' to './x.ts' in our sources. Ignores the `source` condition of installed packages. In some
 * of them, this condition selects code that Node can't run.
 */
module.exports = function resolve(request, options) {
  const ours = !options.basedir.includes(NODE_MODULES);
  if (request.startsWith('.') && request.endsWith('.js') && ours) return withTypeScript(request, options);
  if (request.startsWith('@meetmark/')) return options.defaultResolver(request, options);
  const conditions = options.conditions?.filter((condition) => condition !== SOURCE);
  return options.defaultResolver(request, { ...options, conditions });
};

function withTypeScript(request, options) {
  for (const extension of ['.ts', '.js']) {
    try {
      return options.defaultResolver(request.slice(0, -'.js'.length) + extension, options);
    } catch (error) {
      if (extension === '.js') throw error;
    }
  }
}
