import { ManagedProcess } from '@meetmark/testing';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { getFolder, PROCESSES, type ProcessName } from '../stack/processes.js';
import type { Stack } from '../stack/stack.js';

export interface DevelopmentOptions {
  root: string;
  directory: string;
  port: number;
  listenAt: string;
  url: string;
  stack: Pick<Stack, 'replicas' | 'gatewayUrls'>;
  note: (message: string, source: string) => void;
  onSpawn: (name: string, pid: number) => void;
}

export interface Development {
  stop(): Promise<void>;
}

/** Processes that use the texts and restart when a text changes. */
const WRITERS: ProcessName[] = ['gateway', 'events', 'worker'];
/**
 * Milliseconds without changes before a rebuild. Editors may write a file in several steps, or several files.
 */
const QUIET_MS = 150;
const VITE_READY_MS = 30_000;
const run = promisify(execFile);

/** Runs Vite with hot reload, and transpiles and restarts servers whose sources change. */
export async function startDevelopment(options: DevelopmentOptions): Promise<Development> {
  const { root, stack, note } = options;
  const vite = await startVite(options);
  let turn = Promise.resolve();
  const rebuild = async (folder: string, affected: ProcessName[]) => {
    const programs = ['scripts/transpile.mjs'];
    if (folder === 'libs/i18n') programs.push('libs/i18n/dist/make-texts.js');
    for (const program of programs)
      await run(process.execPath, [path.resolve(root, program)], { cwd: path.join(root, folder) });
    const restarted = stack.replicas.filter(({ name }) => affected.includes(name));
    await Promise.all(restarted.map((replica) => replica.process.restart()));
    note(`Restarted ${affected.join(', ')}`, 'watch');
  };
  const all = [...PROCESSES];
  const folders: [folder: string, watched: string, affected: ProcessName[]][] = [
    ...['libs/i18n', 'libs/contracts', 'libs/platform'].map(
      (folder) => [folder, 'src', all] as [string, string, typeof all],
    ),
    ['libs/i18n', 'texts', WRITERS],
    ...all.map((name) => [getFolder(name), 'src', [name]] as [string, string, ProcessName[]]),
  ];
  const ends = folders.map(([folder, watched, affected]) => {
    const failed = (error: unknown) =>
      note(`${folder}: ${error instanceof Error ? error.message : String(error)}`, 'watch');
    // Rebuilds run one after another. If a rebuild fails, the next save starts another one.
    const onChange = () => void (turn = turn.then(() => rebuild(folder, affected)).catch(failed));
    return watchBelow(path.join(root, folder, watched), onChange, failed);
  });
  return {
    async stop() {
      for (const end of ends) end();
      await turn;
      await vite.stop();
    },
  };
}

/**
 * Calls `onChange` after changes below a folder. Returns a function that stops watching.
 * Creates one watcher per directory, because on Linux, Node 20's recursive watcher doesn't notice when a file
 * is replaced a second time. Creates all watchers again after each change, so that new directories are
 * watched.
 */
function watchBelow(folder: string, onChange: () => void, onFailure: (error: unknown) => void): () => void {
  const watchers: fs.FSWatcher[] = [];
  let quiet: NodeJS.Timeout | undefined;
  const close = () => {
    clearTimeout(quiet);
    watchers.splice(0).forEach((watcher) => watcher.close());
  };
  const changed = () => {
    clearTimeout(quiet);
    quiet = setTimeout(() => {
      watch();
      onChange();
    }, QUIET_MS);
  };
  const watch = () => {
    close();
    try {
      const inside = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
      const directories = inside.filter((entry) => entry.isDirectory());
      for (const each of [folder, ...directories.map(({ parentPath, name }) => path.join(parentPath, name))])
        watchers.push(fs.watch(each, changed).on('error', onFailure));
    } catch (error) {
      onFailure(error); // for example, because the system allows no more watchers
    }
  };
  watch();
  return close;
}

async function startVite({ root, directory, port, listenAt, url, ...options }: DevelopmentOptions) {
  const vite = new ManagedProcess({
    name: 'vite',
    program: process.execPath,
    args: [
      ...[path.join(root, 'node_modules/vite/bin/vite.js'), '--port', String(port), '--strictPort'],
      ...['--host', listenAt, '--clearScreen', 'false'],
    ],
    cwd: path.join(root, 'web'),
    env: { ...process.env, GATEWAY_URL: options.stack.gatewayUrls[0] },
    logFile: path.join(directory, 'logs/vite.log'),
    watchLine: (line) => /error|warn/i.test(line) && options.note(line, 'vite'),
    onSpawn: (pid) => options.onSpawn('vite', pid),
    isReady: async () => (await fetch(url)).ok,
    readyWithinMs: VITE_READY_MS,
    stopSteps: [
      ['SIGTERM', 3_000],
      ['SIGKILL', 3_000],
    ],
  });
  await vite.start();
  return vite;
}
