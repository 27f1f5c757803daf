import { findPostgresBinaries } from '@meetmark/testing/embedded/postgres-binaries';
import { findRedis } from '@meetmark/testing/embedded/redis-binary';
import os from 'node:os';
import { median } from './measure.js';

/** Without which no figure means anything. */
export function machine(): string[] {
  const [cpu] = os.cpus();
  const gigabytes = os.totalmem() / 2 ** 30;
  const silent = () => undefined;
  return [
    `${os.cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${gigabytes.toFixed(0)} GB, ${os.type()} ${os.release()}`,
    `Node ${process.version}, PostgreSQL ${findPostgresBinaries(silent).version}, Redis ${findRedis(silent).version}`,
  ];
}

/** Of the last 1, 5 and 15 minutes: what a quiet machine has not had when a run begins. */
export const loadAverage = () =>
  os
    .loadavg()
    .map((value) => value.toFixed(1))
    .join(', ');

const PIECES = 7;
const OBJECTS = 300_000;

/** Milliseconds that one processor needs for a fixed piece of work now: a virtual machine's neighbours can double it. */
export function pace(): number {
  const times = Array.from({ length: PIECES }, () => {
    const began = performance.now();
    const made = new Map<number, string>();
    for (let each = 0; each < OBJECTS; each += 1) made.set(each % 1_000, `object ${each}`);
    return performance.now() - began;
  });
  return median(times);
}
