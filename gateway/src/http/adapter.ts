import { DomainError, ERRORS } from '@meetmark/contracts';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { GatewayConfig } from '../gateway.config.js';
import { errorBody } from './error-body.js';
import { newRequestId } from './request-scope.js';

/** Bytes of a body, unless the route takes pictures. */
export const BODY_LIMIT = 64 * 1024;
/** Milliseconds. */
const TIMES = {
  headers: 10_000,
  request: 30_000,
  /** Above that of any proxy in front, so that it is always the proxy that closes. */
  keepAlive: 75_000,
};
/** Characters; the secret of a calendar feed or an unsubscribe link is the longest that we know. */
const PARAMETER_LENGTH = 300;

/** Fastify as we use it: strict routes but for a slash at the end, bounded times, our own words for what Fastify refuses by itself. */
export function createAdapter({ trustedProxies }: GatewayConfig): FastifyAdapter {
  return new FastifyAdapter({
    skipMiddie: true, // no Express middleware is used
    multipart: false,
    trustProxy: (_address: string, hop: number) => hop < trustedProxies,
    bodyLimit: BODY_LIMIT,
    requestTimeout: TIMES.request,
    keepAliveTimeout: TIMES.keepAlive,
    http: { headersTimeout: TIMES.headers, connectionsCheckingInterval: TIMES.headers / 2 },
    return503OnClosing: false, // what still arrives while stopping is answered, with Connection: close
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: true, maxParamLength: PARAMETER_LENGTH },
    genReqId: newRequestId,
    // an address that cannot be decoded: answered before any hook
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      void reply.code(404).send(errorBody(new DomainError('NOT_FOUND'), request.id));
    },
    clientErrorHandler: refuseUnreadable,
  });
}

/** The parser of Node could not read the request at all, or not all of it in time. */
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
