import { setTimeout as pause } from 'node:timers/promises';
import type { ManagedProcess } from '@meetmark/testing';

const SIGNAL = 'SIGUSR2';
/** Milliseconds. */
const COLLECTED_WITHIN = 500;
const ON_SIGNAL = `process.on('${SIGNAL}', () => gc());`;

/** For node, so that its process can be told to collect its garbage. */
export const COLLECTING = [
  '--expose-gc',
  '--import',
  `data:text/javascript,${encodeURIComponent(ON_SIGNAL)}`,
];

/**
 * Collects the garbage of processes that run with `COLLECTING`. V8 lets an old generation grow to twice its size before it
 * looks through it: what a process holds in between tells when that was last, not what it keeps.
 */
export async function collectGarbage(processes: ManagedProcess[]): Promise<void> {
  for (const { pid } of processes) process.kill(pid, SIGNAL);
  await pause(COLLECTED_WITHIN);
}
