import { isPortFree, type PortPicker } from '@meetmark/testing';
import { progress } from './console.js';
import type { Settings } from './settings.js';

/** @throws Error that says what to do when the user asked for a port that is taken */
export async function publicPort({ port, portIsExplicit }: Settings, ports: PortPicker): Promise<number> {
  if (!portIsExplicit) {
    const picked = await ports.pick(port);
    if (picked !== port)
      progress(`port ${port} is taken by another program; using ${picked} (set PORT to choose)`);
    return picked;
  }
  if (await isPortFree(port)) return ports.pick(port);
  throw new Error(
    `Port ${port} (PORT) is taken by another program. Stop that program, or choose another port: PORT=${port + 10} npm start`,
  );
}
