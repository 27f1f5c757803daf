import { once } from 'node:events';
import { anyFreePort } from '@meetmark/testing';
import net, { type Socket } from 'node:net';

export type Manners =
  | { kind: 'pass' }
  | { kind: 'latency'; ms: number }
  /** Cuts connections and refuses new ones. */
  | { kind: 'down' }
  /** Accepts connections but drops all data. */
  | { kind: 'timeout' };

export class FaultProxy {
  private readonly sockets = new Set<Socket>();
  private manners: Manners = { kind: 'pass' };
  private server: net.Server | undefined;

  private constructor(
    private target: URL,
    private readonly port: number,
  ) {}

  /** Starts a proxy in front of `url`, which can have any scheme with host and port. */
  static async before(url: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(new URL(url), await anyFreePort());
    await proxy.listen();
    return proxy;
  }

  get url(): string {
    return Object.assign(new URL(this.target), { hostname: '127.0.0.1', port: String(this.port) }).href;
  }

  async set(manners: Manners): Promise<void> {
    const before = this.manners;
    this.manners = manners;
    if (manners.kind === 'down') await this.refuse();
    // Connections can't continue, because the proxy dropped some of their data.
    if (before.kind === 'timeout') this.reset();
    if (before.kind === 'down' && manners.kind !== 'down') await this.listen();
  }

  leadTo(url: string): void {
    this.target = new URL(url);
    this.reset();
  }

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
      late.push(data);
      setTimeout(() => {
        const next = late.shift();
        if (next !== undefined && to.writable) to.write(next);
      }, wait);
    });
  }
}
