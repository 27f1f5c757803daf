import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { APART, getPackage } from '../../rolldown.config.mjs';

/** Packages that are not bundled: Jest's own libraries, and programs that few specs load. */
const LEFT_AS_THEY_ARE = new Set([
  ...APART,
  '@jest/globals',
  '@sparticuz/chromium',
  'playwright-core',
  'typescript-api',
  'typescript-native',
  'vite',
]);

const FOLDER = 'web';
const OPTIONS = { platform: 'browser', transform: { define: { 'process.env.NODE_ENV': '"test"' } } };

const IMPORT = /(?:\bfrom|^import|\bimport\()\s*'([^'.:][^':]*)'/gm;

function* sourcesIn(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const inside = path.join(folder, entry.name);
    if (entry.isDirectory() && !['node_modules', 'dist'].includes(entry.name)) yield* sourcesIn(inside);
    else if (/\.tsx?$/.test(entry.name)) yield inside;
  }
}

/**
 * Returns the library modules that the web application's sources import. Leaves out libraries installed in
 * several versions.
 */
function listImported(root) {
  // The compiler imports this module for JSX.
  const names = new Set(['react/jsx-runtime']);
  for (const file of sourcesIn(path.join(root, FOLDER)))
    for (const [, name] of fs.readFileSync(file, 'utf8').matchAll(IMPORT)) names.add(name);
  const isIn = (folder, name) => fs.existsSync(path.join(root, folder, 'node_modules', getPackage(name)));
  return [...names]
    .filter((name) => !name.startsWith('@meetmark/') && !LEFT_AS_THEY_ARE.has(getPackage(name)))
    .filter((name) => isIn('.', name) && !isIn(FOLDER, name))
    .sort();
}

function computeKey(root, names) {
  const whole = createHash('sha256').update(`${process.version} ${names}`);
  for (const file of ['package-lock.json', 'rolldown.config.mjs', 'scripts/jest/libraries.mjs'])
    whole.update(fs.readFileSync(path.join(root, file)));
  return whole.digest('hex').slice(0, 16);
}

/** Writes a module with the named exports that a bundled CommonJS module lacks. Returns its file name. */
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
  const toFileName = (name) => `${name.replace(/[^\w.-]/g, '_')}.mjs`;
  const build = await rolldown({
    input: Object.fromEntries(names.map((name) => [toFileName(name), name])),
    cwd: root,
    logLevel: 'silent',
    external: (id) => LEFT_AS_THEY_ARE.has(getPackage(id)),
    checks: { unresolvedImport: false },
    treeshake: false,
    ...options,
  });
  const { output } = await build.write({
    dir: folder,
    entryFileNames: '[name]',
    chunkFileNames: 'part-[hash].mjs',
    keepNames: true,
    // Halves the time that Jest needs to scan the file.
    minify: { compress: false, mangle: false },
  });
  await build.close();
  const files = Object.fromEntries(names.map((name) => [name, toFileName(name)]));
  const isCommonJs = ({ isEntry, exports }) => isEntry && String(exports) === 'default';
  for (const { fileName } of output.filter(isCommonJs))
    files[names.find((name) => toFileName(name) === fileName)] = await withNames(folder, fileName);
  const modules = output.flatMap((chunk) => chunk.moduleIds ?? []).map((id) => path.relative(root, id));
  fs.writeFileSync(path.join(folder, 'contents.json'), JSON.stringify({ files, modules }));
}

/**
 * Bundles the libraries of the web application for `resolver.cjs`, because linking 2,000 files for each spec
 * file takes longer than most of them. Reuses bundles of the same libraries and versions. Returns their folder.
 */
export function bundleLibraries(root) {
  const folder = path.join(root, '.nx/cache/libraries', computeKey(root, listImported(root)));
  if (fs.existsSync(folder)) return folder;
  // In a separate process, so that its memory is freed.
  const { status } = spawnSync(process.execPath, [import.meta.filename, folder], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The libraries of the web application were not bundled (see above).');
  return folder;
}

if (process.argv[1] === import.meta.filename) {
  const [root, folder] = [process.cwd(), process.argv[2]];
  const unfinished = `${folder}.${process.pid}`;
  await bundle(root, listImported(root), OPTIONS, unfinished);
  if (fs.existsSync(folder)) fs.rmSync(unfinished, { recursive: true });
  else fs.renameSync(unfinished, folder);
  process.exit();
}
