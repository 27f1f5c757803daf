import { once } from 'node:events';
import { anyFreePort } from '@meetmark/testing';
import net, { type Socket } from 'node:net';

/** What the proxy does to what passes through it. */
export type Manners =
  | { kind: 'pass' }
  /** Milliseconds by which every answer of the server comes later. */
  | { kind: 'latency'; ms: number }
  /** Connections are cut, new ones refused. */
  | { kind: 'down' }
  /** Connections stay open and new ones are accepted; nothing is passed on, and what was sent is lost. */
  | { kind: 'timeout' };

/** Stands before a server and fails on request, as a network would. */
export class FaultProxy {
  private readonly sockets = new Set<Socket>();
  private manners: Manners = { kind: 'pass' };
  private server: net.Server | undefined;

  private constructor(
    private target: URL,
    private readonly port: number,
  ) {}

  /** `url` may be of any scheme that names a host and a port. */
  static async before(url: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(new URL(url), await anyFreePort());
    await proxy.listen();
    return proxy;
  }

  /** The server's address, by way of the proxy. */
  get url(): string {
    return Object.assign(new URL(this.target), { hostname: '127.0.0.1', port: String(this.port) }).href;
  }

  /** From now on; `pass` makes everything well again. */
  async set(manners: Manners): Promise<void> {
    const before = this.manners;
    this.manners = manners;
    if (manners.kind === 'down') await this.refuse();
    // what was swallowed in a silence is missing from the streams: they cannot go on
    if (before.kind === 'timeout') this.reset();
    if (before.kind === 'down' && manners.kind !== 'down') await this.listen();
  }

  /** Every new connection goes there; those to the old target are cut. */
  leadTo(url: string): void {
    this.target = new URL(url);
    this.reset();
  }

  /** Cuts every connection there is, by RST; new ones are served. */
  reset(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    await this.refuse();
  }

  private async listen(): Promise<void> {
    const server = net.createServer((near) => this.join(near));
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.server = server;
  }

  private async refuse(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    this.server = undefined;
    const closed = once(server, 'close');
    server.close();
    this.reset();
    await closed;
  }

  private join(near: Socket): void {
    const far = net.connect(Number(this.target.port), this.target.hostname);
    this.pass(near, far, () => 0);
    this.pass(far, near, () => (this.manners.kind === 'latency' ? this.manners.ms : 0));
  }

  private pass(from: Socket, to: Socket, delay: () => number): void {
    this.sockets.add(from);
    from.setNoDelay(true);
    // an outage of the server reaches the client as the end of its connection, below
    from.on('error', () => from.destroy());
    from.on('close', () => {
      this.sockets.delete(from);
      if (this.manners.kind !== 'timeout') to.destroy();
    });
    const late: Buffer[] = [];
    from.on('data', (data: Buffer) => {
      if (this.manners.kind === 'timeout') return;
      const wait = delay();
      if (wait === 0 && late.length === 0) return void to.write(data);
      late.push(data); // whichever timer comes first writes what came first
      setTimeout(() => {
        const next = late.shift();
        if (next !== undefined && to.writable) to.write(next);
      }, wait);
    });
  }
}
