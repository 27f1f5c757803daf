import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** Milliseconds in which connections that are in use learn, by `Connection: close`, to go elsewhere. */
const FAREWELL = 1_000;

/** Stops without cutting anyone off: answers close their connections first, then nothing new is accepted, then what runs ends. */
export async function drain(app: NestFastifyApplication): Promise<void> {
  const server = app.getHttpServer();
  server.prependListener(
    'request',
    (_request: unknown, response: { setHeader(name: string, value: string): void }) =>
      response.setHeader('connection', 'close'),
  );
  const connections = await promisify(server.getConnections.bind(server))();
  if (connections > 0) await pause(FAREWELL);
  await app.close();
}
