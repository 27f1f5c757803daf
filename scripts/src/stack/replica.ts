import { anyFreePort, ManagedProcess } from '@meetmark/testing';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { entryOf, environmentOf, siteUrl, type Surroundings } from './environment.js';
import type { ProcessName } from './processes.js';
import { readableLine } from './readable-log.js';

/** One process and the addresses that are its own. */
interface Run {
  process: ManagedProcess;
  operationsUrl: string;
  publicUrl: string | undefined;
}

export interface ReplicaOptions {
  around: Surroundings;
  logDirectory: string;
  ports: { operations: number; public?: number | undefined };
  /** Unless false. */
  isBundled?: boolean;
  /** For node itself, such as those of its profiler. */
  nodeArguments?: (name: ProcessName) => string[];
  note: (message: string, source: string) => void;
  onSpawn: (name: string, pid: number) => void;
}

const READY_WITHIN_MS = 45_000;
const ASK_TIMEOUT_MS = 2_000;
/** A little more than what a process gives itself to finish its work. */
const STOP_PATIENCE_MS = 20_000;

/** One running copy of a process; while it is replaced, two. */
export class Replica {
  /** The first serves. */
  private runs: [Run, ...Run[]];
  private readonly exitListeners: ((how: string) => void)[] = [];

  /** Prepared but not started. */
  constructor(
    readonly name: ProcessName,
    readonly index: number,
    private readonly options: ReplicaOptions,
  ) {
    this.runs = [makeRun(name, index, options)];
  }

  get process(): ManagedProcess {
    return this.runs[0].process;
  }

  /** Health and metrics. */
  get operationsUrl(): string {
    return this.runs[0].operationsUrl;
  }

  /** Of a gateway: where its API is. */
  get publicUrl(): string | undefined {
    return this.runs[0].publicUrl;
  }

  /** Calls back when the process that serves ends without having been asked to. */
  onUnexpectedExit(listener: (how: string) => void): void {
    this.exitListeners.push(listener);
    this.process.onUnexpectedExit(listener);
  }

  /**
   * Starts what is built now beside the process that serves, on ports of its own, and stops that one once the new one is ready. One
   * that fails to start leaves it serving.
   */
  async replace(): Promise<void> {
    const [former] = this.runs;
    const ports = {
      operations: await anyFreePort(),
      public: former.publicUrl === undefined ? undefined : await anyFreePort(),
    };
    const next = makeRun(this.name, this.index, { ...this.options, ports });
    this.runs = [former, next];
    try {
      await next.process.start();
    } catch (error) {
      this.runs = [former];
      throw error;
    }
    for (const listener of this.exitListeners) next.process.onUnexpectedExit(listener);
    this.runs = [next, former];
    await former.process.stop();
    this.runs = [next];
  }

  async stop(): Promise<void> {
    await Promise.all(this.runs.map(({ process }) => process.stop()));
  }
}

function makeRun(name: ProcessName, index: number, options: ReplicaOptions): Run {
  const { around, ports, note } = options;
  const label = index === 0 ? name : `${name}-${index + 1}`;
  const entry = entryOf(around.root, name, options.isBundled);
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
  return { process: process_, operationsUrl, publicUrl };
}

/** By `http`, since a start asks hundreds of times and `fetch` takes ten times its processor time. */
async function answersReady(operationsUrl: string): Promise<boolean> {
  const asked = http.get(`${operationsUrl}/readyz`, { agent: false, timeout: ASK_TIMEOUT_MS });
  asked.once('timeout', () => asked.destroy(new Error('/readyz does not answer')));
  const [answer] = (await once(asked, 'response')) as [http.IncomingMessage];
  const body = await text(answer);
  if (answer.statusCode !== 200) throw new Error(`/readyz answers ${answer.statusCode} ${body}`);
  return true;
}
