import { isPortFree, type PortPicker } from '@meetmark/testing';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import net from 'node:net';
import { progress } from './console.js';
import { DEFAULT_PORT, type Settings } from './settings.js';

/**
 * Returns the IP address of HOST.
 * @throws Error naming HOST if it can't be resolved or isn't an address of this machine
 */
export async function listenAddress(host: string): Promise<string> {
  const { address } = await lookup(host).catch((error: unknown) => {
    throw new Error(`HOST: no host is called '${host}'. Use a name or IP address of this machine`, {
      cause: error,
    });
  });
  const server = net.createServer().listen(0, address);
  try {
    await once(server, 'listening');
  } catch (error) {
    const found = address === host ? `'${host}'` : `'${host}' (${address})`;
    throw new Error(`HOST: ${found} is not an IP address of this machine. Use one that is`, {
      cause: error,
    });
  } finally {
    server.close();
  }
  return address;
}

/** Lowest port that needs no privileges on most systems. */
const FIRST_FOR_EVERYBODY = 1_024;

/** @throws Error with advice if the user chose the port and it is taken */
export async function publicPort(
  { port, portIsExplicit }: Pick<Settings, 'port' | 'portIsExplicit'>,
  ports: PortPicker,
): Promise<number> {
  if (!portIsExplicit) {
    const picked = await ports.pick(port);
    if (picked !== port)
      progress(`Port ${port} is in use by another program; using ${picked}. Set PORT to choose another`);
    return picked;
  }
  if (await isPortFree(port)) return ports.pick(port);
  const isReserved = port < FIRST_FOR_EVERYBODY;
  const reason = isReserved ? 'is in use, or this account may not open it' : 'is in use by another program';
  throw new Error(
    `Port ${port} (PORT) ${reason}. Stop that program or choose another port: PORT=${isReserved ? DEFAULT_PORT : port + 10} npm start`,
  );
}
