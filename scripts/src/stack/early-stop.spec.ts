import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PROCESSES, folderOf } from './processes.js';

const ROOT = new URL('../../../', import.meta.url);
const HOOKS = new URL('scripts/jest/typescript-hooks.mjs', ROOT).href;
/** A loader under which Nest is never found: the process stays at loading, and says when it is there. */
const NEVER_LOADED = `
  import { writeSync } from 'node:fs';
  export async function load(url, context, next) {
    if (!url.includes('/node_modules/@nestjs/')) return next(url, context);
    writeSync(1, 'loading');
    return new Promise((resolve) => setTimeout(resolve, 60_000));
  }`;
const moduleOf = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`;
const REGISTER = moduleOf(`
  import { register } from 'node:module';
  register(${JSON.stringify(HOOKS)});
  register(${JSON.stringify(moduleOf(NEVER_LOADED))});`);

/** How a program ends that is stopped while its modules are being loaded. */
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

describe('a process that is asked to stop while its modules are loading', () => {
  it.each(PROCESSES)('ends by itself, at once: %s', async (name) => {
    expect(await endWhileLoading(`${folderOf(name)}/src/main.ts`)).toEqual([0, null]);
  });

  // the default of the system, which process 1 of a container does not have
  it('would be ended by the signal if it did not listen so early', async () => {
    expect(await endWhileLoading('libs/platform/src/testing/replica.ts')).toEqual([null, 'SIGTERM']);
  });
});
