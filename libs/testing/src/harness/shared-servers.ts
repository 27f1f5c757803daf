import { embeddedServers } from './embedded-servers.js';
import type { SharedServers } from './shared-server.js';

/** `MEETMARK_TEST_SERVERS=containers` runs the same tests on the images that production runs. */
export const TEST_SERVERS = 'MEETMARK_TEST_SERVERS';

/** @throws Error when the environment asks for something else than `embedded` or `containers` */
export async function chooseServers(
  directory: string,
  onSpawn: (pid: number) => void,
): Promise<SharedServers> {
  const chosen = process.env[TEST_SERVERS] || 'embedded';
  if (chosen === 'embedded') return embeddedServers(directory, onSpawn);
  // Its package speaks with Docker, and takes a second to load.
  if (chosen === 'containers') return (await import('./container-servers.js')).containerServers;
  throw new Error(`${TEST_SERVERS} is embedded or containers, not ${chosen}`);
}
