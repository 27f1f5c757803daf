import { identify, isRunning, type ProcessIdentity, stopProcess } from '@meetmark/testing';
import fs from 'node:fs';
import path from 'node:path';

type Known = Pick<ProcessIdentity, 'pid' | 'startedAt'>;

interface Record {
  supervisor: Known;
  url?: string;
  children: Child[];
}

type Child = Known & { name: string };

const FAST_STOP: [NodeJS.Signals, number][] = [
  ['SIGTERM', 10_000],
  ['SIGKILL', 3_000],
];
/**
 * Signals that stop PostgreSQL, each with the milliseconds to wait afterwards. After SIGTERM, PostgreSQL
 * would wait for its clients. PostgreSQL's manual advises against SIGKILL.
 */
const POSTGRES_STOP: [NodeJS.Signals, number][] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
];

/**
 * Record of a run's processes. Allows one run per checkout. After a killed run, the next run stops the
 * remaining processes.
 */
export class RunRecord {
  private constructor(
    private readonly file: string,
    private readonly record: Record,
  ) {}

  /**
   * Stops processes that a killed run left behind, then claims the checkout for this process.
   * @throws Error with URL and pid if another run is alive
   */
  static async claim(file: string, note: (message: string) => void): Promise<RunRecord> {
    const earlier = read(file);
    if (earlier && isRunning(earlier.supervisor)) {
      const where = earlier.url ? ` at ${earlier.url}` : '';
      const { pid } = earlier.supervisor;
      throw new Error(
        `Meetmark is already running from this folder${where}. Stop it with Ctrl-C there, or with: kill ${pid}`,
      );
    }
    for (const child of earlier?.children ?? []) {
      if (isRunning(child))
        note(`Stopping ${child.name} (pid ${child.pid}), left over from a run that was killed`);
    }
    await stopAll(earlier?.children ?? []);
    const own = identify(process.pid);
    if (!own) throw new Error('Could not find this process in the list of processes');
    const claimed = new RunRecord(file, { supervisor: known(own), children: [] });
    claimed.save();
    return claimed;
  }

  /**
   * Records a child, so that the next run can stop it. Removes children of the same name that have ended.
   */
  addChild(name: string, pid: number): void {
    const identity = identify(pid);
    if (!identity) return;
    this.record.children = [
      ...this.record.children.filter((child) => child.name !== name || isRunning(child)),
      { name, ...known(identity) },
    ];
    this.save();
  }

  stopChildren(): Promise<void> {
    return stopAll(this.record.children);
  }

  ready(url: string): void {
    this.record.url = url;
    this.save();
  }

  release(): void {
    fs.rmSync(this.file, { force: true });
  }

  private save(): void {
    fs.mkdirSync(path.dirname(this.file), { recursive: true });
    const unfinished = `${this.file}.unfinished`;
    fs.writeFileSync(unfinished, JSON.stringify(this.record, null, 2));
    fs.renameSync(unfinished, this.file);
  }
}

async function stopAll(children: Child[]): Promise<void> {
  for (const child of [...children].reverse()) {
    const identity = isRunning(child) ? identify(child.pid) : null;
    if (identity) await stopProcess(identity, child.name === 'postgres' ? POSTGRES_STOP : FAST_STOP);
  }
}

const known = ({ pid, startedAt }: ProcessIdentity): Known => ({ pid, startedAt });

function read(file: string): Record | null {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Record;
  } catch (error) {
    // Without an earlier run, the file doesn't exist (ENOENT). It is never incomplete, because `save` writes
    // another file first and then renames it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(`Cannot read ${file}. If no Meetmark is running from this folder, remove it.`, {
      cause: error,
    });
  }
}
