import { createServer, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DomainError, ERRORS } from '@meetmark/contracts';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SHARED_BUDGETS, sharer, Shares } from '../admission/shared-budgets.js';
import type { GatewayConfig } from '../gateway.config.js';
import { errorBody } from './errors.js';
import { newRequestId } from './request.js';

/** Bytes of a body, unless the route takes pictures. */
export const BODY_LIMIT = 64 * 1024;
/** Milliseconds. */
const TIMES = {
  headers: 10_000,
  request: 30_000,
  /** Longer than that of any proxy in front, so that always the proxy closes a connection. */
  keepAlive: 75_000,
};
/** Characters; the longest known parameter is the secret of a calendar feed or an unsubscribe link. */
export const PARAMETER_LENGTH = 300;
/** Milliseconds in which connections in use learn, by `Connection: close`, to go elsewhere. */
const FAREWELL = 1_000;

/**
 * Fastify with strict routes except for a slash at the end, bounded times and this API's error body for what Fastify refuses.
 * @param admit makes the listener of the server from that of Fastify
 */
export function createAdapter(
  { trustedProxies }: GatewayConfig,
  admit: (handle: RequestListener) => RequestListener,
): FastifyAdapter {
  return new FastifyAdapter({
    skipMiddie: true, // no Express middleware is used
    multipart: false,
    trustProxy: (_address: string, hop: number) => hop < trustedProxies,
    bodyLimit: BODY_LIMIT,
    serverFactory: (handle: RequestListener) =>
      shareConnections(createHttpServer(admit(handle)), trustedProxies === 0),
    return503OnClosing: false, // requests that arrive during a stop are answered, with Connection: close
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: true, maxParamLength: PARAMETER_LENGTH },
    genReqId: newRequestId,
    // an address that cannot be decoded: answered before any hook
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      void reply.code(404).send(errorBody(new DomainError('NOT_FOUND'), request.id));
    },
    clientErrorHandler: refuseUnreadable,
  });
}

/** Fastify leaves the times to the factory of the server. */
function createHttpServer(listener: RequestListener): Server {
  const { headers, request, keepAlive } = TIMES;
  return createServer(
    {
      headersTimeout: headers,
      requestTimeout: request,
      keepAliveTimeout: keepAlive,
      connectionsCheckingInterval: headers / 2,
    },
    listener,
  );
}

/** Bounds open connections; those of one network where no proxy stands before it. */
function shareConnections(server: Server, direct: boolean): Server {
  server.maxConnections = SHARED_BUDGETS.connections.all;
  if (!direct) return server;
  const shares = new Shares('connections');
  return server.on('connection', (socket: Socket) => {
    const network = sharer(socket.remoteAddress ?? '');
    if (!shares.take(network, 1)) return void socket.destroy();
    socket.once('close', () => shares.giveBack(network, 1));
  });
}

/** Node's parser could not read the request, or not all of it in time. */
function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const code = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'REQUEST_TIMEOUT' : 'MALFORMED_TEXT';
  const { status } = ERRORS[code];
  const body = JSON.stringify(errorBody(new DomainError(code), newRequestId()));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  socket.destroySoon(); // a client that leaves its half open would keep ours
}

/** Stops without cutting a request off: answers close their connections, then nothing new is accepted, then running requests end. */
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
