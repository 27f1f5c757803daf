import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { until } from './wait.js';

interface ProcessCommand {
  name: string;
  program: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  account?: { uid: number; gid: number };
  /** File for the process's output. */
  logFile: string;
  /**
   * Called with each line of output. If set, the child process also gets an IPC channel, which closes when
   * this process ends. Not for servers: their output would fail if they outlived this process.
   */
  watchLine?: (line: string) => void;
  /** Called with the process id on every start and restart, before the server is ready. */
  onSpawn?: (pid: number) => void;
  /** Returns true if the server is ready. May throw before that. */
  isReady: () => Promise<boolean>;
  readyWithinMs: number;
  /** Signals that stop the process, mildest first, each with the milliseconds to wait after it. */
  stopSteps: [signal: NodeJS.Signals, ms: number][];
}

const LOG_TAIL_LINES = 8;

/** A child process that can be started, killed, restarted and stopped. It keeps its port and data. */
export class ManagedProcess {
  private child: ChildProcess | null = null;
  private ended: string | null = null;
  private state: 'starting' | 'serving' | 'stopping' = 'starting';
  private readonly exitListeners: ((how: string) => void)[] = [];

  constructor(private readonly command: ProcessCommand) {}

  get name(): string {
    return this.command.name;
  }

  get pid(): number {
    if (this.child?.pid === undefined) throw new Error(`${this.name} has not been started`);
    return this.child.pid;
  }

  get running(): boolean {
    return !this.isGone();
  }

  /** Calls `listener` when the process ends unexpectedly, or immediately if that has already happened. */
  onUnexpectedExit(listener: (how: string) => void): void {
    this.exitListeners.push(listener);
    if (this.state === 'serving' && this.ended !== null) listener(this.ended);
  }

  async start(before: string[] = []): Promise<void> {
    const { program, args, cwd, env, account, logFile } = this.command;
    fs.mkdirSync(path.dirname(logFile), { recursive: true });
    const log = this.command.watchLine ? undefined : fs.openSync(logFile, 'a');
    const output = log === undefined ? (['pipe', 'pipe', 'ipc'] as const) : [log, log];
    // Detached, so that Ctrl-C doesn't reach the child. This process then stops its children in order.
    const child = spawn(program, [...before, ...args], {
      cwd,
      env,
      ...account,
      detached: true,
      stdio: ['ignore', ...output],
    });
    if (log !== undefined) fs.closeSync(log);
    this.copyOutput(child);
    this.child = child;
    this.state = 'starting';
    this.ended = null;
    child.once('error', (error) => this.noteEnd(child, error.message));
    child.once('exit', (code, signal) => this.noteEnd(child, signal ?? `exit code ${code}`));
    if (child.pid !== undefined) this.command.onSpawn?.(child.pid);
    try {
      await until(this.name, this.command.readyWithinMs, this.command.isReady, () =>
        this.ended === null ? null : `ended while starting (${this.ended})`,
      );
      this.state = 'serving';
    } catch (error) {
      await this.stop();
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${reason}\n${this.logTail()}\nIts whole log: ${logFile}`, { cause: error });
    }
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    this.state = 'stopping';
    this.child?.kill(signal);
    await until(`The end of ${this.name}`, this.command.readyWithinMs, async () => this.isGone());
  }

  async restart(before: string[] = []): Promise<void> {
    await this.stop();
    await this.start(before);
  }

  async stop(): Promise<void> {
    this.state = 'stopping';
    for (const [signal, ms] of this.command.stopSteps) {
      if (this.isGone()) return;
      this.child?.kill(signal);
      const end = Date.now() + ms;
      await until(`The end of ${this.name}`, ms * 2, async () => this.isGone() || Date.now() > end);
    }
  }

  private copyOutput({ stdout, stderr }: ChildProcess): void {
    const { watchLine, logFile } = this.command;
    if (!watchLine) return;
    for (const stream of [stdout, stderr]) {
      if (stream === null) continue;
      const log = fs.createWriteStream(logFile, { flags: 'a' });
      log.on('error', ({ message }) => {
        watchLine(`its log is not written: ${message}`);
        stream.resume();
      });
      stream.pipe(log);
      readline.createInterface({ input: stream }).on('line', watchLine);
    }
  }

  private isGone(): boolean {
    return this.child === null || this.ended !== null;
  }

  private noteEnd(child: ChildProcess, how: string): void {
    if (child !== this.child || this.ended !== null) return;
    this.ended = how;
    if (this.state === 'serving') for (const listener of this.exitListeners) listener(how);
  }

  private logTail(): string {
    return fs.readFileSync(this.command.logFile, 'utf8').trim().split('\n').slice(-LOG_TAIL_LINES).join('\n');
  }
}
