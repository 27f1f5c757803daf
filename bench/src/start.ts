import { startTestStack } from '@meetmark/scripts/stack/test-stack';
import { setTimeout as pause } from 'node:timers/promises';
import { memoryOf, processorTime } from './support/usage.js';
import { ratioOf, spread, type Effort, type Row } from './support/results.js';

const SECONDS_GOAL = 10;
const MEGABYTES_GOAL = 700;
/** Milliseconds after which what the start itself needed has been given back. */
const IDLE_FOR = 15_000;
const MOST_ROUNDS = 3;

/** From nothing but installed packages to a seeded community that answers; and what it holds while idle. */
export async function start({ rounds }: Effort): Promise<Row[]> {
  const seconds: number[] = [];
  const processor: number[] = [];
  let megabytes: number | null = null;
  const times = Math.min(rounds, MOST_ROUNDS);
  for (let round = 1; round <= times; round += 1) {
    const spent = processorTime(process.pid);
    const began = performance.now();
    const stack = await startTestStack({ seeded: true, durable: true });
    seconds.push((performance.now() - began) / 1_000);
    processor.push(((processorTime(process.pid) ?? NaN) - (spent ?? NaN)) / 1_000);
    if (round === times) {
      await pause(IDLE_FOR);
      const { postgres, redis } = stack.stack.servers.processes;
      const processes = [...stack.stack.replicas.map(({ process }) => process), postgres, redis];
      megabytes = memoryOf(processes.flatMap((each) => each?.pid ?? []));
    }
    await stack.stop();
  }
  const took = spread(seconds);
  return [
    {
      path: 'start to ready: servers, migrations, demo community, all processes',
      ours: `${took.median.toFixed(1)} s`,
      // what a busy machine does not change
      beside: `processor time of it: ${spread(processor).median.toFixed(1)} s`,
      ratio: `${ratioOf(took)} s`,
      goal: `≤ ${SECONDS_GOAL} s`,
      met: took.median <= SECONDS_GOAL,
    },
    {
      path: 'idle memory of all processes with PostgreSQL and Redis (proportional set size)',
      ours: megabytes === null ? 'this system does not tell' : `${Math.round(megabytes)} MB`,
      beside: '–',
      ratio: '–',
      goal: `≤ ${MEGABYTES_GOAL} MB`,
      met: megabytes === null ? null : megabytes <= MEGABYTES_GOAL,
    },
  ];
}
