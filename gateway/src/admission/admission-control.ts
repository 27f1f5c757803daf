import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ERRORS, type DomainError } from '@meetmark/contracts';
import { registry } from '@meetmark/platform';
import { refusals } from '@meetmark/platform/rpc/protocol';
import { Logger } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Counter } from 'prom-client';
import { LRUCache } from 'lru-cache';
import { errorBody } from '../http/errors.js';
import { failurePage, HTML } from '../http/failure-page.js';
import { newRequestId } from '../http/request.js';
import type { FixedHeaders } from '../http/security-headers.js';
import { RouteConcurrency } from './route-concurrency.js';
import { NoRoom, NoTurn, sharer } from '../http/shared-budgets.js';

/** Milliseconds between two lines in the log about refused requests. */
const LOG_EVERY = 1_000;
/** Milliseconds for which a network is refused a kind of requests, once too many of its own wait; and networks that are remembered. */
const BARRED_FOR = 100;
const BARRED = 10_000;
/** Kinds of requests that are counted apart; the gateway has about eighty. */
const KINDS = 500;
/** Ids, the hashes of pictures and secrets, which stand for one of many in a path. */
const ONE_OF_MANY =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}|(?<=\/)[\w-]{43}(?=\/|\.|$)|(?<=\/)[\w-]{22}(?=\/|$)/gi;
const READS = new Set(['GET', 'HEAD']);
const SERVER_ERROR = 500;
const BUSY = refusals.queueFull();
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'retry-after': String(BUSY.details?.retryAfter),
};

const turnedAway = new Counter({
  name: 'http_turned_away_total',
  help: 'Requests refused at the door because too many of their kind were waiting',
  registers: [registry],
});

/**
 * Refuses requests for which there is no room before any work is done for them: session, rate limit and message cost more than most
 * answers, and under an overload they would delay every other request. It works on Node's requests, before Fastify, because
 * Fastify's own request and reply objects are part of that cost. Figures: docs/scaling.md. It can go when the services refuse as
 * cheaply as the gateway can, or when a proxy in front limits requests in flight for each route.
 */
