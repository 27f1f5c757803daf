import { ManagedProcess } from '@meetmark/testing';
import fs from 'node:fs';
import path from 'node:path';
import { entryOf, environmentOf, siteUrl, type Surroundings } from './environment.js';
import type { ProcessName } from './processes.js';
import { readableLine } from './readable-log.js';

/** One running copy of a process. */
export interface Replica {
  name: ProcessName;
  index: number;
  process: ManagedProcess;
  /** Health and metrics. */
  operationsUrl: string;
  /** Of a gateway: where its API is. */
  publicUrl?: string;
}

export interface ReplicaOptions {
  around: Surroundings;
  logDirectory: string;
  ports: { operations: number; public?: number };
  /** For node itself, such as those of its profiler. */
  nodeArguments?: (name: ProcessName) => string[];
  note: (message: string, source: string) => void;
  onSpawn: (name: string, pid: number) => void;
}

const READY_WITHIN_MS = 45_000;
const ASK_TIMEOUT_MS = 2_000;
/** A little more than what a process gives itself to finish its work. */
const STOP_PATIENCE_MS = 20_000;

/** Prepared but not started. */
export function makeReplica(name: ProcessName, index: number, options: ReplicaOptions): Replica {
  const { around, ports, note } = options;
  const label = index === 0 ? name : `${name}-${index + 1}`;
  const entry = entryOf(around.root, name);
  if (!fs.existsSync(entry)) throw new Error(`${entry} is missing: run \`npm run build\` and start again`);
  const operationsUrl = `http://127.0.0.1:${ports.operations}`;
  const process_ = new ManagedProcess({
    name: label,
    program: process.execPath,
    args: ['--enable-source-maps', ...(options.nodeArguments?.(name) ?? []), entry],
    cwd: around.root,
    env: environmentOf(name, around, ports),
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

async function answersReady(operationsUrl: string): Promise<boolean> {
  const response = await fetch(`${operationsUrl}/readyz`, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`/readyz answers ${response.status} ${await response.text()}`);
  return true;
}
