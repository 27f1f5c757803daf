import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';

/**
 * Proxy that simulates faults. It can accept data without forwarding it, lose connections without closing
 * them, or switch to another target.
 */
export class SilentProxy {
  private readonly sockets = new Set<Socket>();
  private readonly lost = new Set<Socket>();
  private silent = false;
  accepted = 0;
  /**
   * Decides whether to hold back data of the target, and everything after it, until the target closes the
   * connection. The client then reads the data and the end at the same time, as a busy client would.
   */
  holdsBack: (data: Buffer) => boolean = () => false;

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

  /** Simulates a firewall that forgets connections: existing ones become silent, new ones work. */
  loseOpen(): void {
    this.sockets.forEach((socket) => this.lost.add(socket));
  }

  /** Switches new connections to another target and closes existing ones. */
  leadTo(target: string): void {
    this.target = new URL(target);
    this.sockets.forEach((socket) => socket.destroy());
  }

  async close(): Promise<void> {
    this.sockets.forEach((socket) => socket.destroy());
    this.server.close();
    await once(this.server, 'close');
  }

  // Data sent during the silence is lost, as with a crashed host.
  private join(near: Socket, far: Socket): void {
    this.accepted += 1;
    const held: Buffer[] = [];
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (data: Buffer) => {
        if (from === far && (held.length > 0 || this.holdsBack(data))) held.push(data);
        else if (!this.silent && !this.lost.has(from)) to.write(data);
      });
      from.on('error', () => from.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        if (this.silent) return;
        if (held.length > 0) to.end(Buffer.concat(held));
        else to.destroy();
      });
    }
  }
}
