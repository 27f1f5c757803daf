import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PublicFetch } from '../media/fetch-public.js';

export const PUBLIC = { address: '93.184.215.14', family: 4 };

export type Answering = (request: IncomingMessage, reply: ServerResponse) => void;

/** A local web server that stands in for every host that a PublicFetch connects to. */
export class FakeWebHost {
  answer: Answering = (_, reply) => void reply.end('picture');
  readonly asked: string[] = [];
  readonly connected: string[] = [];
  private readonly server: Server = createServer((request, reply) => {
    this.asked.push(request.url!);
    this.answer(request, reply);
  });

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  standsFor(fetcher: PublicFetch, addresses = [PUBLIC]): void {
    fetcher.settings.resolve = async () => addresses;
    fetcher.settings.request = (url, { lookup, signal, headers }) => {
      lookup!(url.hostname, { all: true }, (_, found) => {
        this.connected.push(...(found as { address: string }[]).map(({ address }) => address));
      });
      const { port } = this.server.address() as AddressInfo;
      const path = url.pathname + url.search;
      return request({ host: '127.0.0.1', port, path, agent: false, headers, ...(signal && { signal }) });
    };
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
