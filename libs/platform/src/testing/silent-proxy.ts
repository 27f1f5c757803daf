import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';

/**
 * Stands before a server and can go silent (connections stay open, new ones are accepted, nothing is passed on), lose the connections that
 * are open without closing them, or lead to another server.
 */
export class SilentProxy {
  private readonly sockets = new Set<Socket>();
  private readonly lost = new Set<Socket>();
  private silent = false;
  /** Connections since the beginning. */
  accepted = 0;

  private constructor(
    private readonly server: net.Server,
    readonly url: string,
    private target: URL,
  ) {}

  static async before(target: string): Promise<SilentProxy> {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = Object.assign(new URL(target), { port: String((server.address() as AddressInfo).port) });
    const proxy = new SilentProxy(server, url.href, new URL(target));
    server.on('connection', (near) => {
      const { hostname, port } = proxy.target;
      proxy.join(near, net.connect(Number(port), hostname));
    });
    return proxy;
  }

  goSilent(): void {
    this.silent = true;
  }

  speakAgain(): void {
    this.silent = false;
  }

  /** As when a firewall forgets what it let through: open connections are silent for ever, new ones are not. */
  loseOpen(): void {
    this.sockets.forEach((socket) => this.lost.add(socket));
  }

  /** Every new connection goes there; those to the old target are cut. */
  leadTo(target: string): void {
    this.target = new URL(target);
    this.sockets.forEach((socket) => socket.destroy());
  }

  async close(): Promise<void> {
    this.sockets.forEach((socket) => socket.destroy());
    this.server.close();
    await once(this.server, 'close');
  }

  // what was held back during the silence is lost, as with a host that went down
  private join(near: Socket, far: Socket): void {
    this.accepted += 1;
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (data) => this.silent || this.lost.has(from) || to.write(data));
      from.on('error', () => from.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        if (!this.silent) to.destroy();
      });
    }
  }
}
