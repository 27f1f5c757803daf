import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Keeps servers and folders from outliving their run, even one that is killed with -9. */
export class Guardian {
  private readonly child: ChildProcess;

  constructor() {
    // From the sources also when this file is the built one: the program is plain JavaScript and is not built.
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

  /** The directory is removed when the run ends, however it ends. */
  removeAtEnd(directory: string): void {
    this.tell(`remove ${directory}`);
  }

  /** Ends what is still guarded, removes the directories, and resolves when that is done. */
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
