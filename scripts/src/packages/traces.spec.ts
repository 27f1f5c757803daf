import { readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getEntryPath } from '../stack/environment.js';
import { getFolder, PROCESSES } from '../stack/processes.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

it.each(PROCESSES)('source maps of the built process %s point to the original lines', (name) => {
  const folder = dirname(getEntryPath(ROOT, name));
  const thrown = readdirSync(folder)
    .filter((file) => file.endsWith('.js.map'))
    .flatMap((file) => {
      const map = new SourceMap(JSON.parse(readFileSync(join(folder, file), 'utf8')));
      const lines = readFileSync(join(folder, file.replace(/\.map$/, '')), 'utf8').split('\n');
      return lines.flatMap((text, line) => {
        const [, begins] = /\bthrow (new \w+\()/.exec(text) ?? [];
        if (begins === undefined) return [];
        const found = map.findEntry(line, text.indexOf(begins));
        if (!('originalSource' in found)) return [];
        return [{ begins, file: join(folder, found.originalSource), line: found.originalLine }];
      });
    })
    .filter(({ file }) => file.startsWith(join(ROOT, getFolder(name), 'src/')));
  expect(thrown).not.toEqual([]);
  for (const { begins, file, line } of thrown)
    expect(readFileSync(file, 'utf8').split('\n')[line]).toContain(begins);
});
