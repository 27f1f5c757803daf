import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Stops servers and removes directories at the end of a test run, even if the run is killed with -9. */
export class Guardian {
  private readonly child: ChildProcess;

  constructor() {
    // Always runs the source file, because the build doesn't copy JavaScript.
    const program = fileURLToPath(new URL('../../src/harness/guardian-process.mjs', import.meta.url));
    this.child = spawn(process.execPath, [program], { stdio: ['pipe', 'ignore', 'inherit'], detached: true });
    this.child.unref();
  }

  guard(pid: number): void {
    this.tell(`guard ${pid}`);
  }

  release(pid: number): void {
    this.tell(`release ${pid}`);
  }

  removeAtEnd(directory: string): void {
    this.tell(`remove ${directory}`);
  }

  /** Stops the guarded processes and removes the directories. Resolves when that is done. */
  async finish(): Promise<void> {
    this.child.ref();
    const gone = once(this.child, 'exit');
    this.child.stdin?.end();
    await gone;
  }

  private tell(command: string): void {
    this.child.stdin?.write(`${command}\n`);
  }
}
