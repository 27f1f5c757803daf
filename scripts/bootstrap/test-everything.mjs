import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { NX_ENVIRONMENT } from './build.mjs';
import { endWithParent, kill, RUN_MARK, survivorsOf } from './survivors.mjs';
import { STEPS } from './test-steps.mjs';

const FAREWELL_MS = 10_000;
const POLL_MS = 100;

/** Runs every step even when one fails, prints the summary and resolves with the exit code. */
export async function testEverything(root) {
  const runId = randomUUID();
  // All that the run writes is below one directory of its own, which goes with it.
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-run-'));
  // The account that PostgreSQL runs as under root has to enter it.
  fs.chmodSync(directory, 0o755);
  Object.assign(process.env, { TMPDIR: directory, [RUN_MARK]: runId, ...NX_ENVIRONMENT });
  const context = { root, environment: process.env };
  endWithParent(runId, directory);

  const results = [];
  for (const atOnce of STEPS) {
    console.log(`\n=== ${atOnce.map(({ name }) => name).join(', ')}`);
    results.push(...(await Promise.all(atOnce.map((step) => result(step, context)))));
  }
  results.push({ name: 'nothing left running', ...(await farewell(runId)), seconds: 0 });
  fs.rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  return summarise(results);
}

async function result({ name, run }, context) {
  const began = performance.now();
  const counts = await run(context);
  return { name, ...counts, seconds: (performance.now() - began) / 1000 };
}

/** Waits for the last processes of the run to end; those that do not are named, counted as a failure and killed. */
async function farewell(runId) {
  const end = Date.now() + FAREWELL_MS;
  while (survivorsOf(runId).length > 0 && Date.now() < end) await pause(POLL_MS);
  const survivors = survivorsOf(runId);
  for (const { pid, command } of survivors) {
    console.error(`still running: ${pid} ${command}`);
    kill(pid);
  }
  return survivors.length === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

/** Prints what each step came to, and what of it Nx took from its cache: nothing in a clean clone. */
function summarise(results) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  console.log(
    `\n${'step'.padEnd(24)}${'passed'.padStart(8)}${'failed'.padStart(8)}${'skipped'.padStart(9)}${'seconds'.padStart(9)}`,
  );
  for (const { name, passed, failed, skipped, seconds } of results) {
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
    const figures = `${String(passed).padStart(8)}${String(failed).padStart(8)}${String(skipped).padStart(9)}`;
    console.log(`${name.padEnd(24)}${figures}${seconds.toFixed(1).padStart(9)}`);
  }
  const taken = results.filter(({ cached = [] }) => cached.length > 0);
  console.log(`\nfrom the cache: ${taken.length === 0 ? 'nothing' : ''}`);
  for (const { name, cached } of taken) console.log(`  ${name}: ${cached.sort().join(', ')}`);
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
  return total.failed === 0 ? 0 : 1;
}
