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
import { DomainError } from '@meetmark/contracts';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SHARED_BUDGETS, sharer, Shares } from './shared-budgets.js';
import type { GatewayConfig } from '../gateway.config.js';
import { rawRefusal } from './errors.js';
import { newRequestId } from './request.js';

/** Maximum bytes of a body on routes without images. */
export const BODY_LIMIT = 64 * 1024;
const TIMES = {
  headers: 10_000,
  request: 30_000,
  /** Longer than a proxy keeps idle connections, so that the proxy closes them first. */
  keepAlive: 75_000,
  /** After this time, a client that stops reading its response is disconnected. */
  stalled: 30_000,
};
/**
 * Maximum characters of a path parameter. The longest is the secret of a calendar feed or unsubscribe link.
 */
export const PARAMETER_LENGTH = 300;

export function createAdapter(
  { trustedProxies }: GatewayConfig,
  admit: (handle: RequestListener) => RequestListener,
  headers: () => Record<string, string>,
): FastifyAdapter {
  return new FastifyAdapter({
    skipMiddie: true,
    multipart: false,
    trustProxy: (_address: string, hop: number) => hop < trustedProxies,
    bodyLimit: BODY_LIMIT,
    serverFactory: (handle: RequestListener) =>
      shareConnections(createHttpServer(refuseAmbiguous(admit(handle), headers)), trustedProxies === 0),
    return503OnClosing: false, // Requests during a stop are answered normally, with Connection: close.
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: true, maxParamLength: PARAMETER_LENGTH },
    genReqId: newRequestId,
    // Fastify calls this before any hook, for a URL that it can't decode.
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      const refusal = rawRefusal(new DomainError('NOT_FOUND'), headers(), request.id);
      void reply.code(refusal.status).headers(refusal.headers).send(refusal.body);
    },
    clientErrorHandler: (error: Error & { code?: string }, socket: Socket) =>
      refuseUnreadable(error, socket, headers()),
  });
}

/** Fastify doesn't set timeouts if it gets a server from a factory. */
function createHttpServer(listener: RequestListener): Server {
  const { headers, request, keepAlive, stalled } = TIMES;
  const server = createServer(
    {
      headersTimeout: headers,
      requestTimeout: request,
      keepAliveTimeout: keepAlive,
      connectionsCheckingInterval: headers / 2,
      requireHostHeader: false, // The listener refuses requests without a host, so that they get our headers.
    },
    listener,
  );
  // Disconnects clients that have read nothing for this many milliseconds.
  server.setTimeout(stalled);
  // Handles requests with an unknown Expect header like other requests.
  return server.on('checkExpectation', listener);
}

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
 * Refuses requests that caches or proxies could read differently: without a host, with several hosts, or with
 * a target on another host. Ignores requests whose last transfer encoding isn't chunked, because Node's
 * parser refuses them after this call.
 */
function refuseAmbiguous(handle: RequestListener, headers: () => Record<string, string>): RequestListener {
  return (request, response) => {
    const { rawHeaders, url = '', httpVersion } = request;
    const hosts = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]!.toLowerCase() === 'host');
    const target = url.startsWith('/') || url === '*' ? undefined : URL.parse(url);
    const isOurs = target === undefined || target?.host === hosts[0]?.toLowerCase();
    if (!/(^|,\s*)chunked$/i.test(request.headers['transfer-encoding'] ?? 'chunked')) return;
    if (hosts.length > 1 || (hosts.length === 0 && httpVersion !== '1.0') || !isOurs)
      return refuseHost(response, headers());
    if (target) request.url = target.pathname + target.search;
    handle(request, response);
  };
}

function refuseHost(response: ServerResponse, fixed: Record<string, string>): void {
  const { status, headers, body } = rawRefusal(new DomainError('MALFORMED_TEXT'), fixed);
  response.writeHead(status, { ...headers, connection: 'close' }).end(body);
}

function refuseUnreadable(
  error: Error & { code?: string },
  socket: Socket,
  fixed: Record<string, string>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const code = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'REQUEST_TIMEOUT' : 'MALFORMED_TEXT';
  const { status, headers, body } = rawRefusal(new DomainError(code), fixed);
  const own = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' };
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  socket.destroySoon(); // Otherwise, a client could keep the connection open.
}

/**
 * Stops the gateway in two steps. First, responses announce `Connection: close`. Then new requests are
 * refused, and running ones finish.
 */
export class Drain {
  private begun = false;

  /** @param farewell milliseconds of the first step, in which clients can read `Connection: close` */
  constructor(private readonly farewell: number) {}

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
