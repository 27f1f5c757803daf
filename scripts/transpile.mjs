// node <this file> [--bundle], in a package's folder: transpiles src/ to dist/ with source maps (.swcrc),
// then bundles with rolldown.config.mjs
import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';

const configFile = fileURLToPath(new URL('../.swcrc', import.meta.url));
const { exclude } = JSON.parse(await fs.readFile(configFile, 'utf8'));
const leftOut = exclude.map((expression) => new RegExp(expression));

async function transpile(file) {
  const target = path.join('dist', path.relative('src', file)).replace(/\.tsx?$/, '.js');
  const sourceFileName = path.relative(path.dirname(target), file);
  const { code, map } = await transformFile(file, { configFile, sourceFileName });
  await fs.mkdir(path.dirname(target), { recursive: true });
  await fs.writeFile(target, `${code}\n//# sourceMappingURL=${path.basename(target)}.map`);
  await fs.writeFile(`${target}.map`, map);
}

const files = (await fs.readdir('src', { recursive: true })).map((file) => path.join('src', file));
const sources = files.filter((file) => /\.tsx?$/.test(file) && !leftOut.some((each) => each.test(file)));
await Promise.all(sources.map(transpile));

if (process.argv.includes('--bundle')) {
  const { rolldown } = await import('rolldown');
  const { default: config } = await import('../rolldown.config.mjs');
  await (await rolldown(config)).write(config.output);
}
