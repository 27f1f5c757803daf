import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { DEADLINES, DomainError, type User } from '@meetmark/contracts';
import { registry, runInCall, SECONDS, StartedCall } from '@meetmark/platform';
import { noteWork } from '@meetmark/platform/redis/clock';
import { createParamDecorator, Logger, type ExecutionContext } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Histogram } from 'prom-client';
import type { GatewayConfig } from '../gateway.config.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Carries request id, deadline and identity to everything that this request causes. */
    call: StartedCall;
    /** The user of a valid session. */
    caller: User | null;
  }
  interface FastifyReply {
    /** The refusal that the client is sent. */
    refusal: DomainError | null;
  }
}

const BAD_REQUEST = 400;
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

export const newRequestId = () => randomUUID();

/** Gives every request its id and deadline, which reach all its asynchronous work without being passed on. */
export function scopeRequests(server: FastifyInstance): void {
  server.decorateRequest('call', null as unknown as StartedCall); // set below, before it is read
  server.decorateRequest('caller', null);
  server.decorateReply('refusal', null);
  server.addHook('onRequest', (request, reply, done) => {
    noteWork();
    request.call = new StartedCall({
      requestId: request.id,
      traceparent: traceparent(request.raw),
      timeLeft: DEADLINES.gateway,
    });
    // safe for personal answers; public ones set their own
    reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store', vary: 'Cookie' });
    runInCall(request.call, done);
  });
  // events of the connection, which deliver the body, are outside the scope; the deadline starts anew because the client took that time
  server.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined) return done();
    request.call = new StartedCall({ ...request.call, timeLeft: DEADLINES.gateway });
    runInCall(request.call, done);
  });
}

function traceparent({ headers }: IncomingMessage): string | undefined {
  const { traceparent: value } = headers;
  return typeof value === 'string' && TRACEPARENT.test(value) ? value : undefined;
}

/** The signed-in user who makes the request. Only on routes that visitors may not call. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): User => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (caller === null) throw new DomainError('UNAUTHORIZED');
  return caller;
});

const requestSeconds = new Histogram({
  name: 'http_request_seconds',
  help: 'Requests from their first byte to the end of their answer',
  labelNames: ['method', 'route', 'status'],
  buckets: SECONDS,
  registers: [registry],
});

/** Writes one line and one measurement for each request, with the route instead of the address, which may hold the secret of a feed. */
export function logRequests(server: FastifyInstance, { logLevel }: Pick<GatewayConfig, 'logLevel'>): void {
  const logger = new Logger('Http');
  const detailed = logLevel === 'debug' || logLevel === 'trace';
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const { method } = request;
    const status = reply.statusCode;
    requestSeconds.observe({ method, route, status }, reply.elapsedTime / 1_000);
    // successful reads are measured only
    const quiet = (method === 'GET' || method === 'HEAD') && status < BAD_REQUEST;
    if (quiet && !detailed) return done();
    const line = {
      requestId: request.id,
      method,
      route,
      status,
      ms: Math.round(reply.elapsedTime),
      userId: request.caller?.id,
    };
    if (quiet) logger.debug(line);
    else logger.log(line);
    done();
  });
}
