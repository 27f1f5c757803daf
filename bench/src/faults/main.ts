import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CONTROLS } from './controls.js';
import { FAULTS } from './faults.js';
import { isCaught, printControl, printControlHead, printHead, printVerdict } from './report.js';
import { Rig } from './rig.js';
import { tryFault } from './trial.js';
import { warmUp } from './warm-up.js';

/**
 * `npm run faults`: breaks a whole Meetmark in every way that the reliability page names, and checks what must hold.
 * `npm run faults -- F2 F13` only those; `--quick` shortens the long ones; `--no-controls` leaves the negative controls out.
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

/** The stack takes its own away with it. */
function keepLogs(logDirectory: string): void {
  const kept = mkdtempSync(path.join(tmpdir(), 'meetmark-faults-'));
  cpSync(logDirectory, kept, { recursive: true });
  process.stdout.write(`\nWhat the processes said: ${kept}\n`);
}

/** F11 names all its parts, F11a one of them. */
function isNamed(id: string, names: string[]): boolean {
  return names.includes(id) || names.includes(id.replace(/[a-z]$/, ''));
}
