import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ERRORS, type DomainError } from '@meetmark/contracts';
import { BoundedMap, registry } from '@meetmark/platform';
import { refusals } from '@meetmark/platform/rpc/protocol';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Counter } from 'prom-client';
import { errorBody } from '../http/error-body.js';
import { newRequestId } from '../http/request-scope.js';
import type { FixedHeaders } from '../http/security-headers.js';
import { PathLoad } from './path-load.js';
import { Visit } from './visit.js';

/** Milliseconds between two lines that tell how many were turned away. */
const TOLD_EVERY = 1_000;
/** Kinds of requests that are told apart; we have some eighty. */
const KINDS = 500;
/** What stands for one of many: ids and the hashes of pictures. */
const ONE_OF_MANY = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}/gi;
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
 * Refuses what there is no room for before anything is done for it: to find out who asks, to count that against their limits and
 * to ask a service costs more than many an answer, and under an overload would keep the others from theirs.
 */
@Injectable()
export class Doorkeeper implements OnApplicationShutdown {
  private readonly logger = new Logger('Http');
  private readonly loads = new BoundedMap<string, PathLoad>(KINDS);
  private readonly visits = new WeakMap<IncomingMessage, Visit>();
  private untold = 0;
  private timer?: NodeJS.Timeout;

  /** Takes notice of what a request came to. */
  notice(request: IncomingMessage, { code, details }: DomainError): void {
    // a database that is busy with one row says SERVICE_OVERLOADED too, and has room for others
    if (code === 'SERVICE_OVERLOADED' && details?.outcome === 'not-started') this.loadOf(request).refused();
  }

  /** From now on. @param fixed what our answers carry that are not given at the door */
  guard(fastify: FastifyInstance, fixed: FixedHeaders): void {
    const { server } = fastify;
    const handlers = server.listeners('request') as RequestListener[];
    server.removeAllListeners('request');
    server.on('request', (request, response) => {
      const load = this.loadOf(request);
      if (load.isFull()) return this.turnAway(response, fixed());
      this.letIn(request, response, load);
      for (const handle of handlers) handle.call(server, request, response);
    });
    // when the answer begins: how long the client takes to read it is its own affair
    fastify.addHook('onSend', (request, reply, _payload, done) => {
      this.visits.get(request.raw)?.end({ answered: reply.statusCode < SERVER_ERROR });
      done();
    });
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }

  /** All that changes the same thing waits for the same rows: taking places and giving them up are one kind. */
  private loadOf({ method = '', url = '' }: IncomingMessage): PathLoad {
    const kind = `${READS.has(method) ? 'read' : 'change'} ${pathOf(url).replaceAll(ONE_OF_MANY, ':id')}`;
    const load = this.loads.get(kind) ?? new PathLoad();
    this.loads.set(kind, load); // the youngest: paths that exist nowhere must not drive out those that are in use
    return load;
  }

  private letIn(request: IncomingMessage, response: ServerResponse, load: PathLoad): void {
    const visit = new Visit(load);
    this.visits.set(request, visit);
    // as long as its body is on its way it is we who wait
    if (hasBody(request)) request.once('end', () => visit.begin());
    else visit.begin();
    response.once('close', () => visit.end({ answered: false }));
  }

  private turnAway(response: ServerResponse, fixed: Record<string, string>): void {
    turnedAway.inc();
    this.tell();
    const requestId = newRequestId();
    const body = JSON.stringify(errorBody(BUSY, requestId));
    const length = Buffer.byteLength(body);
    response
      .writeHead(ERRORS[BUSY.code].status, {
        ...fixed,
        ...HEADERS,
        'x-request-id': requestId,
        'content-length': length,
      })
      .end(body);
  }

  private tell(): void {
    this.untold += 1;
    this.timer ??= setTimeout(() => {
      this.logger.warn(`${this.untold} requests were turned away: too many of their kind were waiting`);
      this.untold = 0;
      this.timer = undefined;
    }, TOLD_EVERY);
  }
}

/** However it is spelled: the router decodes a path, and takes one with a slash at its end for the one without. */
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

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
