import fs from 'node:fs';
import path from 'node:path';

const PREVIOUS = '.previous.log';

/** Keeps the logs of this run and the one before. */
export function rotateLogs(directory: string): void {
  fs.mkdirSync(directory, { recursive: true, mode: 0o755 });
  for (const name of fs.readdirSync(directory)) {
    if (!name.endsWith('.log') || name.endsWith(PREVIOUS)) continue;
    fs.renameSync(path.join(directory, name), path.join(directory, name.replace(/\.log$/, PREVIOUS)));
  }
}
