import { isPortFree, type PortPicker } from '@meetmark/testing';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import net from 'node:net';
import { progress } from './console.js';
import { DEFAULT_PORT, type Settings } from './settings.js';

/**
 * The IP address that HOST stands for.
 * @throws Error that names HOST when nothing of that name, or no such address of this machine, is there to listen at
 */
export async function listenAddress(host: string): Promise<string> {
  const { address } = await lookup(host).catch((error: unknown) => {
    throw new Error(`HOST: there is no host called '${host}'. Give a name or an address of this machine`, {
      cause: error,
    });
  });
  const server = net.createServer().listen(0, address);
  try {
    await once(server, 'listening');
  } catch (error) {
    const found = address === host ? `'${host}'` : `'${host}' (${address})`;
    throw new Error(`HOST: ${found} is not an address of this machine, so nothing can listen there`, {
      cause: error,
    });
  } finally {
    server.close();
  }
  return address;
}

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
