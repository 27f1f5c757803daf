import type { IncomingMessage, Server } from 'node:http';
import { DomainError } from '@meetmark/contracts';
import { onTicks } from '@meetmark/platform/redis/clock';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { NoRoom, Shares, sharer } from './shared-budgets.js';
import { BODY_LIMIT } from './server.js';

/** Bytes of memory for each byte of a body, at most: as it is received (up to twice its length), as text and as values. Of a large one most is a picture. */
export const BECOMES = { small: 12, large: 4 };
/** Bytes for which there is room at first: what comes decides, not what is announced. */
const FIRST_ROOM = 1_024;
/** Large bodies of one account at a time. */
const LARGE_OF_ONE = 2;
/** Milliseconds: the most for a small body; for a large one at its present speed; before that is judged; between two checks. */
const TIMES = { small: 5_000, large: 60_000, judgedAfter: 5_000, check: 500 };

const NOTHING = Buffer.alloc(0);

/**
 * Bounds the memory of bodies in this process; a body counts until its answer is sent. What would take more than there is, for all or for
 * its network, is refused; what arrives too slowly is cut off.
 */
export class BodyBudget {
  private readonly small = new Shares('smallBodies');
  private readonly large = new Shares('largeBodies');
  private readonly largeOf = new Map<string, number>();
  private readonly incoming = new Set<IncomingBody>();
  /** While something comes. */
  private stopChecks: (() => void) | undefined;

  /** After the session is known. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      const size = announced(request);
      if (size === 0) return done();
      // gone while the session was looked up: nothing would give back what is counted now
      if (reply.raw.destroyed) return done(new DomainError('REQUEST_TIMEOUT'));
      const isLarge = size > BODY_LIMIT;
      const endLarge = isLarge ? this.beginLarge(request.caller?.id ?? '') : undefined;
      const body = new IncomingBody(request, size, isLarge ? this.large : this.small);
      bodies.set(request.raw, body);
      this.incoming.add(body);
      this.stopChecks ??= onTicks(TIMES.check, () => this.cutOffSlow(fastify.server));
      reply.raw.once('close', () => {
        this.incoming.delete(body);
        body.giveBack();
        endLarge?.();
      });
      done();
    });
    fastify.addHook('onClose', (_instance, done) => {
      this.stopChecks?.();
      done();
    });
  }

  /** @throws DomainError SERVICE_OVERLOADED */
  private beginLarge(account: string): () => void {
    const count = this.largeOf.get(account) ?? 0;
    if (count >= LARGE_OF_ONE) throw new NoRoom();
    this.largeOf.set(account, count + 1);
    return () => {
      const left = (this.largeOf.get(account) ?? 0) - 1;
      if (left > 0) this.largeOf.set(account, left);
      else this.largeOf.delete(account);
    };
  }

  private cutOffSlow(server: Server): void {
    if (this.incoming.size === 0) {
      this.stopChecks?.();
      this.stopChecks = undefined;
    }
    for (const body of this.incoming) {
      if (body.request.complete) this.incoming.delete(body);
      // as after Node's own timeout
      else if (body.isTooSlow()) server.emit('clientError', tooSlow(), body.request.socket);
    }
  }
}

const bodies = new WeakMap<IncomingMessage, IncomingBody>();

/** The bytes of a request's body, once they have come. @throws DomainError BODY_TOO_LARGE, SERVICE_OVERLOADED */
export const received = ({ raw }: FastifyRequest): Promise<Buffer> =>
  bodies.get(raw)?.read() ?? Promise.resolve(NOTHING);

/** A body that is being received. */
class IncomingBody {
  readonly request: IncomingMessage;
  private readonly network: string;
  private readonly limit: number;
  private room: Buffer = NOTHING;
  private came = 0;
  /** Bytes of memory that were taken for it. */
  private charged = 0;
  private isOver = false;
  private readonly since = Date.now();
  /** Milliseconds, and the bytes at that time, from which the speed of a large one is judged next. */
  private judged = { at: this.since, came: 0 };

  constructor(
    request: FastifyRequest,
    private readonly size: number,
    private readonly shares: Shares,
  ) {
    this.request = request.raw;
    this.network = sharer(request.ip);
    this.limit = request.routeOptions.config.bodyLimit ?? BODY_LIMIT;
  }

  read(): Promise<Buffer> {
    const { request } = this;
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        request.off('data', onData).off('end', onEnd).off('error', onError);
        end();
      };
      const onData = (chunk: Buffer) => {
        try {
          this.add(chunk);
        } catch (error) {
          settle(() => reject(error as Error));
        }
      };
      const onEnd = () => settle(() => resolve(this.takeOut()));
      const onError = (error: Error) => settle(() => reject(error));
      request.on('data', onData).on('end', onEnd).on('error', onError);
    });
  }

  isTooSlow(now = Date.now()): boolean {
    if (this.size <= BODY_LIMIT) return now - this.since > TIMES.small;
    const passed = now - this.judged.at;
    if (passed < TIMES.judgedAfter) return false;
    const slow = this.came - this.judged.came < (this.size * passed) / TIMES.large;
    this.judged = { at: now, came: this.came };
    return slow;
  }

  giveBack(): void {
    this.shares.giveBack(this.network, this.charged);
    this.isOver = true;
    this.takeOut();
  }

  /** What the bytes become counts until the answer is sent; they themselves are needed no more. */
  private takeOut(): Buffer {
    const bytes = this.room.subarray(0, this.came);
    this.room = NOTHING;
    return bytes;
  }

  /** A body in many small pieces would take more memory in them than in one. */
  private add(chunk: Buffer): void {
    if (this.isOver) return;
    const came = this.came + chunk.length;
    if (came > this.limit) throw new DomainError('BODY_TOO_LARGE');
    if (came > this.room.length) this.grow(came);
    chunk.copy(this.room, this.came);
    this.came = came;
  }

  private grow(least: number): void {
    const length = Math.min(this.size, Math.max(FIRST_ROOM, least, this.room.length * 2));
    const more = (length - this.room.length) * (this.size > BODY_LIMIT ? BECOMES.large : BECOMES.small);
    if (!this.shares.take(this.network, more)) throw new NoRoom();
    this.charged += more;
    const room = Buffer.allocUnsafeSlow(length);
    this.room.copy(room, 0, 0, this.came);
    this.room = room;
  }
}

/** Bytes; the limit of the route for a body in chunks. */
function announced({ headers, routeOptions: { config } }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return config.bodyLimit ?? BODY_LIMIT;
  return Number(headers['content-length'] ?? 0);
}

const tooSlow = () =>
  Object.assign(new Error('the body arrives too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
