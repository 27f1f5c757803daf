import type { IncomingMessage, Server } from 'node:http';
import { DomainError } from '@meetmark/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { NoRoom, Shares, sharer } from './shared-budgets.js';
import { BODY_LIMIT } from './server.js';

/**
 * Bytes of memory per byte of a body: its buffer (up to twice its size), its text and its parsed values.
 * Large bodies need less, because they are mostly an image.
 */
export const BECOMES = { small: 12, large: 4 };
/** Bytes of the first buffer, regardless of the announced size. */
const FIRST_ROOM = 1_024;
const LARGE_OF_ONE = 2;
/**
 * Milliseconds. A small body must arrive within `small`. A large body must arrive fast enough to be complete
 * within `large`. Its speed is measured over at least `judgedAfter`.
 */
const TIMES = { small: 5_000, large: 60_000, judgedAfter: 5_000, check: 500 };

const NOTHING = Buffer.alloc(0);

export class BodyBudget {
  private readonly small = new Shares('smallBodies');
  private readonly large = new Shares('largeBodies');
  private readonly largeOf = new Map<string, number>();
  private readonly incoming = new Set<IncomingBody>();
  private checks: NodeJS.Timeout | undefined;

  /** Must be called after the session hook, which finds the caller. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      const size = announced(request);
      if (size === 0) return done();
      // The client left during the session lookup, so no `close` event would release this body.
      if (reply.raw.destroyed) return done(new DomainError('REQUEST_TIMEOUT'));
      const isLarge = size > BODY_LIMIT;
      const endLarge = isLarge ? this.beginLarge(request.caller?.id ?? '') : undefined;
      const body = new IncomingBody(request, size, isLarge ? this.large : this.small);
      bodies.set(request.raw, body);
      this.incoming.add(body);
      this.checks ??= setInterval(() => this.cutOffSlow(fastify.server), TIMES.check).unref();
      reply.raw.once('close', () => {
        this.incoming.delete(body);
        body.giveBack();
        endLarge?.();
      });
      done();
    });
    fastify.addHook('onClose', (_instance, done) => {
      clearInterval(this.checks);
      done();
    });
  }

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
      clearInterval(this.checks);
      this.checks = undefined;
    }
    for (const body of this.incoming) {
      if (body.request.complete) this.incoming.delete(body);
      // Responds as Node does after its own request timeout.
      else if (body.isTooSlow()) server.emit('clientError', tooSlow(), body.request.socket);
    }
  }
}

const bodies = new WeakMap<IncomingMessage, IncomingBody>();

/** @throws DomainError BODY_TOO_LARGE, SERVICE_OVERLOADED */
export const received = ({ raw }: FastifyRequest): Promise<Buffer> =>
  bodies.get(raw)?.read() ?? Promise.resolve(NOTHING);

class IncomingBody {
  readonly request: IncomingMessage;
  private readonly network: string;
  private readonly limit: number;
  private room: Buffer = NOTHING;
  private came = 0;
  private charged = 0;
  private isOver = false;
  private readonly since = Date.now();
  /**
   * Start of a large body's current speed measurement: milliseconds since 1970, and bytes received by then.
   */
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

  /** Releases the buffer, but not the budget: the parsed values still count until the response is sent. */
  private takeOut(): Buffer {
    const bytes = this.room.subarray(0, this.came);
    this.room = NOTHING;
    return bytes;
  }

  /** Copies the chunk, because keeping many small chunks would take more memory. */
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

/** Returns the announced bytes. Chunked bodies announce no size, so the route's limit counts instead. */
function announced({ headers, routeOptions: { config } }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return config.bodyLimit ?? BODY_LIMIT;
  return Number(headers['content-length'] ?? 0);
}

const tooSlow = () =>
  Object.assign(new Error('The body arrived too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
