import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CONTROLS, type Control } from './controls.js';
import { FAULTS } from './faults.js';
import { Rig } from './rig.js';
import { tryFault, type Verdict } from './trial.js';
import { warmUp } from './warm-up.js';
import type { Health } from './process-watch.js';

const TEST = fileURLToPath(new URL('../../../scripts/test.mjs', import.meta.url));
/**
 * Number of possible seeds, and number of requests per run. `npm test` uses a fixed seed and 3,000 requests.
 */
const SEEDS = 2 ** 31;
const FRESH_REQUESTS = 10_000;

const print = (line: string) => process.stdout.write(`${line}\n`);

function printHead(): void {
  print(
    '| Fault | Invariants | Recovery | Promised | Slowest answer | Memory, loop lag | ok / refused / unknown |',
  );
  print(
    '| ----- | ---------- | -------- | -------- | -------------- | ---------------- | ---------------------- |',
  );
}

function printVerdict(verdict: Verdict): void {
  const { fault, broken, recovery, slowest, health, figures, ok, refused, unknown } = verdict;
  const measured = Object.entries(figures).map(([what, value]) => `${what} ${value.toFixed(1)}`);
  const held = [broken.length === 0 ? 'hold' : `BROKEN: ${broken.join('; ')}`, ...measured].join(', ');
  print(
    `| ${fault.id} ${fault.title} | ${held} | ${recovery === null ? '–' : `${recovery} ms`} | ` +
      `${fault.recoverWithin === null ? '–' : `${fault.recoverWithin} ms`} | ${slowest} ms | ${vitals(health)} | ${ok} / ${refused} / ${unknown} |`,
  );
}

function printControlHead(): void {
  print('');
  print('| Control | A protection is taken away | The checker |');
  print('| ------- | -------------------------- | ----------- |');
}

function printControl({ id, title }: Control, found: string[]): void {
  const words = found.join('; ');
  print(`| ${id} | ${title} | ${isCaught(id, found) ? `noticed: ${words}` : `NOTICED NOTHING: ${words}`} |`);
}

function vitals(health: Health | null): string {
  if (health === null) return '–';
  const percent = Math.round(health.growth * 100);
  return `${percent < 0 ? '' : '+'}${percent} %, ${Math.round(health.lag)} ms`;
}

const isCaught = (id: string, found: string[]) => found.some((each) => each.startsWith(`${id}:`));

/**
 * `npm run faults` causes every listed fault, checks the invariants, and fuzzes with a new seed. `-- F2 F13`
 * selects faults, `--quick` shortens them, and `--no-controls` skips the negative controls.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: { quick: { type: 'boolean', default: false }, controls: { type: 'boolean', default: true } },
});
const known = FAULTS.map(({ id }) => id);
const unknown = positionals.filter((name) => !known.some((id) => isNamed(id, [name])));
if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}, but ${known.join(' ')}`);
const chosen = positionals.length === 0 ? FAULTS : FAULTS.filter(({ id }) => isNamed(id, positionals));

let failures = 0;
let finished = false;
const rig = await Rig.start();
try {
  const watch = await warmUp(rig);
  printHead();
  for (const fault of chosen) {
    const verdict = await tryFault(rig, fault, { thorough: !values.quick, patient: false, watch });
    printVerdict(verdict);
    if (verdict.broken.length > 0) failures += 1;
  }
  if (values.controls) await runControls();
  finished = true;
} finally {
  if (failures > 0 || !finished) keepLogs(rig.stack.logDirectory);
  await rig.stop();
}
if (positionals.length === 0 && !fuzzHolds()) failures += 1;
process.stdout.write(failures === 0 ? '\nEverything holds.\n' : `\n${failures} did not hold.\n`);
process.exitCode = failures === 0 ? 0 : 1;

async function runControls(): Promise<void> {
  printControlHead();
  for (const control of CONTROLS) {
    const found = await control
      .run(rig)
      .catch((error: unknown) => [`it broke off: ${error instanceof Error ? error.message : String(error)}`]);
    printControl(control, found);
    if (!isCaught(control.id, found)) failures += 1;
  }
}

/**
 * Sends random requests with a new seed, unless FUZZ_SEED is set. Prints the command that repeats the run.
 */
function fuzzHolds(): boolean {
  const FUZZ_SEED = process.env.FUZZ_SEED ?? String(randomInt(SEEDS));
  const FUZZ_REQUESTS = process.env.FUZZ_REQUESTS ?? String(FRESH_REQUESTS);
  print(`\nFUZZ_SEED=${FUZZ_SEED} FUZZ_REQUESTS=${FUZZ_REQUESTS} npm test -- fuzz.spec`);
  const { status } = spawnSync(process.execPath, [TEST, 'fuzz.spec'], {
    env: { ...process.env, FUZZ_SEED, FUZZ_REQUESTS },
    stdio: 'inherit',
  });
  return status === 0;
}

function keepLogs(logDirectory: string): void {
  const kept = mkdtempSync(path.join(tmpdir(), 'meetmark-faults-'));
  cpSync(logDirectory, kept, { recursive: true });
  process.stdout.write(`\nWhat the processes said: ${kept}\n`);
}

/** Selects faults by name. `F11` selects all its parts, `F11a` only one. */
function isNamed(id: string, names: string[]): boolean {
  return names.includes(id) || names.includes(id.replace(/[a-z]$/, ''));
}
