import { identify, isRunning, type ProcessIdentity, stopProcess } from '@meetmark/testing';
import fs from 'node:fs';
import path from 'node:path';

type Known = Pick<ProcessIdentity, 'pid' | 'startedAt'>;

interface Record {
  supervisor: Known;
  /** Where the running Meetmark is, once it is ready. */
  url?: string;
  children: Child[];
}

type Child = Known & { name: string };

const FAST_STOP: [NodeJS.Signals, number][] = [
  ['SIGTERM', 10_000],
  ['SIGKILL', 3_000],
];
/** PostgreSQL takes SIGTERM for 'wait until every client has gone', and must never be killed with -9. */
const POSTGRES_STOP: [NodeJS.Signals, number][] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
];

/** Which processes belong to the run of this checkout: allows one run at a time, and finds what a killed one left behind. */
export class RunRecord {
  private constructor(
    private readonly file: string,
    private readonly record: Record,
  ) {}

  /**
   * Claims the checkout for this process; stops first what a killed run left running.
   * @throws Error with the address and the pid when another run is alive
   */
  static async claim(file: string, note: (message: string) => void): Promise<RunRecord> {
    const earlier = read(file);
    if (earlier && isRunning(earlier.supervisor)) {
      const where = earlier.url ? ` at ${earlier.url}` : '';
      const { pid } = earlier.supervisor;
      throw new Error(
        `Meetmark is already running from this folder${where}. Stop it there with Ctrl-C, or with: kill ${pid}`,
      );
    }
    for (const child of earlier?.children ?? []) {
      if (isRunning(child))
        note(`stopping ${child.name} (pid ${child.pid}), left over from a run that was killed`);
    }
    await stopAll(earlier?.children ?? []);
    const own = identify(process.pid);
    if (!own) throw new Error('This process cannot find itself in the list of processes');
    const claimed = new RunRecord(file, { supervisor: known(own), children: [] });
    claimed.save();
    return claimed;
  }

  /** A child that has to be stopped if we cannot do it. A restarted one replaces its former self, unless that still runs. */
  addChild(name: string, pid: number): void {
    const identity = identify(pid);
    if (!identity) return;
    this.record.children = [
      ...this.record.children.filter((child) => child.name !== name || isRunning(child)),
      { name, ...known(identity) },
    ];
    this.save();
  }

  /** For an end in the middle of a start, before anything else knows what has been started. */
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

/** What stands on the servers goes before them. */
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
    // No earlier run. Half a file cannot be: it gets its name when it is whole.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(`${file} cannot be read. Remove it when no Meetmark runs from this folder.`, {
      cause: error,
    });
  }
}
