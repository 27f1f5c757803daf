const path = require('node:path');

const NODE_MODULES = `${path.sep}node_modules${path.sep}`;
/** Ours: the TypeScript behind a package of this workspace. */
const SOURCE = 'source';

/**
 * Our sources import './x.js' where './x.ts' stands. Installed packages are left alone, also by the condition `source`:
 * a few of them have one too, with code that Node cannot run.
 */
module.exports = function resolve(request, options) {
  const ours = !options.basedir.includes(NODE_MODULES);
  if (request.startsWith('.') && request.endsWith('.js') && ours) return withTypeScript(request, options);
  if (request.startsWith('@meetmark/')) return options.defaultResolver(request, options);
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
