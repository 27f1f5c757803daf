import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/** Milliseconds in which connections that are in use learn, by `Connection: close`, to go elsewhere. */
const FAREWELL = 1_000;

/** Stops without cutting anyone off: answers close their connections first, then nothing new is accepted, then what runs ends. */
export class Drain {
  private begun = false;

  /** Before the routes are made. */
  watch(server: FastifyInstance): void {
    server.addHook('onSend', (_request, reply, _payload, done) => {
      if (this.begun) reply.header('connection', 'close');
      done();
    });
  }

  async stop(app: NestFastifyApplication): Promise<void> {
    this.begun = true;
    const server = app.getHttpServer();
    const connections = await promisify(server.getConnections.bind(server))();
    if (connections > 0) await pause(FAREWELL);
    await app.close();
  }
}
