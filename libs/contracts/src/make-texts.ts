import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BASE, faultsOf, modulesOf, readCatalogues } from './catalogues.js';

// node <this file>, once it is transpiled: compiles the catalogues to what @meetmark/contracts/texts/<namespace> is.

const folder = fileURLToPath(new URL('texts', import.meta.url));
const all = readCatalogues();
const faults = Object.entries(all).flatMap(([locale, texts]) => faultsOf(locale, texts, all[BASE]));
if (faults.length > 0) throw new Error(`texts:\n${faults.join('\n')}`);
const made = new Map(
  Object.entries(modulesOf(all)).flatMap(([name, { code, types }]) => [
    [`${name}.js`, code],
    [`${name}.d.ts`, types],
  ]),
);
mkdirSync(folder, { recursive: true });
for (const file of readdirSync(folder)) if (!made.has(file)) rmSync(`${folder}/${file}`);
// what is as before stays: Vite has nothing to load anew
for (const [file, text] of made)
  if (!existsSync(`${folder}/${file}`) || readFileSync(`${folder}/${file}`, 'utf8') !== text)
    writeFileSync(`${folder}/${file}`, text);
