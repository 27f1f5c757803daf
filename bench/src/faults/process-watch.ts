import type { ProcessName } from '@meetmark/scripts/stack/processes';
import type { Replica } from '@meetmark/scripts/stack/replica';
import { setTimeout as pause } from 'node:timers/promises';
import type { ManagedProcess } from '@meetmark/testing';

const SIGNAL = 'SIGUSR2';
/** Milliseconds. */
const COLLECTED_WITHIN = 500;
const ON_SIGNAL = `process.on('${SIGNAL}', () => gc());`;

/** For node, so that a signal makes its process collect its garbage. */
export const COLLECTING = [
  '--expose-gc',
  '--import',
  `data:text/javascript,${encodeURIComponent(ON_SIGNAL)}`,
];

/**
 * Collects the garbage of processes that run with `COLLECTING`. V8 collects the old generation only when it has grown to about twice
 * its size. Without a collection, the measured memory depends on when the last one ran, and not only on what the process keeps.
 */
async function collectGarbage(processes: ManagedProcess[]): Promise<void> {
  for (const { pid } of processes) process.kill(pid, SIGNAL);
  await pause(COLLECTED_WITHIN);
}

/** What one process says of itself in its metrics. */
interface Vitals {
  /** Resident memory, bytes. */
  memory: number;
  /** Bytes of the heap that are filled. */
  heap: number;
  /** Resident memory outside of the heap, bytes. */
  outside: number;
  /** Event-loop lag since it was asked last, p99, milliseconds. */
  lag: number;
}

/** The worst of all processes during one fault. */
export interface Health {
  /** Memory that a process keeps beyond what is usual for it, as a share of that. */
  growth: number;
  /** Milliseconds. */
  lag: number;
  broken: string[];
}

const GROWTH_MAX = 0.2;
/** Bytes that its container lets a process of ours hold, garbage and all. */
const MEMORY_MAX = 384 * 2 ** 20;
const LAG_MAX = 200;
/**
 * Looks at a process that seems to keep more, and milliseconds between two: what is still worked on is not kept. Longer than the five seconds in
 * which a process that was started finds itself idle and gives back what its start took: each look makes it work.
 */
const LOOKS = 3;
const LOOK_EVERY = 6_000;
const ASK_TIMEOUT = 2_000;
const MEGABYTE = 2 ** 20;

/** I9: no process may keep much more than it usually does after a load, nor its callers waiting. */
export class ProcessWatch {
  /** Bytes that each replica kept when the fault began. */
  private readonly before = new Map<string, number>();

  private constructor(
    private readonly replicas: Replica[],
    /** Bytes, of the largest replica. */
    private readonly usual: Map<ProcessName, number>,
  ) {}

  /** After a load like any other: what the processes keep of it is what is usual. */
  static async learn(replicas: Replica[]): Promise<ProcessWatch> {
    const usual = new Map<ProcessName, number>();
    for (const [{ name }, kept] of await keptBy(await ask(replicas)))
      usual.set(name, Math.max(usual.get(name) ?? 0, kept));
    return new ProcessWatch(replicas, usual);
  }

  /** The lag of what came before is forgotten; what processes have come to keep is not held against this fault. */
  async begin(): Promise<void> {
    for (const [{ process }, kept] of await keptBy(await ask(this.replicas)))
      this.before.set(process.name, kept);
    await ask(this.replicas); // its lag is that of the collection
  }

  /** The lag since `begin`, and the memory that is held while what the load left behind is still worked on. */
  look(): Promise<Answer[]> {
    return ask(this.replicas);
  }

  /**
   * Judges the answers from under the load, and the memory that each process keeps once the work of the load is done.
   * The lag of the named processes is not theirs: they were started, or held up from outside.
   */
  async health(answers: Answer[], heldUp: ProcessName[]): Promise<Health> {
    const health: Health = { growth: 0, lag: 0, broken: [] };
    if (answers.length < this.replicas.length)
      health.broken.push(`I9: ${this.replicas.length - answers.length} processes do not tell their metrics`);
    let kept = await keptBy(answers);
    const grows = () => [...kept].some(([replica, keeps]) => keeps / this.usualOf(replica) - 1 > GROWTH_MAX);
    for (let look = 1; look < LOOKS && grows(); look += 1) {
      await pause(LOOK_EVERY);
      kept = await keptBy(answers);
    }
    for (const { replica, vitals } of answers) {
      const { name } = replica;
      const keeps = kept.get(replica) ?? vitals.memory;
      const usual = this.usualOf(replica);
      const growth = keeps / usual - 1;
      const lag = heldUp.includes(name) ? 0 : vitals.lag;
      health.growth = Math.max(health.growth, growth);
      health.lag = Math.max(health.lag, lag);
      if (growth > GROWTH_MAX)
        health.broken.push(
          `I9: ${replica.process.name} keeps ${megabytes(keeps)}, ${megabytes(usual)} are usual`,
        );
      if (vitals.memory > MEMORY_MAX)
        health.broken.push(`I9: ${replica.process.name} held ${megabytes(vitals.memory)}`);
      if (lag > LAG_MAX)
        health.broken.push(
          `I9: the event loop of ${replica.process.name} was ${Math.round(lag)} ms late (p99)`,
        );
    }
    return health;
  }

  private usualOf({ name, process }: Replica): number {
    return Math.max(this.usual.get(name) ?? 0, this.before.get(process.name) ?? 0);
  }
}

const megabytes = (bytes: number) => `${Math.round(bytes / MEGABYTE)} MB`;

interface Answer {
  replica: Replica;
  vitals: Vitals;
}

/**
 * Bytes that the processes of these answers keep: what their heaps hold after a collection, and what is outside of them. Of that
 * the smaller figure of two, since V8 tells that it has given memory back before it has. Who does not answer again is left out.
 */
async function keptBy(answers: Answer[]): Promise<Map<Replica, number>> {
  await collectGarbage(answers.map(({ replica }) => replica.process)); // who did not answer might not know the signal yet
  const collected = await ask(answers.map(({ replica }) => replica));
  const before = new Map(answers.map(({ replica, vitals }) => [replica, vitals.outside]));
  return new Map(
    collected.map(({ replica, vitals: { heap, outside } }) => [
      replica,
      heap + Math.min(outside, before.get(replica) ?? outside),
    ]),
  );
}

/** Of those that answer: one that does not is noticed by what its callers get. */
async function ask(replicas: Replica[]): Promise<Answer[]> {
  const answers = await Promise.all(
    replicas.map(async (replica) => ({ replica, vitals: await vitalsOf(replica.operationsUrl) })),
  );
  return answers.flatMap(({ replica, vitals }) => (vitals === null ? [] : [{ replica, vitals }]));
}

async function vitalsOf(operationsUrl: string): Promise<Vitals | null> {
  try {
    const response = await fetch(`${operationsUrl}/metrics`, { signal: AbortSignal.timeout(ASK_TIMEOUT) });
    const metrics = await response.text();
    const value = (name: string) => {
      const [, figure] = new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics) ?? [];
      if (figure === undefined) throw new Error(`${operationsUrl} does not tell ${name}`);
      return Number(figure);
    };
    const memory = value('process_resident_memory_bytes');
    return {
      memory,
      heap: value('nodejs_heap_size_used_bytes'),
      outside: memory - value('nodejs_heap_size_total_bytes'),
      lag: value('nodejs_eventloop_lag_p99_seconds') * 1_000,
    };
  } catch (error) {
    if (error instanceof TypeError || (error as Error).name === 'TimeoutError') return null; // ended, or held up
    throw error;
  }
}
