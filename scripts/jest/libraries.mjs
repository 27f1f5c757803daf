import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { APART, ownCopies, packageOf } from '../../rolldown.config.mjs';

/** What Jest itself brings, and what few specs load: programs, and what checks sources. */
const LEFT_AS_THEY_ARE = new Set([
  ...APART,
  '@jest/globals',
  '@sparticuz/chromium',
  'playwright-core',
  'typescript-api',
  'typescript-native',
  'vite',
]);

/** The sources of one kind of Jest's projects, and how what they import is bundled. */
const SETS = {
  // as the processes have them
  server: {
    folders: ['gateway', 'services', 'libs'],
    options: { platform: 'node', plugins: [ownCopies] },
  },
  browser: {
    folders: ['web'],
    options: { platform: 'browser', transform: { define: { 'process.env.NODE_ENV': '"test"' } } },
  },
};

const IMPORT = /(?:\bfrom|^import|\bimport\()\s*'([^'.:][^':]*)'/gm;

function* sourcesIn(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const inside = path.join(folder, entry.name);
    if (entry.isDirectory() && !['node_modules', 'dist'].includes(entry.name)) yield* sourcesIn(inside);
    else if (/\.tsx?$/.test(entry.name)) yield inside;
  }
}

/** Names of the libraries, and of parts of them, that these sources import: those of which every package of ours has the same version. */
function importedBy(root, folders) {
  // what the compiler imports for elements
  const names = new Set(folders.includes('web') ? ['react/jsx-runtime'] : []);
  for (const file of folders.flatMap((folder) => [...sourcesIn(path.join(root, folder))]))
    for (const [, name] of fs.readFileSync(file, 'utf8').matchAll(IMPORT)) names.add(name);
  const own = [...folders, ...ours(root, 'services'), ...ours(root, 'libs')];
  const isIn = (folder, name) => fs.existsSync(path.join(root, folder, 'node_modules', packageOf(name)));
  return [...names]
    .filter((name) => !name.startsWith('@meetmark/') && !LEFT_AS_THEY_ARE.has(packageOf(name)))
    .filter((name) => isIn('.', name) && !own.some((folder) => isIn(folder, name)))
    .sort();
}

const ours = (root, folder) => fs.readdirSync(path.join(root, folder)).map((name) => path.join(folder, name));

/** What tells of a bundle whether it is still right: the libraries, the parts of them, how they are bundled, and for which Node. */
function keyOf(root, names) {
  const whole = createHash('sha256').update(`${process.version} ${names}`);
  for (const file of ['package-lock.json', 'rolldown.config.mjs', 'scripts/jest/libraries.mjs'])
    whole.update(fs.readFileSync(path.join(root, file)));
  return whole.digest('hex').slice(0, 16);
}

/**
 * Writes a file that exports each part of a bundled CommonJS module by its name, and returns the file's name: the bundle has one default
 * export, and our sources import the parts by name, as Node allows.
 */
async function withNames(folder, file) {
  const { default: parts } = await import(pathToFileURL(path.join(folder, file)));
  const names = Object.keys(parts).filter((name) => name !== 'default' && /^[\w$]+$/.test(name));
  const named = file.replace(/mjs$/, 'named.mjs');
  const code = `import whole from './${file}';
export default whole;
${names.map((name, at) => `const part${at} = whole.${name};`).join('\n')}
export { ${names.map((name, at) => `part${at} as ${name}`).join(', ')} };
`;
  fs.writeFileSync(path.join(folder, named), code);
  return named;
}

async function bundle(root, names, options, folder) {
  const fileOf = (name) => `${name.replace(/[^\w.-]/g, '_')}.mjs`;
  const build = await rolldown({
    input: Object.fromEntries(names.map((name) => [fileOf(name), name])),
    cwd: root,
    logLevel: 'silent',
    external: (id) => LEFT_AS_THEY_ARE.has(packageOf(id)),
    checks: { unresolvedImport: false },
    treeshake: false,
    ...options,
  });
  const { output } = await build.write({
    dir: folder,
    entryFileNames: '[name]',
    chunkFileNames: 'part-[hash].mjs',
    keepNames: true,
    // half of what Jest does with such a file is to read through it
    minify: { compress: false, mangle: false },
  });
  await build.close();
  const files = Object.fromEntries(names.map((name) => [name, fileOf(name)]));
  const isCommonJs = ({ isEntry, exports }) => isEntry && String(exports) === 'default';
  for (const { fileName } of output.filter(isCommonJs))
    files[names.find((name) => fileOf(name) === fileName)] = await withNames(folder, fileName);
  const modules = output.flatMap((chunk) => chunk.moduleIds ?? []).map((id) => path.relative(root, id));
  fs.writeFileSync(path.join(folder, 'contents.json'), JSON.stringify({ files, modules }));
}

/**
 * Bundles the libraries that the specs' sources import, unless that is done, for `resolver.cjs`: Jest loads them anew for each spec, and finding,
 * reading and linking 2,000 files would take longer than most tests. Answers with the folders by the condition of their projects.
 */
export function libraries(root) {
  const folders = {};
  for (const [set, { folders: sources }] of Object.entries(SETS)) {
    const names = importedBy(root, sources);
    const folder = path.join(root, '.nx/cache/libraries', `${set}-${keyOf(root, names)}`);
    if (!fs.existsSync(folder)) {
      // a process of its own: what it loads would stay in Jest's
      const { status } = spawnSync(process.execPath, [import.meta.filename, set, folder], {
        cwd: root,
        stdio: 'inherit',
      });
      if (status !== 0)
        throw new Error(`The libraries of ${sources.join(', ')} were not bundled (see above).`);
    }
    folders[set] = folder;
  }
  return folders;
}

if (process.argv[1] === import.meta.filename) {
  const [root, set, folder] = [process.cwd(), ...process.argv.slice(2)];
  const { folders, options } = SETS[set];
  const unfinished = `${folder}.${process.pid}`;
  await bundle(root, importedBy(root, folders), options, unfinished);
  // another may have been first
  if (fs.existsSync(folder)) fs.rmSync(unfinished, { recursive: true });
  else fs.renameSync(unfinished, folder);
  process.exit(); // some of the libraries keep a process alive
}
