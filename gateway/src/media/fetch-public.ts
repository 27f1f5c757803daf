import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';

/** Bytes of an answer. */
const MOST_BYTES = 2 * 1024 * 1024;
const OK = 200;
/** All public addresses of IPv6 lie in it; what the library knows no use of would count as public elsewhere. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether it is one of the public network. Those that stand for an IPv4 address (mapped, 6to4, NAT64, Teredo) are none, as they lead to
 * any address.
 */
export function isPublicAddress(ip: string): boolean {
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.parse(ip);
  if (address.range() !== 'unicast') return false;
  return !(address instanceof ipaddr.IPv6) || address.match(GLOBAL_IPV6);
}

/** Fetches from an address that somebody has typed, without becoming their way into the networks of this machine. */
@Injectable()
export class PublicFetch {
  /** How names are resolved, what carries a request, and milliseconds for all of it. */
  readonly settings = {
    resolve: (host: string): Promise<LookupAddress[]> => lookup(host, { all: true }),
    request: (url: URL, options: RequestOptions) => request(url, options),
    within: 5_000,
  };

  /**
   * A name is resolved once, and the connection goes to what was judged then: a name that changes its mind leads nowhere else. A
   * redirect is no answer.
   * @throws Error with the reason, which never has the address: it may hold a key
   */
  async get(url: URL): Promise<Buffer> {
    if (url.protocol !== 'https:') throw new Error('it is no https address');
    const signal = AbortSignal.timeout(this.settings.within);
    const addresses = await this.publicAddresses(url.hostname, signal);
    const sent = this.settings.request(url, {
      agent: false,
      headers: { accept: 'image/*', 'user-agent': 'Meetmark' },
      lookup: pinned(addresses),
      signal,
    });
    // what breaks after the answer began, the answer says itself
    sent.on('error', () => undefined);
    sent.end();
    const [answer] = (await once(sent, 'response', { signal })) as [IncomingMessage];
    try {
      if (answer.statusCode !== OK) throw new Error(`it answered ${answer.statusCode}`);
      return await readAll(answer);
    } finally {
      sent.destroy();
    }
  }

  private async publicAddresses(hostname: string, signal: AbortSignal): Promise<LookupAddress[]> {
    const late = once(signal, 'abort').then(() => signal.throwIfAborted());
    const host = hostname.replaceAll(/^\[|\]$/g, '');
    const found = await Promise.race([this.settings.resolve(host), late]);
    const addresses = (found ?? []).filter(({ address }) => isPublicAddress(address));
    if (addresses.length === 0) throw new Error('its host has no public address');
    return addresses;
  }
}

/** Leads every connection to these. */
function pinned(addresses: LookupAddress[]): LookupFunction {
  const [first] = addresses;
  return (_, { all }, found) => (all ? found(null, addresses) : found(null, first!.address, first!.family));
}

async function readAll(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_BYTES) throw new Error('it answered more than 2 MB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
