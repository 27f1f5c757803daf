import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sharedStack } from '../../support/shared-stack.js';

export async function logs(): Promise<string> {
  const { logDirectory } = sharedStack();
  const files = await readdir(logDirectory);
  return (await Promise.all(files.map((file) => readFile(join(logDirectory, file), 'utf8')))).join('\n');
}
