import type { IncomingHttpHeaders } from 'node:http';
import { DomainError, parsedUrl } from '@meetmark/contracts';
import { servesPeople } from '@meetmark/platform';
import type { FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../gateway.config.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

export const isUnsafe = (method: string) => !SAFE_METHODS.has(method);

/** Returns a check that throws DomainError HOST_UNKNOWN or CROSS_SITE. */
export function originCheck(config: GatewayConfig): (request: FastifyRequest) => void {
  const publicHost = new URL(config.publicUrl).host;
  const hosts = allowedHosts(config);
  return (request) => {
    const { host, method, headers } = request;
    if (!hosts.has(getHostName(host))) throw new DomainError('HOST_UNKNOWN');
    if (!isUnsafe(method) || request.routeOptions.config.fromAnywhere) return;
    if (isCrossSite(headers, { publicHost, requestHost: host })) throw new DomainError('CROSS_SITE');
  };
}

/**
 * Allows only this site's names, because another site could point its own name at this server (DNS
 * rebinding).
 */
function allowedHosts(config: GatewayConfig): Set<string> {
  return new Set([new URL(config.publicUrl).hostname, ...(servesPeople(config) ? [] : LOOPBACK)]);
}

/** Removes the port, because proxies and containers change it. */
const getHostName = (host: string) => host.replace(/:\d*$/, '').toLowerCase();

interface Origins {
  publicHost: string;
  requestHost: string;
}

/**
 * Returns whether a page of another site sent the request. Sec-Fetch-Site counts first, because scripts can't
 * set it. Referer counts only without Sec-Fetch-Site and Origin. A request with none of the three headers
 * doesn't come from a page.
 */
export function isCrossSite(headers: IncomingHttpHeaders, origins: Origins): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (headers.origin !== undefined) return !isOwn(headers.origin, origins);
  if (site !== undefined || headers.referer === undefined) return false;
  return !isOwn(headers.referer, origins);
}

/** Ignores the protocol, because the gateway uses http behind a TLS proxy. */
function isOwn(address: string, { publicHost, requestHost }: Origins): boolean {
  const host = parsedUrl(address)?.host; // Sandboxed pages send the origin 'null', which isn't a URL.
  return host !== undefined && host !== '' && (host === publicHost || host === requestHost);
}
