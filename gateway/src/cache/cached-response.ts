import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import fresh from 'fresh';
import Negotiator from 'negotiator';

type Encoding = 'br' | 'gzip';

/** Minimum bytes of a body to compress. Smaller bodies would hardly shrink. */
const WORTH_COMPRESSING = 1_024;
const BROTLI_QUALITY = 5;
const ENCODERS: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: promisify(gzip) as (body: Buffer) => Promise<Buffer>,
};

interface CachingOptions {
  /** Text that identifies the content and is cheaper to hash than the body. */
  basis?: string;
  until?: number;
}

export class CachedResponse {
  static readonly JSON = 'application/json; charset=utf-8';

  readonly body: Buffer;
  readonly etag: string;
  readonly until: number;
  private readonly encoded = new Map<Encoding, Promise<Buffer>>();

  constructor(
    body: string | Buffer,
    readonly type: string,
    readonly headers: Record<string, string> = {},
    readonly status = 200,
    { basis, until = Infinity }: CachingOptions = {},
  ) {
    this.until = until;
    this.body = typeof body === 'string' ? Buffer.from(body) : body;
    // The ETag is weak, because all encodings share it.
    const tag = createHash('sha256').update(basis ?? this.body);
    this.etag = `W/"${tag.digest('base64url').slice(0, 27)}"`;
  }

  static json(value: unknown, until?: number, headers?: Record<string, string>): CachedResponse {
    return new CachedResponse(JSON.stringify(value), CachedResponse.JSON, headers, 200, { until });
  }

  get bytes(): number {
    return this.body.length;
  }

  in(encoding: Encoding): Promise<Buffer> {
    let made = this.encoded.get(encoding);
    if (made === undefined) this.encoded.set(encoding, (made = ENCODERS[encoding](this.body)));
    return made;
  }

  async send(reply: FastifyReply, cacheControl = 'public, no-cache'): Promise<void> {
    const { headers } = reply.request;
    reply
      .status(this.status)
      .headers({
        ...this.headers,
        etag: this.etag,
        'cache-control': cacheControl,
        vary: `Accept-Encoding, ${this.headers.vary ?? 'Cookie'}`,
      })
      .type(this.type);
    if (isFresh(headers, this.etag)) return void reply.status(304).send();
    const encoding = this.body.length < WORTH_COMPRESSING ? null : preferred(headers);
    if (encoding === null) return void reply.send(this.body);
    const body = await this.in(encoding);
    void reply.header('content-encoding', encoding).send(body);
  }
}

/** Returns whether the client's copy is current, by If-None-Match (RFC 9110, 13.1.2). */
export const isFresh = (headers: IncomingHttpHeaders, etag: string): boolean =>
  // Ignores Cache-Control, because `fetch` adds no-cache to If-None-Match, which would prevent any match.
  fresh({ 'if-none-match': headers['if-none-match'] }, { etag });

/** Prefers Brotli. Browsers list gzip first, but don't prefer it. */
export function preferred(headers: IncomingHttpHeaders): Encoding | null {
  const accepted = new Negotiator({ headers }).encodings(['br', 'gzip']);
  return accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : null;
}
