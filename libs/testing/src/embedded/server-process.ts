import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { until } from './wait.js';

export interface ServerCommand {
  name: string;
  program: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Account to run as; only root may set it. */
  account?: { uid: number; gid: number };
  logFile: string;
  /** Answers true once the server serves; may throw while it does not yet. */
  isReady: () => Promise<boolean>;
  readyWithinMs: number;
  /** Signals that end it, gentlest first, each with its patience in milliseconds. */
  stopSteps: [signal: NodeJS.Signals, ms: number][];
}

const LOG_TAIL_LINES = 8;

/** A database-like server as child process: started until ready, killed, restarted and stopped on the same port and data. */
export class ServerProcess {
  private child: ChildProcess | null = null;
  private ended: string | null = null;
  private stopping = false;
  private readonly exitListeners: ((how: string) => void)[] = [];

  constructor(private readonly command: ServerCommand) {}

  get name(): string {
    return this.command.name;
  }

  /** Process id of the current run. Throws before the first start. */
  get pid(): number {
    if (this.child?.pid === undefined) throw new Error(`${this.name} has not been started`);
    return this.child.pid;
  }

  /** Calls back when the server ends without having been asked to. */
  onUnexpectedExit(listener: (how: string) => void): void {
    this.exitListeners.push(listener);
  }

  async start(): Promise<void> {
    const { program, args, cwd, env, account, logFile } = this.command;
    fs.mkdirSync(path.dirname(logFile), { recursive: true });
    const log = fs.openSync(logFile, 'a');
    // Detached: the terminal's Ctrl-C reaches the supervisor only, which then stops everything in order.
    const child = spawn(program, args, { cwd, env, ...account, detached: true, stdio: ['ignore', log, log] });
    fs.closeSync(log);
    this.child = child;
    this.ended = null;
    this.stopping = false;
    child.once('error', (error) => this.noteEnd(child, error.message));
    child.once('exit', (code, signal) => this.noteEnd(child, signal ?? `exit code ${code}`));
    try {
      await until(this.name, this.command.readyWithinMs, this.command.isReady, () =>
        this.ended === null ? null : `ended while starting (${this.ended})`,
      );
    } catch (error) {
      await this.stop();
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${reason}\n${this.logTail()}\nIts whole log: ${logFile}`, { cause: error });
    }
  }

  /** Sends the signal and resolves when the process is gone. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    this.stopping = true;
    this.child?.kill(signal);
    await until(`The end of ${this.name}`, this.command.readyWithinMs, async () => this.isGone());
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    for (const [signal, ms] of this.command.stopSteps) {
      if (this.isGone()) return;
      this.child?.kill(signal);
      const end = Date.now() + ms;
      await until(`The end of ${this.name}`, ms * 2, async () => this.isGone() || Date.now() > end);
    }
  }

  private isGone(): boolean {
    return this.child === null || this.ended !== null;
  }

  private noteEnd(child: ChildProcess, how: string): void {
    if (child !== this.child || this.ended !== null) return;
    this.ended = how;
    if (!this.stopping) for (const listener of this.exitListeners) listener(how);
  }

  private logTail(): string {
    return fs.readFileSync(this.command.logFile, 'utf8').trim().split('\n').slice(-LOG_TAIL_LINES).join('\n');
  }
}
