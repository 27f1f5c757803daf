import type { IncomingHttpHeaders } from 'node:http';

export interface Origins {
  /** Host and port of PUBLIC_URL. */
  publicHost: string;
  /** The Host that this request came to. */
  requestHost: string;
}

/**
 * Whether a browser says that another site made this request (T9). Sec-Fetch-Site first, which scripts cannot set; Origin
 * and Referer must agree where they are sent. A request without any of the three does not come from a page.
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
  const host = URL.canParse(address) ? new URL(address).host : null; // 'null' is what sandboxed pages send
  return host !== null && host !== '' && (host === publicHost || host === requestHost);
}
