import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PROCESSES, getFolder } from './processes.js';

const ROOT = new URL('../../../', import.meta.url);
const HOOKS = new URL('scripts/jest/typescript-hooks.mjs', ROOT).href;
/** Module loader that blocks the import of Nest: it prints 'loading' and then waits for a minute. */
const NEVER_LOADED = `
  import { writeSync } from 'node:fs';
  export async function load(url, context, next) {
    if (!url.includes('/node_modules/@nestjs/')) return next(url, context);
    writeSync(1, 'loading');
    return new Promise((resolve) => setTimeout(resolve, 60_000));
  }`;
const toModuleUrl = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`;
const REGISTER = toModuleUrl(`
  import { register } from 'node:module';
  register(${JSON.stringify(HOOKS)});
  register(${JSON.stringify(toModuleUrl(NEVER_LOADED))});`);

async function endWhileLoading(main: string): Promise<[code: number | null, signal: string | null]> {
  const child = spawn(
    process.execPath,
    ['--no-warnings', '--import', REGISTER, new URL(main, ROOT).pathname],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH },
    },
  );
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  return exit;
}

describe('a process stopped while its modules are loading', () => {
  it.each(PROCESSES)('exits normally: %s', async (name) => {
    expect(await endWhileLoading(`${getFolder(name)}/src/main.ts`)).toEqual([0, null]);
  });
});
