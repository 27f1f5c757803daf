import { CONTROL_ELSEWHERE, type Control } from './controls.js';
import { NOT_BUILT } from './faults.js';
import type { Verdict } from './trial.js';

const print = (line: string) => process.stdout.write(`${line}\n`);

export function printHead(): void {
  print('| Fault | Invariants | Recovery | Promised | Slowest answer | ok / refused / unknown |');
  print('| ----- | ---------- | -------- | -------- | -------------- | ---------------------- |');
}

export function printVerdict(verdict: Verdict): void {
  const { fault, broken, recovery, slowest, ok, refused, unknown } = verdict;
  const held = broken.length === 0 ? 'hold' : `BROKEN: ${broken.join('; ')}`;
  print(
    `| ${fault.id} ${fault.title} | ${held} | ${recovery === null ? '–' : `${recovery} ms`} | ` +
      `${fault.recoverWithin === null ? '–' : `${fault.recoverWithin} ms`} | ${slowest} ms | ${ok} / ${refused} / ${unknown} |`,
  );
}

export function printNotBuilt(): void {
  for (const { id, title } of NOT_BUILT) print(`| ${id} ${title} | not built | – | – | – | – |`);
}

export function printControlHead(): void {
  print('');
  print('| Control | A protection is taken away | The checker |');
  print('| ------- | -------------------------- | ----------- |');
}

export function printControl({ id, title }: Control, found: string[]): void {
  print(`| ${id} | ${title} | ${isCaught(id, found) ? `noticed: ${found.join('; ')}` : 'NOTICED NOTHING'} |`);
}

export function printControlElsewhere(): void {
  const { id, title, where } = CONTROL_ELSEWHERE;
  print(`| ${id} | ${title} | held by ${where} |`);
}

export const isCaught = (id: string, found: string[]) => found.some((each) => each.startsWith(`${id}:`));
