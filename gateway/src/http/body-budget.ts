import type { IncomingMessage, Server } from 'node:http';
import { DomainError } from '@meetmark/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BODY_LIMIT } from './server.js';

const MEGABYTE = 1024 * 1024;
/** Bytes of bodies that one gateway holds at a time. Large bodies have their own share, so that a sign-in does not wait for them. */
const BUDGET = { small: 16 * MEGABYTE, large: 22 * MEGABYTE };
/** Large bodies of one account at a time. */
const LARGE_OF_ONE = 2;
/** Milliseconds: the most for a whole body at its present speed; before its speed is judged; between two checks. */
const TIMES = { whole: 60_000, judgedAfter: 5_000, check: 1_000 };
/** Seconds. */
const RETRY_AFTER = 2;

/** A body that is being received. */
interface Incoming {
  request: IncomingMessage;
  size: number;
  /** Milliseconds, and the bytes of the connection at that time. */
  since: number;
  bytesBefore: number;
}

/**
 * Bounds the bytes of bodies in this process; a body counts until its answer is sent. A body without room is refused unread, one that
 * arrives too slowly is cut off.
 */
export class BodyBudget {
  private readonly taken = { small: 0, large: 0 };
  private readonly largeOf = new Map<string, number>();
  private readonly incoming = new Set<Incoming>();

  /** After the session is known. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      const size = announced(request);
      if (size === 0) return done();
      const giveBack = this.take(size, request.caller?.id ?? '');
      const incoming = { ...progress(request.raw), request: request.raw, size };
      this.incoming.add(incoming);
      reply.raw.once('close', () => {
        this.incoming.delete(incoming);
        giveBack();
      });
      done();
    });
    const timer = setInterval(() => this.cutOffSlow(fastify.server), TIMES.check).unref();
    fastify.addHook('onClose', (_instance, done) => {
      clearInterval(timer);
      done();
    });
  }

  /** @throws DomainError SERVICE_OVERLOADED */
  private take(size: number, account: string): () => void {
    const share = size > BODY_LIMIT ? 'large' : 'small';
    const count = this.largeOf.get(account) ?? 0;
    if (this.taken[share] + size > BUDGET[share] || (share === 'large' && count >= LARGE_OF_ONE))
      throw new DomainError('SERVICE_OVERLOADED', { outcome: 'not-started', retryAfter: RETRY_AFTER });
    this.taken[share] += size;
    if (share === 'large') this.largeOf.set(account, count + 1);
    return () => {
      this.taken[share] -= size;
      if (share === 'small') return;
      const left = (this.largeOf.get(account) ?? 0) - 1;
      if (left > 0) this.largeOf.set(account, left);
      else this.largeOf.delete(account);
    };
  }

  private cutOffSlow(server: Server): void {
    for (const incoming of this.incoming) {
      const { request, size, since, bytesBefore } = incoming;
      if (request.complete) this.incoming.delete(incoming);
      const passed = Date.now() - since;
      if (request.complete || passed < TIMES.judgedAfter) continue;
      const came = request.socket.bytesRead - bytesBefore;
      Object.assign(incoming, progress(request));
      // as after Node's own timeout
      if (came < (size * passed) / TIMES.whole) server.emit('clientError', tooSlow(), request.socket);
    }
  }
}

/** Bytes; the limit of the route for a body in chunks. */
function announced({ headers, routeOptions: { config } }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return config.bodyLimit ?? BODY_LIMIT;
  return Number(headers['content-length'] ?? 0);
}

const progress = ({ socket }: IncomingMessage) => ({ since: Date.now(), bytesBefore: socket.bytesRead });

const tooSlow = () =>
  Object.assign(new Error('the body arrives too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
