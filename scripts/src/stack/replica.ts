import { ManagedProcess } from '@meetmark/testing';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { getEntryPath, buildEnvironment, siteUrl, type Surroundings } from './environment.js';
import type { ProcessName } from './processes.js';
import { readableLine } from './readable-log.js';

export interface Replica {
  name: ProcessName;
  index: number;
  process: ManagedProcess;
  operationsUrl: string;
  publicUrl: string | undefined;
}

export interface ReplicaOptions {
  around: Surroundings;
  logDirectory: string;
  ports: { operations: number; public?: number | undefined };
  isBundled?: boolean;
  nodeArguments?: (name: ProcessName) => string[];
  note: (message: string, source: string) => void;
  onSpawn: (name: string, pid: number) => void;
}

const READY_WITHIN_MS = 45_000;
const ASK_TIMEOUT_MS = 2_000;
/** Milliseconds to wait for a process to stop. Slightly more than the process's own deadline. */
const STOP_PATIENCE_MS = 20_000;

/**
 * Prepares a replica without starting it.
 * @throws Error if the process isn't built
 */
export function createReplica(name: ProcessName, index: number, options: ReplicaOptions): Replica {
  const { around, ports, note } = options;
  const label = index === 0 ? name : `${name}-${index + 1}`;
  const entry = getEntryPath(around.root, name, options.isBundled);
  if (!fs.existsSync(entry)) throw new Error(`${entry} is missing. Run \`npm run build\` and start again`);
  const operationsUrl = `http://127.0.0.1:${ports.operations}`;
  const process_ = new ManagedProcess({
    name: label,
    program: process.execPath,
    args: ['--enable-source-maps', ...(options.nodeArguments?.(name) ?? []), entry],
    cwd: around.root,
    env: buildEnvironment(name, around, ports),
    logFile: path.join(options.logDirectory, `${label}.log`),
    watchLine: (line) => {
      const readable = readableLine(line);
      if (readable !== null) note(readable, label);
    },
    onSpawn: (pid) => options.onSpawn(label, pid),
    isReady: () => answersReady(operationsUrl),
    readyWithinMs: READY_WITHIN_MS,
    stopSteps: [
      ['SIGTERM', STOP_PATIENCE_MS],
      ['SIGKILL', STOP_PATIENCE_MS],
    ],
  });
  const publicUrl = ports.public === undefined ? undefined : siteUrl(around.host, ports.public);
  return { name, index, process: process_, operationsUrl, publicUrl };
}

/** Uses `http` instead of `fetch`, which is ten times slower. A start polls hundreds of times. */
async function answersReady(operationsUrl: string): Promise<boolean> {
  const asked = http.get(`${operationsUrl}/readyz`, { agent: false, timeout: ASK_TIMEOUT_MS });
  asked.once('timeout', () => asked.destroy(new Error('/readyz did not respond')));
  const [answer] = (await once(asked, 'response')) as [http.IncomingMessage];
  const body = await text(answer);
  if (answer.statusCode !== 200) throw new Error(`/readyz responded ${answer.statusCode} ${body}`);
  return true;
}