export class AdmissionControl {
  private readonly logger = new Logger('Http');
  private readonly kinds = new LRUCache<string, RouteConcurrency>({ max: KINDS });
  /** By kind and network: until when, in milliseconds since 1970. */
  private readonly barred = new LRUCache<string, number>({ max: BARRED });
  private readonly admitted = new WeakMap<IncomingMessage, AdmittedRequest>();
  private fixedHeaders: FixedHeaders = () => ({});
  private refused = 0;
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly trustedProxies: number,
    private readonly now = Date.now,
  ) {}

  /** The listener of the server: `handle` runs for admitted requests only. */
  before(handle: RequestListener): RequestListener {
    return (request, response) => {
      const kind = kindOf(request);
      const concurrency = this.concurrencyOf(kind);
      const network = this.networkOf(request);
      if (this.isBarred(`${kind} ${network}`) || concurrency.isFull(network)) return this.refuse(response);
      this.admit(request, response, new AdmittedRequest(concurrency, network));
      handle(request, response);
    };
  }

  /** Learns from the answers. @param fixed the headers that every answer has */
  watch(server: FastifyInstance, fixed: FixedHeaders): void {
    this.fixedHeaders = fixed;
    // when the answer begins: the time in which the client reads it does not count
    server.addHook('onSend', (request, reply, _payload, done) => {
      if (reply.refusal !== null) this.learnFrom(reply.refusal, request.raw);
      this.admitted.get(request.raw)?.end({ answered: reply.statusCode < SERVER_ERROR });
      done();
    });
    server.addHook('onClose', (_instance, done) => {
      clearTimeout(this.timer);
      done();
    });
  }

  /** What every answer has, for those that Fastify's hooks do not reach. */
  headers(): Record<string, string> {
    return this.fixedHeaders();
  }

  private learnFrom(refusal: DomainError, request: IncomingMessage): void {
    if (refusal instanceof NoTurn)
      this.barred.set(`${kindOf(request)} ${this.networkOf(request)}`, this.now() + BARRED_FOR);
    if (refusal instanceof NoRoom) return; // says nothing about a service, nor about other networks
    const { code, details } = refusal;
    // a database that is busy with one row also answers SERVICE_OVERLOADED, and has room for others
    if (code === 'SERVICE_OVERLOADED' && details?.outcome === 'not-started')
      this.concurrencyOf(kindOf(request)).refused();
  }

  private networkOf(request: IncomingMessage): string {
    return sharer(clientAddress(request, this.trustedProxies));
  }

  private isBarred(asking: string): boolean {
    return (this.barred.get(asking) ?? 0) > this.now();
  }

  /** Requests that change the same thing wait for the same rows: registering and unregistering are one kind. */
  private concurrencyOf(kind: string): RouteConcurrency {
    const concurrency = this.kinds.get(kind) ?? new RouteConcurrency();
    this.kinds.set(kind, concurrency); // the newest: invented paths must not evict those in use
    return concurrency;
  }

  private admit(request: IncomingMessage, response: ServerResponse, admitted: AdmittedRequest): void {
    this.admitted.set(request, admitted);
    // until its body is complete, the gateway waits for the client
    if (hasBody(request)) request.once('end', () => admitted.begin());
    else admitted.begin();
    response.once('close', () => admitted.end({ answered: false }));
  }

  private refuse(response: ServerResponse): void {
    turnedAway.inc();
    this.log();
    const requestId = newRequestId();
    const { status } = ERRORS[BUSY.code];
    const page = failurePage(response.req, status, requestId);
    const body = page ?? JSON.stringify(errorBody(BUSY, requestId));
    response
      .writeHead(status, {
        ...this.fixedHeaders(),
        ...HEADERS,
        ...(page === undefined ? {} : { 'content-type': HTML }),
        'x-request-id': requestId,
        'content-length': Buffer.byteLength(body),
      })
      .end(body);
  }

  private log(): void {
    this.refused += 1;
    this.timer ??= setTimeout(() => {
      this.logger.warn(`${this.refused} requests were turned away: too many of their kind were waiting`);
      this.refused = 0;
      this.timer = undefined;
    }, LOG_EVERY);
  }
}

/** One request, from its last byte until its answer begins or its client disconnects. */
class AdmittedRequest {
  private state: 'receiving' | 'waiting' | 'over' = 'receiving';

  constructor(
    private readonly concurrency: RouteConcurrency,
    private readonly network: string,
  ) {}

  begin(): void {
    if (this.state !== 'receiving') return; // refused before its body was complete
    this.state = 'waiting';
    this.concurrency.begin(this.network);
  }

  end(outcome: { answered: boolean }): void {
    if (this.state === 'waiting') this.concurrency.end(outcome, this.network);
    this.state = 'over';
  }
}

const kindOf = ({ method = '', url = '' }: IncomingMessage) =>
  `${READS.has(method) ? 'read' : 'change'} ${pathOf(url).replaceAll(ONE_OF_MANY, ':id')}`;

/** As the router reads it, which decodes a path and ignores a slash at its end. */
function pathOf(url: string): string {
  const [path = ''] = url.split('?', 1);
  return (path.includes('%') ? decoded(path) : path).replace(/(?<=.)\/$/, '');
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path; // the router refuses it
  }
}

/** As Fastify finds it: the address that the last trusted proxy saw. */
function clientAddress({ socket, headers }: IncomingMessage, trustedProxies: number): string {
  const peer = socket.remoteAddress ?? '';
  if (trustedProxies === 0) return peer;
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const hops = [
    peer,
    ...forwarded
      .map((hop) => hop.trim())
      .filter(Boolean)
      .toReversed(),
  ];
  return hops[Math.min(trustedProxies, hops.length - 1)]!;
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
