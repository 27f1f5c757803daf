import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A process of its own that answers every request with `bytes`, after one read in Redis when its address is given. */
export async function serveBare(
  bytes: Buffer,
  redisUrl?: string,
): Promise<{ url: string; stop: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'meetmark-bench-'));
  const file = join(folder, 'body');
  writeFileSync(file, bytes);
  const child = fork(fileURLToPath(new URL('./bare-server.js', import.meta.url)), [
    file,
    ...(redisUrl === undefined ? [] : [redisUrl]),
  ]);
  const [address] = (await once(child, 'message')) as [AddressInfo];
  rmSync(folder, { recursive: true });
  return { url: `http://127.0.0.1:${address.port}/`, stop: () => child.disconnect() };
}
