import { readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entryOf } from '../stack/environment.js';
import { folderOf, PROCESSES } from '../stack/processes.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Made by the build, of no source in a language that has lines to name. */
const MADE = join(ROOT, 'libs/contracts/dist/texts/');
const THROWN = /\bthrow (new \w+\()/;

/** Of each error that a bundle of the folder throws: how that begins, and where a stack trace says that it stands. */
function thrownIn(folder: string): { begins: string; file: string; line: number }[] {
  const maps = readdirSync(folder).filter((file) => file.endsWith('.js.map'));
  return maps.flatMap((file) => {
    const map = new SourceMap(JSON.parse(readFileSync(join(folder, file), 'utf8')));
    const lines = readFileSync(join(folder, file.replace(/\.map$/, '')), 'utf8').split('\n');
    return lines.flatMap((text, line) => {
      const [, begins] = THROWN.exec(text) ?? [];
      if (begins === undefined) return [];
      const found = map.findEntry(line, text.indexOf(begins));
      const isKnown = 'originalSource' in found;
      return [
        {
          begins,
          file: isKnown ? join(folder, found.originalSource) : '',
          line: isKnown ? found.originalLine : 0,
        },
      ];
    });
  });
}

it.each(PROCESSES)('a stack trace of the built process %s names the lines of our sources', (name) => {
  const thrown = thrownIn(dirname(entryOf(ROOT, name)));
  const own = join(ROOT, folderOf(name), 'src/');
  expect(thrown.filter(({ file }) => file.startsWith(own))).not.toEqual([]);
  const elsewhere = thrown.filter(
    ({ begins, file, line }) =>
      !file.startsWith(MADE) &&
      (!file.endsWith('.ts') || !readFileSync(file, 'utf8').split('\n')[line]?.includes(begins)),
  );
  expect(elsewhere).toEqual([]);
});
