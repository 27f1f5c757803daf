import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { environmentName } from '../config/load-config.js';
import type { ServiceConfig } from '../config/service.config.js';

const HOOKS = new URL('../../../../scripts/jest/typescript-hooks.mjs', import.meta.url);
const RUN_TYPESCRIPT = `data:text/javascript,import{register}from'node:module';register('${HOOKS.href}')`;

/** Child processes that run the sample service, and the numbers of the requests they started. */
export class Replicas {
  readonly processes: ChildProcess[] = [];
  readonly begun: number[] = [];
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly config: Partial<ServiceConfig>,
    private readonly stderr: 'inherit' | 'ignore' = 'inherit',
  ) {}

  start(count = 1): ChildProcess[] {
    const started = Array.from({ length: count }, () => this.fork());
    this.processes.push(...started);
    return started;
  }

  async until(condition: () => boolean): Promise<void> {
    if (condition()) return;
    await new Promise<void>((resolve) => {
      const look = () => {
        if (!condition()) return;
        this.listeners.delete(look);
        resolve();
      };
      this.listeners.add(look);
    });
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((child) => waitForExit(child, 'SIGKILL')));
  }

  private fork(): ChildProcess {
    const environment = Object.entries({ operationsHost: '127.0.0.1', operationsPort: 0, ...this.config });
    const child = fork(new URL('./replica.ts', import.meta.url), {
      execArgv: ['--import', RUN_TYPESCRIPT],
      env: {
        PATH: process.env.PATH,
        ...Object.fromEntries(environment.map(([name, value]) => [environmentName(name), String(value)])),
      },
      stdio: ['ignore', 'ignore', this.stderr, 'ipc'],
    });
    child.on('message', (message: { begun?: number }) => {
      if (message.begun !== undefined) this.begun.push(message.begun);
      this.listeners.forEach((look) => look());
    });
    return child;
  }
}

/** Sends a signal and waits for the exit. Returns the exit code, or null after SIGKILL. */
export async function waitForExit(child: ChildProcess, signal?: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = once(child, 'exit') as Promise<[number | null]>;
  if (signal !== undefined) child.kill(signal);
  return (await exit)[0];
}

export const repeated = (numbers: number[]) =>
  numbers.filter((number, index) => numbers.indexOf(number) !== index);
