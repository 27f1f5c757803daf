import net from 'node:net';

const NEIGHBOURS = 40;

/** Opens and closes a listener; `port` 0 lets the system choose. Resolves with the port, or null when it is taken. */
function tryListen(port: number, host?: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(null) : reject(error),
    );
    server.listen(port, host, () => {
      const { port: bound } = server.address() as net.AddressInfo;
      server.close(() => resolve(bound));
    });
  });
}

/** True when nothing listens on the port, neither on loopback nor on every address. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await tryListen(port, '127.0.0.1')) !== null && (await tryListen(port)) !== null;
}

/** A free port chosen by the system. */
export async function anyFreePort(): Promise<number> {
  const port = await tryListen(0, '127.0.0.1');
  if (port === null) throw new Error('The system has no free port left');
  return port;
}

/** Hands out ports near the wanted ones, never the same twice, also when asked concurrently. */
export class PortPicker {
  private readonly given = new Set<number>();
  private turn: Promise<unknown> = Promise.resolve();

  /** The wanted port, or the next free one above it. */
  pick(wanted: number): Promise<number> {
    const picked = this.turn.then(() => this.next(wanted));
    this.turn = picked.catch(() => undefined); // whoever asked is told; the next one has a turn all the same
    return picked;
  }

  private async next(wanted: number): Promise<number> {
    for (let port = wanted; port < wanted + NEIGHBOURS; port++) {
      if (this.given.has(port) || !(await isPortFree(port))) continue;
      this.given.add(port);
      return port;
    }
    throw new Error(`No free port between ${wanted} and ${wanted + NEIGHBOURS - 1}`);
  }
}
