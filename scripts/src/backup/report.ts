import type { Fingerprints } from './fingerprints.js';

/** One line a table for standard error: standard output may be the backup itself. */
export function report(done: string, tables: Fingerprints): void {
  for (const [name, { rows }] of Object.entries(tables)) console.error(`${name.padEnd(34)}${rows}`);
  console.error(done);
}

/** Ends the command with a reason that people can read. */
export function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
