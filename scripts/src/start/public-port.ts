import { isPortFree, type PortPicker } from '@meetmark/testing';
import { progress } from './console.js';
import { DEFAULT_PORT, type Settings } from './settings.js';

/** Those below are the system administrator's, on most systems. */
const FIRST_FOR_EVERYBODY = 1_024;

/** @throws Error that says what to do when the user asked for a port that is taken */
export async function publicPort(
  { port, portIsExplicit }: Pick<Settings, 'port' | 'portIsExplicit'>,
  ports: PortPicker,
): Promise<number> {
  if (!portIsExplicit) {
    const picked = await ports.pick(port);
    if (picked !== port)
      progress(`port ${port} is taken by another program; using ${picked} (set PORT to choose)`);
    return picked;
  }
  if (await isPortFree(port)) return ports.pick(port);
  const isReserved = port < FIRST_FOR_EVERYBODY;
  const reason = isReserved ? 'is taken, or not for this account to open' : 'is taken by another program';
  throw new Error(
    `Port ${port} (PORT) ${reason}. Stop that program, or choose another port: PORT=${isReserved ? DEFAULT_PORT : port + 10} npm start`,
  );
}
