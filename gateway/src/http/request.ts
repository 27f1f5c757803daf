import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { DEADLINES, DomainError, type User } from '@meetmark/contracts';
import { type Call, registry, runInCall, SECONDS, StartedCall } from '@meetmark/platform';
import { createParamDecorator, Logger, type ExecutionContext } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Histogram } from 'prom-client';
import type { GatewayConfig } from '../gateway.config.js';

declare module 'fastify' {
  interface FastifyRequest {
    call: StartedCall;
    caller: User | null;
  }
  interface FastifyReply {
    refusal: DomainError | null;
  }
}

const BAD_REQUEST = 400;
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

export const newRequestId = () => randomUUID();

export function scopeRequests(server: FastifyInstance): void {
  server.decorateRequest('call', null as unknown as StartedCall);
  server.decorateRequest('caller', null);
  server.decorateReply('refusal', null);
  server.addHook('onRequest', (request, reply, done) => {
    request.call = new StartedCall({
      requestId: request.id,
      traceparent: traceparent(request.raw),
      timeLeft: DEADLINES.gateway,
    });
    // Defaults for personal responses. Public responses replace them.
    reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store', vary: 'Cookie' });
    runInCall(request.call, done);
  });
  // Restarts the deadline, because the client's time for sending the body doesn't count. Also restores the
  // call's context, which is lost in the events that deliver the body.
  server.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined) return done();
    request.call = new StartedCall({ ...request.call, timeLeft: DEADLINES.gateway });
    runInCall(request.call, done);
  });
}

/** Runs `work` with a deadline of its own, for a download that may take longer than a request. */
export const withNewDeadline = <T>(call: Call, work: () => T): T =>
  runInCall(new StartedCall({ ...call, timeLeft: DEADLINES.gateway }), work);

function traceparent({ headers }: IncomingMessage): string | undefined {
  const { traceparent: value } = headers;
  return typeof value === 'string' && TRACEPARENT.test(value) ? value : undefined;
}

export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): User => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (caller === null) throw new DomainError('UNAUTHORIZED');
  return caller;
});

const requestSeconds = new Histogram({
  name: 'http_request_seconds',
  help: 'Duration of requests, from the first byte to the end of the response, in seconds',
  labelNames: ['method', 'route', 'status'],
  buckets: SECONDS,
  registers: [registry],
});

/** Logs the route instead of the URL, which may contain a secret. */
export function logRequests(server: FastifyInstance, { logLevel }: Pick<GatewayConfig, 'logLevel'>): void {
  const logger = new Logger('Http');
  const detailed = logLevel === 'debug' || logLevel === 'trace';
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const { method } = request;
    const status = reply.statusCode;
    requestSeconds.observe({ method, route, status }, reply.elapsedTime / 1_000);
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
