import { findPostgresBinaries } from '@meetmark/testing/embedded/postgres-binaries';
import { findRedis } from '@meetmark/testing/embedded/redis-binary';
import os from 'node:os';

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
