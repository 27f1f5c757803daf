import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { defineConfig } from 'rolldown';

/** Packages that are not bundled, for example because they contain native code or are found by path. */
const APART = new Set([
  'sharp',
  '@node-rs/argon2',
  'swagger-ui-dist',
  // `npm start` neither installs nor uses this package.
  'testcontainers',
]);
const getPackage = (id) => /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];
const LIBRARIES = 'libraries';

/**
 * Nest's packages load some libraries by name at run time. This plugin makes Nest use the bundled copies. A
 * second copy of class-validator wouldn't know our rules. A second copy of TypeORM wouldn't know our
 * entities.
 */
const ownCopies = {
  name: 'own-copies',
  transform: {
    filter: { id: /node_modules\/@nestjs\/(typeorm|mapped-types)\//, code: /createRequire/ },
    handler: (code) => code.replace(/^const require = createRequire\(import\.meta\.url\);$/m, ''),
  },
};

/** Adds the source maps of our files, so that stack traces name lines of `src`. Libraries and generated texts have no maps. */
const ourSources = {
  name: 'our-sources',
  load: {
    filter: { id: /^(?!.*(?:node_modules|i18n\/dist\/texts)).*\.js$/ },
    async handler(id) {
      const [code, map] = await Promise.all([readFile(id, 'utf8'), readFile(`${id}.map`, 'utf8')]);
      return { code, map: JSON.parse(map) };
    },
  },
  // Removes the libraries' source map, which would cost each process 20 MB and a tenth of a second.
  generateBundle(_options, bundle) {
    delete bundle[`${LIBRARIES}.js.map`];
    const libraries = bundle[`${LIBRARIES}.js`];
    if (libraries === undefined) return;
    // Escape characters above U+00FF. A single one would make V8 store the file with two bytes per character.
    libraries.code = libraries.code
      .replace(/\n\/\/# sourceMappingURL=.*$/, '')
      .replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  },
};

const server = {
  input: 'dist/main.js',
  output: { dir: 'dist/process', codeSplitting: { groups: [{ name: LIBRARIES, test: /node_modules/ }] } },
};
/** The output folder is as deep as libs/testing/dist/embedded, because bundled code from there finds files by relative paths. */
const supervisor = {
  input: ['dist/start/main.js', 'dist/start/prepare-community.js'],
  output: { dir: 'dist/start/process' },
};
const { input, output } = existsSync(server.input) ? server : supervisor;

/**
 * Bundles a process and its libraries into few files. Opening 2,000 files would take most of the start-up
 * time.
 */
export default defineConfig({
  input,
  platform: 'node',
  logLevel: 'warn',
  external: (id) => APART.has(getPackage(id)),
  plugins: [ownCopies, ourSources],
  // Nest tries to import optional packages and works without them.
  checks: { unresolvedImport: false },
  treeshake: false,
  output: {
    ...output,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    sourcemap: true,
    // Nest and TypeORM identify classes by name.
    keepNames: true,
  },
});
