import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { DomainError } from '@meetmark/contracts';
import { registry } from '@meetmark/platform';
import { refusals } from '@meetmark/platform/rpc/protocol';
import { Logger } from '@nestjs/common';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyInstance } from 'fastify';
import { Counter } from 'prom-client';
import { LRUCache } from 'lru-cache';
import { rawRefusal } from '../http/errors.js';
import { failurePage, HTML } from '../http/failure-page.js';
import { newRequestId } from '../http/request.js';
import type { FixedHeaders } from '../http/security-headers.js';
import { RouteConcurrency } from './route-concurrency.js';
import { NoRoom, NoTurn, sharer } from '../http/shared-budgets.js';

const LOG_EVERY = 1_000;
/**
 * Milliseconds for which a network's requests of one kind are refused after too many of them were waiting.
 */
const BARRED_FOR = 100;
const BARRED = 10_000;
/** Maximum number of request kinds to track. The gateway has about eighty. */
const KINDS = 500;
const ONE_OF_MANY =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}|(?<=\/)[\w-]{43}(?=\/|\.|$)|(?<=\/)[\w-]{22}(?=\/|$)/gi;
const READS = new Set(['GET', 'HEAD']);
const SERVER_ERROR = 500;
const BUSY = refusals.queueFull();
const turnedAway = new Counter({
  name: 'http_turned_away_total',
  help: 'Requests rejected because too many of their kind were waiting',
  registers: [registry],
});

/**
 * Refuses requests under overload before any other work. Loading a session, checking the rate limit and
 * calling a service would cost more than most responses. Runs before Fastify creates its objects, because
 * they are costly too (docs/scaling.md). Obsolete once services can refuse as cheaply, or a proxy limits
 * requests per route.
 */
export class AdmissionControl {
  private readonly logger = new Logger('Http');
  private readonly kinds = new LRUCache<string, RouteConcurrency>({ max: KINDS });
  /** Time (milliseconds since 1970) until which requests are refused, by kind of request and network. */
  private readonly barred = new LRUCache<string, number>({ max: BARRED });
  private readonly admitted = new WeakMap<IncomingMessage, AdmittedRequest>();
  private fixedHeaders: FixedHeaders = () => ({});
  private refused = 0;
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly trustedProxies: number,
    private readonly now = Date.now,
  ) {}

  before(handle: RequestListener): RequestListener {
    return (request, response) => {
      const kind = getKind(request);
      const concurrency = this.getConcurrency(kind);
      const network = this.getNetwork(request);
      if (this.isBarred(`${kind} ${network}`) || concurrency.isFull(network)) return this.refuse(response);
      this.admit(request, response, new AdmittedRequest(concurrency, network));
      handle(request, response);
    };
  }

  watch(server: FastifyInstance, fixed: FixedHeaders): void {
    this.fixedHeaders = fixed;
    // Ends the request when its response starts, so that the client's time for reading doesn't count.
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

  headers(): Record<string, string> {
    return this.fixedHeaders();
  }

  private learnFrom(refusal: DomainError, request: IncomingMessage): void {
    if (refusal instanceof NoTurn)
      this.barred.set(`${getKind(request)} ${this.getNetwork(request)}`, this.now() + BARRED_FOR);
    if (refusal instanceof NoRoom) return; // A lack of room concerns only this network.
    const { code, details } = refusal;
    // With another outcome, SERVICE_OVERLOADED concerns one busy row, and other rows may still be available.
    if (code === 'SERVICE_OVERLOADED' && details?.outcome === 'not-started')
      this.getConcurrency(getKind(request)).refused();
  }

  private getNetwork(request: IncomingMessage): string {
    return sharer(proxyAddr(request, (_address, hop) => hop < this.trustedProxies));
  }

  private isBarred(asking: string): boolean {
    return (this.barred.get(asking) ?? 0) > this.now();
  }

  private getConcurrency(kind: string): RouteConcurrency {
    const concurrency = this.kinds.get(kind) ?? new RouteConcurrency();
    this.kinds.set(kind, concurrency); // Marks the kind as used, so that made-up paths are evicted first.
    return concurrency;
  }

  private admit(request: IncomingMessage, response: ServerResponse, admitted: AdmittedRequest): void {
    this.admitted.set(request, admitted);
    // Until the body is complete, the gateway waits for the client and not for a service.
    if (hasBody(request)) request.once('end', () => admitted.begin());
    else admitted.begin();
    response.once('close', () => admitted.end({ answered: false }));
  }

  private refuse(response: ServerResponse): void {
    turnedAway.inc();
    this.log();
    const requestId = newRequestId();
    const { status, headers, body } = rawRefusal(BUSY, this.fixedHeaders(), requestId);
    const page = failurePage(response.req, status, requestId);
    response
      .writeHead(status, {
        ...headers,
        ...(page !== undefined && { 'content-type': HTML }),
        'retry-after': String(BUSY.details?.retryAfter),
        'content-length': Buffer.byteLength(page ?? body),
      })
      .end(page ?? body);
  }

  private log(): void {
    this.refused += 1;
    this.timer ??= setTimeout(() => {
      this.logger.warn(`Rejected ${this.refused} requests: too many of their kind were waiting`);
      this.refused = 0;
      this.timer = undefined;
    }, LOG_EVERY);
  }
}

/** Counts a request as waiting from its last byte until its response starts or the client disconnects. */
class AdmittedRequest {
  private state: 'receiving' | 'waiting' | 'over' = 'receiving';

  constructor(
    private readonly concurrency: RouteConcurrency,
    private readonly network: string,
  ) {}

  begin(): void {
    if (this.state !== 'receiving') return; // The request was refused before its body was complete.
    this.state = 'waiting';
    this.concurrency.begin(this.network);
  }

  end(outcome: { answered: boolean }): void {
    if (this.state === 'waiting') this.concurrency.end(outcome, this.network);
    this.state = 'over';
  }
}

/** Registering and unregistering share a limiter, because they wait for the same rows. */
const getKind = ({ method = '', url = '' }: IncomingMessage) =>
  `${READS.has(method) ? 'read' : 'change'} ${parsePath(url).replaceAll(ONE_OF_MANY, ':id')}`;

function parsePath(url: string): string {
  const [path = ''] = url.split('?', 1);
  return (path.includes('%') ? decoded(path) : path).replace(/(?<=.)\/$/, '');
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
