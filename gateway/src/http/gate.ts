import { DomainError } from '@meetmark/contracts';
import { servesPeople } from '@meetmark/platform';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RouteInventory } from '../access/route-inventory.js';
import type { GatewayConfig } from '../gateway.config.js';
import { isPage } from '../site/pages.js';
import { BODY_LIMIT } from './adapter.js';
import { isCrossSite } from './cross-site.js';
import { checkDeclaredBody } from './declared-body.js';
import { parseJson } from './request-body.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The first checks of every request, by its headers alone: to whom and from where it comes, whether there is such a call, then what kind of
 * body it announces.
 */
export function guardGate(server: FastifyInstance, config: GatewayConfig, inventory: RouteInventory): void {
  const publicHost = new URL(config.publicUrl).host;
  const hosts = allowedHosts(config);
  server.addHook('onRequest', (request, _reply, done) => {
    if (!hosts.has(hostName(request))) throw new DomainError('HOST_UNKNOWN');
    const { config: route } = request.routeOptions;
    const changes = !SAFE_METHODS.has(request.method);
    const origins = { publicHost, requestHost: request.host };
    if (changes && !route.fromAnywhere && isCrossSite(request.headers, origins))
      throw new DomainError('CROSS_SITE');
    refuseOtherMethods(request, inventory); // whatever its body may be
    if (changes) checkDeclaredBody(request.headers, route.bodyLimit ?? BODY_LIMIT, route.body ?? 'json');
    done();
  });
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The names that this site goes by: that of PUBLIC_URL, and those of this machine where nobody else is served. A page of another
 * name that leads to our address (DNS rebinding) is another site, and what is said to it is not meant for us.
 */
function allowedHosts(config: GatewayConfig): Set<string> {
  return new Set([new URL(config.publicUrl).hostname, ...(servesPeople(config) ? [] : LOOPBACK)]);
}

/** Without its port, which proxies and containers change. */
const hostName = ({ host }: FastifyRequest) => host.replace(/:\d*$/, '').toLowerCase();

function refuseOtherMethods(request: FastifyRequest, inventory: RouteInventory): void {
  const methods = inventory.methodsInsteadOf(request);
  if (methods === null) return;
  const [path = ''] = request.url.split('?', 1);
  const allow = methods.length === 0 && isPage(path) ? ['GET', 'HEAD'] : methods;
  throw allow.length === 0 ? new DomainError('NOT_FOUND') : new DomainError('METHOD_NOT_ALLOWED', { allow });
}

/** JSON, and a form where a route says so; nothing else is read (0.7). */
export function readBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer' } as const;
  server.addContentTypeParser('application/json', options, (_request, body: Buffer, done) => {
    parse(() => parseJson(body), done);
  });
  server.addContentTypeParser(FORMS, options, (request, _body: Buffer, done) => {
    // what a form says is in its address; its fields are read to their end and no further
    parse(() => refuseUnlessForm(request), done);
  });
}

/** A mail program may send its one-click unsubscribe as either (RFC 8058, 3.2). */
const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data'];

function refuseUnlessForm(request: FastifyRequest): void {
  if (request.routeOptions.config.body !== 'form') throw new DomainError('NOT_JSON');
}

function parse(read: () => unknown, done: (error: Error | null, body?: unknown) => void): void {
  let body: unknown;
  try {
    body = read();
  } catch (error) {
    return done(error as Error);
  }
  done(null, body);
}
