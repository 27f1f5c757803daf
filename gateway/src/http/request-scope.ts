import { randomUUID } from 'node:crypto';
import { DEADLINES } from '@meetmark/contracts';
import { runInCall, StartedCall } from '@meetmark/platform';
import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

export const newRequestId = () => randomUUID();

/** Gives every request its id and deadline, and carries them to all that is done for it, without anyone passing them on. */
export function scopeRequests(server: FastifyInstance): void {
  server.decorateRequest('call', null as unknown as StartedCall); // set below, before anyone reads it
  server.decorateRequest('caller', null);
  server.addHook('onRequest', (request, reply, done) => {
    request.call = new StartedCall({
      requestId: request.id,
      traceparent: traceparent(request.raw),
      timeLeft: DEADLINES.gateway,
    });
    // safe for personal answers, which most are; public ones say otherwise
    reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store', vary: 'Cookie' });
    runInCall(request.call, done);
  });
  // reading a body has left the scope, since its events belong to the connection; how long that took was the client's own time
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
