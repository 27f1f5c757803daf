const path = require('node:path');

/** Our sources import './x.js' where './x.ts' stands; installed packages are left alone. */
module.exports = function resolve(request, options) {
  const ours =
    request.startsWith('.') &&
    request.endsWith('.js') &&
    !options.basedir.includes(`${path.sep}node_modules${path.sep}`);
  if (!ours) return options.defaultResolver(request, options);
  for (const extension of ['.ts', '.tsx', '.js']) {
    try {
      return options.defaultResolver(request.slice(0, -'.js'.length) + extension, options);
    } catch (error) {
      if (extension === '.js') throw error;
    }
  }
};
