import { randomInt } from 'node:crypto';
import net from 'node:net';

const NEIGHBOURS = 40;

/** Opens and closes a listener. */
function canListen(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(false) : reject(error),
    );
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

/** True when nothing listens on the port, neither on loopback nor on every address. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port));
}

/**
 * Below those that systems give to outgoing connections (Linux from 32768, others from 49152): of those, one that is free now may be
 * taken by any connection before its server listens.
 */
const CHOSEN = { first: 15_000, count: 17_600 };
/** Processes that choose at the same time begin in different parts. */
const PARTS = 8;
const PART = CHOSEN.count / PARTS;
let chosen = (process.pid % PARTS) * PART + randomInt(PART);

/** A free port, never the same twice. */
export async function anyFreePort(): Promise<number> {
  for (let tried = 0; tried < CHOSEN.count; tried++) {
    const port = CHOSEN.first + (chosen++ % CHOSEN.count);
    if (await isPortFree(port)) return port;
  }
  throw new Error('The system has no free port left');
}

/** Hands out ports near the wanted ones, never the same twice, also when asked concurrently. */
export class PortPicker {
  private readonly given = new Set<number>();
  private turn: Promise<unknown> = Promise.resolve();

  /** The wanted port, or the next free one above it; any free one where forty in a row are taken. */
  pick(wanted: number): Promise<number> {
    const picked = this.turn.then(() => this.next(wanted));
    this.turn = picked.catch(() => undefined); // the caller gets the error; the next one has a turn all the same
    return picked;
  }

  private async next(wanted: number): Promise<number> {
    for (let port = wanted; port < wanted + NEIGHBOURS; port++) {
      if (this.given.has(port) || !(await isPortFree(port))) continue;
      this.given.add(port);
      return port;
    }
    return anyFreePort();
  }
}

/** Whether a server did not start because another program has its port: as Node, PostgreSQL and Redis say it, also in their logs. */
export const isPortTaken = (error: unknown): boolean =>
  /EADDRINUSE|address already in use/i.test(String(error));

/** More than a start loses ports to others that start at the same moment. */
const MOST_TRIES = 12;

/**
 * Starts what listens on a port; where another program has taken the port since it was picked, on one further on. Not always the next:
 * those who have lost the same port would all try that one.
 * @throws what `start` throws, for a port that is taken after twelve tries
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
