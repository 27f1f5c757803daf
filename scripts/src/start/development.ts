import { ManagedProcess } from '@meetmark/testing';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import { promisify } from 'node:util';
import { folderOf, PROCESSES, type ProcessName } from '../stack/processes.js';
import type { Replica } from '../stack/replica.js';
import type { Stack } from '../stack/stack.js';

export interface DevelopmentOptions {
  root: string;
  directory: string;
  /** Where Vite serves the web application. */
  port: number;
  listenAt: string;
  /** The same, as a browser on this machine asks for it. */
  url: string;
  stack: Stack;
  note: (message: string, source: string) => void;
  onSpawn: (name: string, pid: number) => void;
}

export interface Development {
  stop(): Promise<void>;
}

const LIBRARIES = ['contracts', 'platform'];
/** Those that have texts in them. */
const WRITERS: ProcessName[] = ['gateway', 'events', 'worker'];
/** Editors write a file in several steps, and 'save all' several files. */
const QUIET_MS = 150;
const VITE_READY_MS = 30_000;
const LOOPBACK = '127.0.0.1';
const TRANSPILE = 'scripts/transpile.mjs';
/** What a folder's build is beyond that, without bundles and fonts: no process runs from the one, and no save changes the other. */
const BUILD: Partial<Record<string, string[]>> = {
  'libs/contracts': [TRANSPILE, 'libs/contracts/dist/make-texts.js'],
};
const run = promisify(execFile);

/** Vite with its hot reload, and every server transpiled and replaced when its sources change. */
export async function startDevelopment(options: DevelopmentOptions): Promise<Development> {
  const front = await startFront(options.stack);
  const vite = await startVite(options, front);
  const rebuild = rebuilder(options);
  const folders = [
    ...LIBRARIES.map((library) => ({ folder: `libs/${library}`, watched: 'src', affected: [...PROCESSES] })),
    { folder: 'libs/contracts', watched: 'texts', affected: WRITERS },
    ...PROCESSES.map((name) => ({ folder: folderOf(name), watched: 'src', affected: [name] })),
  ];
  const ends = folders.map(({ folder, watched, affected }) =>
    watchBelow(
      path.join(options.root, folder, watched),
      () => rebuild(folder, affected),
      // The system allows so many watchers only, and an editor has some thousand.
      (message) => options.note(`${folder} is not watched: ${message}`, 'watch'),
    ),
  );
  return {
    async stop() {
      for (const end of ends) end();
      await vite.stop();
      front.close();
    },
  };
}

/**
 * Calls back after each change below the folder; returns what ends that. One watcher for each directory: a recursive one of Node 20 on Linux notices no
 * second save of a file that an editor, or Git, replaces. All are made anew at each change, which may have brought a directory.
 */
function watchBelow(folder: string, onChange: () => void, onFailure: (message: string) => void): () => void {
  const watchers: fs.FSWatcher[] = [];
  let quiet: NodeJS.Timeout | undefined;
  const close = () => watchers.splice(0).forEach((watcher) => watcher.close());
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
      for (const directory of [
        folder,
        ...directories.map(({ parentPath, name }) => path.join(parentPath, name)),
      ])
        watchers.push(fs.watch(directory, changed).on('error', ({ message }) => onFailure(message)));
    } catch (error) {
      onFailure(error instanceof Error ? error.message : String(error));
    }
  };
  watch();
  return () => {
    clearTimeout(quiet);
    close();
  };
}

/** One address, which Vite is told once, for the first gateway, which has another after each change. */
async function startFront(stack: Stack): Promise<net.Server> {
  const front = net.createServer((incoming) => {
    const [gateway] = stack.gatewayUrls;
    if (gateway === undefined) throw new Error('There is no gateway');
    const { hostname, port } = urlToHttpOptions(new URL(gateway));
    const outgoing = net.connect(Number(port), hostname ?? undefined);
    // An end, or a failure, of the one ends the other.
    pipeline(incoming, outgoing, () => undefined);
    pipeline(outgoing, incoming, () => undefined);
  });
  await once(front.listen(0, LOOPBACK), 'listening');
  return front;
}

async function startVite(
  { root, directory, port, listenAt, url, note, onSpawn }: DevelopmentOptions,
  front: net.Server,
): Promise<ManagedProcess> {
  const { port: frontPort } = front.address() as net.AddressInfo;
  const vite = new ManagedProcess({
    name: 'vite',
    program: process.execPath,
    args: [
      path.join(root, 'node_modules/vite/bin/vite.js'),
      '--port',
      String(port),
      '--strictPort',
      '--host',
      listenAt,
      '--clearScreen',
      'false',
    ],
    cwd: path.join(root, 'web'),
    env: { ...process.env, GATEWAY_URL: `http://${LOOPBACK}:${frontPort}` },
    logFile: path.join(directory, 'logs/vite.log'),
    watchLine: (line) => /error|warn/i.test(line) && note(line, 'vite'),
    onSpawn: (pid) => onSpawn('vite', pid),
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

/** One rebuild after the other: a save during a rebuild waits for it, and for the end of the processes that it replaced. */
function rebuilder({
  root,
  stack,
  note,
}: DevelopmentOptions): (folder: string, affected: ProcessName[]) => void {
  let turn = Promise.resolve();
  // The next save tries again.
  const failed = (error: unknown) =>
    note(`the old process still serves: ${error instanceof Error ? error.message : String(error)}`, 'watch');
  const replace = async (replica: Replica) => {
    await replica.replace();
    note(`${replica.process.name} restarted`, 'watch');
  };
  return (folder, affected) => {
    turn = turn.then(async () => {
      try {
        for (const program of BUILD[folder] ?? [TRANSPILE])
          await run(process.execPath, [path.resolve(root, program)], { cwd: path.join(root, folder) });
        const replaced = stack.replicas.filter(({ name }) => affected.includes(name));
        await Promise.all(replaced.map((replica) => replace(replica).catch(failed)));
      } catch (error) {
        failed(error);
      }
    });
  };
}
