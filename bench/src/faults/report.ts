import type { Control } from './controls.js';
import type { Health } from './process-watch.js';
import type { Verdict } from './trial.js';

const print = (line: string) => process.stdout.write(`${line}\n`);

export function printHead(): void {
  print(
    '| Fault | Invariants | Recovery | Promised | Slowest answer | Memory, loop lag | ok / refused / unknown |',
  );
  print(
    '| ----- | ---------- | -------- | -------- | -------------- | ---------------- | ---------------------- |',
  );
}

export function printVerdict(verdict: Verdict): void {
  const { fault, broken, recovery, slowest, health, figures, ok, refused, unknown } = verdict;
  const measured = Object.entries(figures).map(([what, value]) => `${what} ${value.toFixed(1)}`);
  const held = [broken.length === 0 ? 'hold' : `BROKEN: ${broken.join('; ')}`, ...measured].join(', ');
  print(
    `| ${fault.id} ${fault.title} | ${held} | ${recovery === null ? '–' : `${recovery} ms`} | ` +
      `${fault.recoverWithin === null ? '–' : `${fault.recoverWithin} ms`} | ${slowest} ms | ${vitals(health)} | ${ok} / ${refused} / ${unknown} |`,
  );
}

export function printControlHead(): void {
  print('');
  print('| Control | A protection is taken away | The checker |');
  print('| ------- | -------------------------- | ----------- |');
}

export function printControl({ id, title }: Control, found: string[]): void {
  const words = found.join('; ');
  print(`| ${id} | ${title} | ${isCaught(id, found) ? `noticed: ${words}` : `NOTICED NOTHING: ${words}`} |`);
}

/** `+4 %, 35 ms` */
function vitals(health: Health | null): string {
  if (health === null) return '–';
  const percent = Math.round(health.growth * 100);
  return `${percent < 0 ? '' : '+'}${percent} %, ${Math.round(health.lag)} ms`;
}

export const isCaught = (id: string, found: string[]) => found.some((each) => each.startsWith(`${id}:`));
