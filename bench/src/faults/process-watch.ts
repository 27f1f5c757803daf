import type { ProcessName } from '@meetmark/scripts/stack/processes';
import type { Replica } from '@meetmark/scripts/stack/replica';
import { setTimeout as pause } from 'node:timers/promises';
import type { ManagedProcess } from '@meetmark/testing';

const SIGNAL = 'SIGUSR2';
const COLLECTED_WITHIN = 500;
const ON_SIGNAL = `process.on('${SIGNAL}', () => gc());`;

/** Node options that make a process collect garbage on a signal. */
export const COLLECTING = [
  '--expose-gc',
  '--import',
  `data:text/javascript,${encodeURIComponent(ON_SIGNAL)}`,
];

/**
 * Collects garbage before memory is measured. V8 would otherwise keep it until the old generation has doubled
 * in size.
 */
async function collectGarbage(processes: ManagedProcess[]): Promise<void> {
  for (const { pid } of processes) process.kill(pid, SIGNAL);
  await pause(COLLECTED_WITHIN);
}

interface Vitals {
  memory: number;
  heap: number;
  /** Bytes of resident memory outside the heap. */
  outside: number;
  lag: number;
}

export interface Health {
  /** Largest growth of the memory that a process keeps, as a fraction of its usual memory. */
  growth: number;
  lag: number;
  broken: string[];
}

const GROWTH_MAX = 0.2;
/** Maximum bytes that a process may use, including garbage: the memory limit of a container. */
const MEMORY_MAX = 384 * 2 ** 20;
const LAG_MAX = 200;
/**
 * Number of checks after which a process counts as leaking, and the milliseconds between two checks. An idle
 * process frees memory within five seconds.
 */
const LOOKS = 3;
const LOOK_EVERY = 6_000;
const ASK_TIMEOUT = 2_000;
const MEGABYTE = 2 ** 20;

/**
 * Checks that processes free the memory that a load took, and that their event loops stay responsive (I9).
 */
export class ProcessWatch {
  private readonly before = new Map<string, number>();

  private constructor(
    private readonly replicas: Replica[],
    private readonly usual: Map<ProcessName, number>,
  ) {}

  static async learn(replicas: Replica[]): Promise<ProcessWatch> {
    const usual = new Map<ProcessName, number>();
    for (const [{ name }, kept] of await keptBy(await ask(replicas)))
      usual.set(name, Math.max(usual.get(name) ?? 0, kept));
    return new ProcessWatch(replicas, usual);
  }

  /** Records the current memory and discards the lag so far, so that earlier faults don't count. */
  async begin(): Promise<void> {
    for (const [{ process }, kept] of await keptBy(await ask(this.replicas)))
      this.before.set(process.name, kept);
    await ask(this.replicas); // Reads and discards the lag that the garbage collection caused.
  }

  /** Returns the lag since `begin` and the current memory, some of which leftover work may still use. */
  look(): Promise<Answer[]> {
    return ask(this.replicas);
  }

  /**
   * Checks the lag during the load, and the memory after all work is done.
   * @param heldUp processes that the fault restarted or suspended, whose lag doesn't count
   */
  async health(answers: Answer[], heldUp: ProcessName[]): Promise<Health> {
    const health: Health = { growth: 0, lag: 0, broken: [] };
    if (answers.length < this.replicas.length)
      health.broken.push(`I9: ${this.replicas.length - answers.length} processes do not tell their metrics`);
    let kept = await keptBy(answers);
    const grows = () =>
      [...kept].some(([replica, keeps]) => keeps / this.getUsualMemory(replica) - 1 > GROWTH_MAX);
    for (let look = 1; look < LOOKS && grows(); look += 1) {
      await pause(LOOK_EVERY);
      kept = await keptBy(answers);
    }
    for (const { replica, vitals } of answers) {
      const { name } = replica;
      const keeps = kept.get(replica) ?? vitals.memory;
      const usual = this.getUsualMemory(replica);
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

  private getUsualMemory({ name, process }: Replica): number {
    return Math.max(this.usual.get(name) ?? 0, this.before.get(process.name) ?? 0);
  }
}

const megabytes = (bytes: number) => `${Math.round(bytes / MEGABYTE)} MB`;

interface Answer {
  replica: Replica;
  vitals: Vitals;
}

/**
 * Returns the bytes that each process keeps: its heap after a garbage collection, and its other memory. Other
 * memory is freed with a delay, so the smaller of two readings counts. Skips processes that don't answer.
 */
async function keptBy(answers: Answer[]): Promise<Map<Replica, number>> {
  // Signals only processes that answered, because the signal would end a process that is still starting.
  await collectGarbage(answers.map(({ replica }) => replica.process));
  const collected = await ask(answers.map(({ replica }) => replica));
  const before = new Map(answers.map(({ replica, vitals }) => [replica, vitals.outside]));
  return new Map(
    collected.map(({ replica, vitals: { heap, outside } }) => [
      replica,
      heap + Math.min(outside, before.get(replica) ?? outside),
    ]),
  );
}

/** Skips processes that don't answer. Callers report them. */
async function ask(replicas: Replica[]): Promise<Answer[]> {
  const answers = await Promise.all(
    replicas.map(async (replica) => ({ replica, vitals: await fetchVitals(replica.operationsUrl) })),
  );
  return answers.flatMap(({ replica, vitals }) => (vitals === null ? [] : [{ replica, vitals }]));
}

async function fetchVitals(operationsUrl: string): Promise<Vitals | null> {
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
    if (error instanceof TypeError || (error as Error).name === 'TimeoutError') return null; // The process has ended or is suspended.
    throw error;
  }
}
