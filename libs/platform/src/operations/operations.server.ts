import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { registry } from './metrics.js';
import type { Readiness } from './readiness.js';

type Answer = { status: number; type: string; body: string };

const json = (status: number, body: object): Answer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
});

/** /livez and /healthz fail if the process needs a restart. They don't check dependencies. */
export class OperationsServer {
  private readonly server: Server;
  private readonly logger = new Logger('Operations');

  constructor(private readonly readiness: Readiness) {
    this.server = createServer((request, response) => {
      this.answer(request.url ?? '').then(
        (answer) => write(response, answer),
        (error: unknown) => {
          this.logger.error({ err: error, msg: `Could not answer ${request.url}` });
          write(response, json(500, { status: 'failed' }));
        },
      );
    });
  }

  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, resolve);
    });
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private life(): Answer {
    const problems = this.readiness.restartReasons();
    return problems.length === 0
      ? json(200, { status: 'alive' })
      : json(503, { status: 'hopeless', problems });
  }

  private async answer(url: string): Promise<Answer> {
    switch (url.split('?')[0]) {
      case '/livez':
      case '/healthz':
        return this.life();
      case '/readyz': {
        const report = await this.readiness.report();
        return json(report.status === 'ready' ? 200 : 503, report);
      }
      case '/metrics':
        return { status: 200, type: registry.contentType, body: await registry.metrics() };
      default:
        return json(404, { status: 'not found' });
    }
  }
}

function write(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}
