/** Prints one figure on a line of its own: `name ......... 1,234/s`. */
export function figure(name: string, value: string): void {
  process.stdout.write(`  ${name.padEnd(52, ' ')} ${value}\n`);
}

export function heading(text: string): void {
  process.stdout.write(`\n${text}\n`);
}

export const rate = (perSecond: number) => `${Math.round(perSecond).toLocaleString('en')}/s`;
export const ratio = (value: number) => value.toFixed(2);
export const milliseconds = (value: number) => `${value.toFixed(1)} ms`;
