import { readFile } from 'node:fs/promises';
import { defineConfig } from 'rolldown';

/** Found by their path, with a part that is no script, or loaded by their name: a second copy would not know what the first is told. */
const APART = new Set([
  ...['sharp', '@node-rs/argon2', 'swagger-ui-dist', '@fontsource/figtree', '@fontsource/manrope'],
  ...['typeorm', 'pg', 'class-validator', 'class-transformer', 'reflect-metadata', 'tslib', 'debug', 'ms'],
]);
const packageOf = (id) => /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];
const LIBRARIES = 'libraries';

/** What swc says about our own lines, so that a stack trace names them. */
const ourSources = {
  name: 'our-sources',
  load: {
    filter: { id: /^(?!.*node_modules).*\.js$/ },
    async handler(id) {
      const [code, map] = await Promise.all([readFile(id, 'utf8'), readFile(`${id}.map`, 'utf8')]);
      return { code, map: JSON.parse(map) };
    },
  },
  // that of the libraries would cost each process 20 MB and a tenth of a second
  generateBundle(_options, bundle) {
    delete bundle[`${LIBRARIES}.js.map`];
    const libraries = bundle[`${LIBRARIES}.js`];
    libraries.code = libraries.code.replace(/\n\/\/# sourceMappingURL=.*$/, '');
  },
};

/** A server process with its libraries in few files: most of its start would be to find and open 2,000. */
export default defineConfig({
  input: 'dist/main.js',
  platform: 'node',
  logLevel: 'warn',
  external: (id) => APART.has(packageOf(id)),
  plugins: [ourSources],
  // Nest asks for parts that are not there, and does without
  checks: { unresolvedImport: false },
  treeshake: false,
  output: {
    dir: 'dist/process',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    sourcemap: true,
    // Nest and TypeORM know classes by their names
    keepNames: true,
    codeSplitting: { groups: [{ name: LIBRARIES, test: /node_modules/ }] },
  },
});
