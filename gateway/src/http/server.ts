import {
  createServer,
  STATUS_CODES,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DomainError, ERRORS } from '@meetmark/contracts';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SHARED_BUDGETS, sharer, Shares } from './shared-budgets.js';
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

/**
 * Fastify with strict routes except for a slash at the end, bounded times and this API's error body for what Fastify refuses.
 * @param admit makes the listener of the server from that of Fastify
 * @param headers what every answer has
 */
export function createAdapter(
  { trustedProxies }: GatewayConfig,
  admit: (handle: RequestListener) => RequestListener,
  headers: () => Record<string, string>,
): FastifyAdapter {
  return new FastifyAdapter({
    skipMiddie: true, // no Express middleware is used
    multipart: false,
    trustProxy: (_address: string, hop: number) => hop < trustedProxies,
    bodyLimit: BODY_LIMIT,
    serverFactory: (handle: RequestListener) =>
      shareConnections(createHttpServer(forOneHost(admit(handle), headers)), trustedProxies === 0),
    return503OnClosing: false, // requests that arrive during a stop are answered, with Connection: close
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: true, maxParamLength: PARAMETER_LENGTH },
    genReqId: newRequestId,
    // an address that cannot be decoded: answered before any hook
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      const own = { 'x-request-id': request.id, 'cache-control': 'no-store' };
      void reply
        .code(404)
        .headers({ ...headers(), ...own })
        .send(errorBody(new DomainError('NOT_FOUND'), request.id));
    },
    clientErrorHandler: (error: Error & { code?: string }, socket: Socket) =>
      refuseUnreadable(error, socket, headers()),
  });
}

/** Fastify leaves the times to the factory of the server. */
function createHttpServer(listener: RequestListener): Server {
  const { headers, request, keepAlive } = TIMES;
  const server = createServer(
    {
      headersTimeout: headers,
      requestTimeout: request,
      keepAliveTimeout: keepAlive,
      connectionsCheckingInterval: headers / 2,
      requireHostHeader: false, // refused below, with the headers of every answer
    },
    listener,
  );
  // an expectation that Node does not know: the request is answered as any other
  return server.on('checkExpectation', listener);
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

/**
 * Refuses what names no host, several, or in its target another one than in its header: a cache or proxy in front could take it for a request
 * to another site. A target with our own name is read as the path alone.
 */
function forOneHost(handle: RequestListener, headers: () => Record<string, string>): RequestListener {
  return (request, response) => {
    const { rawHeaders, url = '', httpVersion } = request;
    const hosts = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]!.toLowerCase() === 'host');
    const target = url.startsWith('/') || url === '*' ? undefined : URL.parse(url);
    const isOurs = target === undefined || target?.host === hosts[0]?.toLowerCase();
    if (hosts.length > 1 || (hosts.length === 0 && httpVersion !== '1.0') || !isOurs)
      return refuseHost(response, headers());
    if (target) request.url = target.pathname + target.search;
    handle(request, response);
  };
}

function refuseHost(response: ServerResponse, headers: Record<string, string>): void {
  const error = new DomainError('MALFORMED_TEXT');
  const requestId = newRequestId();
  const body = JSON.stringify(errorBody(error, requestId));
  response
    .writeHead(ERRORS[error.code].status, {
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': requestId,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    })
    .end(body);
}

/** Node's parser could not read the request, or not all of it in time. */
function refuseUnreadable(
  error: Error & { code?: string },
  socket: Socket,
  headers: Record<string, string>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const code = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'REQUEST_TIMEOUT' : 'MALFORMED_TEXT';
  const { status } = ERRORS[code];
  const requestId = newRequestId();
  const body = JSON.stringify(errorBody(new DomainError(code), requestId));
  const own = { ...headers, 'cache-control': 'no-store', 'x-request-id': requestId };
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  socket.destroySoon(); // a client that leaves its half open would keep ours
}

/** Stops without cutting a request off: answers close their connections, then nothing new is accepted, then running requests end. */
export class Drain {
  private begun = false;

  /** @param farewell milliseconds in which connections in use learn, by `Connection: close`, to go elsewhere */
  constructor(private readonly farewell: number) {}

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
    if (connections > 0) await pause(this.farewell);
    await app.close();
  }
}
