import { readFileSync } from 'node:fs';
import path from 'node:path';

const OPERATIONS = path.resolve(import.meta.dirname, '../../../docs/operations.md');

/** The command for operators as docs/operations.md tells it, without `docker compose`: each `NAME=…` of it gets its value. */
export function documentedRun(tool: string, values: Record<string, string>): string[] {
  const text = readFileSync(OPERATIONS, 'utf8');
  const found = new RegExp(`\`docker compose (run [^\`]* ${tool})\``).exec(text)?.[1];
  if (found === undefined) throw new Error(`docs/operations.md does not tell how to run ${tool}`);
  const told = [...found.matchAll(/(\w+)=…/g)].map(([, name = '']) => name);
  if (told.join() !== Object.keys(values).join()) throw new Error(`${tool} is told to take ${told.join()}`);
  return found
    .split(' ')
    .map((word) => word.replace(/^(\w+)=…$/, (_, name: string) => `${name}=${values[name]}`));
}
