import { randomInt } from 'node:crypto';
import net from 'node:net';

const NEIGHBOURS = 40;

function canListen(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(false) : reject(error),
    );
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

/** Whether the port is free on loopback and on all addresses. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port));
}

/**
 * Ports below the ephemeral range. Outgoing connections may use ephemeral ports at any time. The range starts
 * at 32768 on Linux and at 49152 elsewhere.
 */
const CHOSEN = { first: 15_000, count: 17_600 };
/** Concurrent processes start in different parts of the range, so that they rarely try the same port. */
const PARTS = 8;
const PART = CHOSEN.count / PARTS;
let chosen = (process.pid % PARTS) * PART + randomInt(PART);

export async function anyFreePort(): Promise<number> {
  for (let tried = 0; tried < CHOSEN.count; tried++) {
    const port = CHOSEN.first + (chosen++ % CHOSEN.count);
    if (await isPortFree(port)) return port;
  }
  throw new Error('The system has no free port left');
}

/** Assigns ports close to the requested ones. Never assigns a port twice, even concurrently. */
export class PortPicker {
  private readonly given = new Set<number>();
  private turn: Promise<unknown> = Promise.resolve();

  /** Returns the requested port or the next free one. If forty in a row are taken, returns any free port. */
  pick(wanted: number): Promise<number> {
    const picked = this.turn.then(() => this.next(wanted));
    this.turn = picked.catch(() => undefined); // A failed call doesn't block the next one.
    return picked;
  }

  private async next(wanted: number): Promise<number> {
    for (let port = wanted; port < wanted + NEIGHBOURS; port++) {
      if (this.given.has(port) || !(await isPortFree(port))) continue;
      this.given.add(port);
      return port;
    }
    let port = await anyFreePort();
    while (this.given.has(port)) port = await anyFreePort();
    this.given.add(port);
    return port;
  }
}

/** Whether a server failed because its port is taken. Recognises messages of Node, PostgreSQL and Redis. */
export const isPortTaken = (error: unknown): boolean =>
  /EADDRINUSE|address already in use/i.test(String(error));

/** Maximum number of attempts. Concurrent starts may take ports from each other, but fewer than this. */
const MOST_TRIES = 12;

/**
 * Starts a server, and tries other ports if another program has taken the port. Skips a random number of
 * ports, so that concurrent starts don't collide again.
 * @throws the error of `start`; for a taken port only after twelve attempts
 */
export async function onFreePort<T>(
  wanted: number,
  pick: (wanted: number) => Promise<number>,
  start: (port: number) => Promise<T>,
): Promise<T> {
  for (let tried = 1, from = wanted; ; tried++) {
    try {
      return await start(await pick(from));
    } catch (error) {
      if (tried === MOST_TRIES || !isPortTaken(error)) throw error;
      from += randomInt(1, MOST_TRIES);
    }
  }
}
