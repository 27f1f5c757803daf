import type { IncomingHttpHeaders } from 'node:http';
import { DomainError, parsedUrl } from '@meetmark/contracts';
import { servesPeople } from '@meetmark/platform';
import type { FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../gateway.config.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a request may change something. */
export const isUnsafe = (method: string) => !SAFE_METHODS.has(method);

/** Refuses requests for another host, and changes that another site asks for: DomainError HOST_UNKNOWN, CROSS_SITE. */
export function originCheck(config: GatewayConfig): (request: FastifyRequest) => void {
  const publicHost = new URL(config.publicUrl).host;
  const hosts = allowedHosts(config);
  let usual: string | undefined; // almost every request has the same
  return (request) => {
    const { host, method, headers } = request;
    if (host !== usual) {
      if (!hosts.has(nameOf(host))) throw new DomainError('HOST_UNKNOWN');
      usual = host;
    }
    if (!isUnsafe(method) || request.routeOptions.config.fromAnywhere) return;
    if (isCrossSite(headers, { publicHost, requestHost: host })) throw new DomainError('CROSS_SITE');
  };
}

/**
 * The host of PUBLIC_URL, and the names of this machine unless the site is public. A page under another name that resolves to
 * this address (DNS rebinding) is another site, and its requests carry no intent of this site's users.
 */
function allowedHosts(config: GatewayConfig): Set<string> {
  return new Set([new URL(config.publicUrl).hostname, ...(servesPeople(config) ? [] : LOOPBACK)]);
}

/** The host without its port, which proxies and containers change. */
const nameOf = (host: string) => host.replace(/:\d*$/, '').toLowerCase();

interface Origins {
  /** Host and port of PUBLIC_URL. */
  publicHost: string;
  /** The Host that this request came to. */
  requestHost: string;
}

/**
 * Whether a browser says that another site made this request. Sec-Fetch-Site counts first, because scripts cannot set it; Origin
 * and Referer must agree if they are sent. A request without any of the three does not come from a page.
 */
export function isCrossSite(headers: IncomingHttpHeaders, origins: Origins): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (headers.origin !== undefined) return !isOwn(headers.origin, origins);
  if (site !== undefined || headers.referer === undefined) return false;
  return !isOwn(headers.referer, origins);
}

/** Compares hosts, not schemes: behind a proxy that ends TLS the gateway itself speaks http. */
function isOwn(address: string, { publicHost, requestHost }: Origins): boolean {
  const host = parsedUrl(address)?.host; // 'null' is what sandboxed pages send
  return host !== undefined && host !== '' && (host === publicHost || host === requestHost);
}
