import { DomainError } from '@meetmark/contracts';
import type { FastifyInstance } from 'fastify';
import { NoRoom, Shares, sharer } from './shared-budgets.js';

/** Bytes that a streamed response takes in memory. */
const STREAM = 64 * 1024;

interface SharedBody {
  network: string;
  responses: number;
}

/**
 * Limits the bytes of responses that clients haven't read. A network without room gets 503 before its request
 * is processed. server.ts disconnects clients that stop reading.
 */
export class ResponseBudget {
  private readonly shares = new Shares('unsentBodies');
  private readonly bodies = new Map<Buffer, SharedBody>();

  /** Must be called before compression, whose streams still keep the whole body in memory. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, _reply, done) => {
      if (!this.shares.hasRoom(sharer(request.ip))) throw new NoRoom();
      done();
    });
    fastify.addHook('onSend', (request, reply, payload, done) => {
      // Errors about a lack of room are short, so they are always sent.
      if (payload == null || reply.refusal instanceof NoRoom) return done();
      // The client left, so no `close` event would release this response.
      if (reply.raw.destroyed) return done(new DomainError('REQUEST_TIMEOUT'));
      const giveBack = this.take(sharer(request.ip), payload);
      if (giveBack === null) return done(new NoRoom());
      reply.raw.once('close', giveBack);
      done();
    });
  }

  /**
   * Returns a function that gives the bytes back, or null if the budget is used up. A body that several
   * responses share counts once, for the first network.
   */
  private take(network: string, payload: unknown): (() => void) | null {
    if (!Buffer.isBuffer(payload)) {
      const bytes = typeof payload === 'string' ? Buffer.byteLength(payload) : STREAM;
      return this.shares.take(network, bytes) ? () => this.shares.giveBack(network, bytes) : null;
    }
    const body = this.bodies.get(payload) ?? { network, responses: 0 };
    if (body.responses === 0 && !this.shares.take(network, payload.length)) return null;
    body.responses += 1;
    this.bodies.set(payload, body);
    return () => {
      body.responses -= 1;
      if (body.responses > 0) return;
      this.bodies.delete(payload);
      this.shares.giveBack(body.network, payload.length);
    };
  }
}
