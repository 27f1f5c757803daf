import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { defineConfig } from 'rolldown';

/** Found by their path, or with a part that is no script. */
export const APART = new Set([
  'sharp',
  '@node-rs/argon2',
  'swagger-ui-dist',
  '@fontsource/figtree',
  '@fontsource/manrope',
  // not installed by npm start, which never comes to where it is wanted
  'testcontainers',
]);
export const packageOf = (id) => /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];
const LIBRARIES = 'libraries';

/**
 * What Nest's packages load by its name at run time becomes what the bundle has: a second copy of class-validator would validate nothing,
 * one of TypeORM know no entity.
 */
export const ownCopies = {
  name: 'own-copies',
  transform: {
    filter: { id: /node_modules\/@nestjs\/(typeorm|mapped-types)\//, code: /createRequire/ },
    handler: (code) => code.replace(/^const require = createRequire\(import\.meta\.url\);$/m, ''),
  },
};

/** What swc says about our own lines, so that a stack trace names them: of all but what is made of none of ours: the texts, and packages that are left out. */
const ourSources = {
  name: 'our-sources',
  load: {
    filter: { id: /^(?!.*(?:node_modules|left-out|contracts\/dist\/texts)).*\.js$/ },
    async handler(id) {
      const [code, map] = await Promise.all([readFile(id, 'utf8'), readFile(`${id}.map`, 'utf8')]);
      return { code, map: JSON.parse(map) };
    },
  },
  // that of the libraries would cost each process 20 MB and a tenth of a second
  generateBundle(_options, bundle) {
    delete bundle[`${LIBRARIES}.js.map`];
    const libraries = bundle[`${LIBRARIES}.js`];
    if (libraries === undefined) return;
    // one character above U+00FF, and V8 keeps two bytes for each
    libraries.code = libraries.code
      .replace(/\n\/\/# sourceMappingURL=.*$/, '')
      .replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  },
};

const server = {
  input: 'dist/main.js',
  output: { dir: 'dist/process', codeSplitting: { groups: [{ name: LIBRARIES, test: /node_modules/ }] } },
};
/** What only a first start or an update needs is in files of its own. As deep as what it is made of, which looks for files from where it lies. */
const supervisor = {
  input: ['dist/start/main.js', 'dist/start/prepare-community.js'],
  output: { dir: 'dist/start/process' },
};
const { input, output } = existsSync(server.input) ? server : supervisor;

/** A process with its libraries in few files: most of its start would be to find and open 2,000. */
export default defineConfig({
  input,
  platform: 'node',
  logLevel: 'warn',
  external: (id) => APART.has(packageOf(id)),
  plugins: [ownCopies, ourSources],
  // Nest asks for parts that are not there, and does without
  checks: { unresolvedImport: false },
  treeshake: false,
  output: {
    ...output,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    sourcemap: true,
    // Nest and TypeORM know classes by their names
    keepNames: true,
  },
});
