import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BASE, findFaults, buildModules, readCatalogues } from './catalogues.js';

// Compiles the catalogues. Run this file with node after transpiling.

const folder = fileURLToPath(new URL('texts', import.meta.url));
const all = readCatalogues();
const faults = Object.entries(all).flatMap(([locale, texts]) => findFaults(locale, texts, all[BASE]));
if (faults.length > 0) throw new Error(`texts:\n${faults.join('\n')}`);
const made = new Map(
  Object.entries(buildModules(all)).flatMap(([name, { code, types }]) => [
    [`${name}.js`, code],
    [`${name}.d.ts`, types],
  ]),
);
mkdirSync(folder, { recursive: true });
for (const file of readdirSync(folder)) if (!made.has(file)) rmSync(`${folder}/${file}`);
// Writing unchanged files would make Vite reload.
for (const [file, text] of made)
  if (!existsSync(`${folder}/${file}`) || readFileSync(`${folder}/${file}`, 'utf8') !== text)
    writeFileSync(`${folder}/${file}`, text);
