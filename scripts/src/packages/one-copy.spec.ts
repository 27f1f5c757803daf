import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { entryOf } from '../stack/environment.js';
import { PROCESSES } from '../stack/processes.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PACKAGE = /node_modules\/((?:@[^/\s]+\/)?[^/\s]+)(?!.*node_modules)/;

/** A process without its settings ends once it has loaded everything; then it says which files it had. */
const FILES_AT_END = `
  import Module from 'node:module';
  process.on('exit', () => console.log(JSON.stringify(Object.keys(Module._cache))));
  await import(process.argv[1]);`;

const packagesOf = (paths: string[]) => new Set(paths.flatMap((path) => PACKAGE.exec(path)?.[1] ?? []));

async function filesLoaded(entry: string): Promise<string[]> {
  const run = promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', FILES_AT_END, pathToFileURL(entry).href],
    { env: {}, maxBuffer: 16 * 1024 * 1024 },
  );
  const { stdout } = await run.catch((ended: { stdout: string }) => ended);
  return JSON.parse(stdout.split('\n').at(-2) ?? '') as string[];
}

describe.each(PROCESSES)('the built process %s', (name) => {
  it('has one copy of each library: a second one would not know what the first is told', async () => {
    const entry = entryOf(ROOT, name);
    const bundle = readFileSync(join(entry, '../libraries.js'), 'utf8');
    const bundled = packagesOf(bundle.split('\n').filter((line) => line.trimStart().startsWith('// ')));
    const loaded = packagesOf(await filesLoaded(entry));
    expect([...bundled]).toEqual(
      expect.arrayContaining(['@nestjs/core', 'class-validator', 'typeorm', 'pg']),
    );
    expect([...loaded].filter((each) => bundled.has(each))).toEqual([]);
  });

  it('has libraries of which V8 keeps one byte a character', () => {
    const bundle = readFileSync(join(entryOf(ROOT, name), '../libraries.js'), 'utf8');
    expect(/[^\0-\xff]/.exec(bundle)).toBeNull();
  });
});

it('sees what a process loads beside its bundle', async () => {
  expect([...packagesOf(await filesLoaded(entryOf(ROOT, 'auth')))]).toContain('@node-rs/argon2');
});
