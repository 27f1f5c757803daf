import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';

const MEGABYTE = 1024 * 1024;
const OK = 200;
/** Range that contains all public IPv6 addresses. The library also treats some other addresses as public. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Returns false for IPv6 addresses that embed an IPv4 address (mapped, 6to4, NAT64, Teredo), because that
 * address could be internal.
 */
export function isPublicAddress(ip: string): boolean {
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.parse(ip);
  if (address.range() !== 'unicast') return false;
  return !(address instanceof ipaddr.IPv6) || address.match(GLOBAL_IPV6);
}

interface Wanted {
  /** Value of the Accept header. */
  accept: string;
  /** Maximum bytes of the response. */
  most: number;
}

const IMAGE: Wanted = { accept: 'image/*', most: 2 * MEGABYTE };

/** Fetches URLs that users enter, without access to internal networks. */
@Injectable()
export class PublicFetch {
  /** `within` is the total timeout in milliseconds. */
  readonly settings = {
    resolve: (host: string): Promise<LookupAddress[]> => lookup(host, { all: true }),
    request: (url: URL, options: RequestOptions) => request(url, options),
    within: 5_000,
  };

  /**
   * Connects to the IP address that was checked, because the name could resolve to another one later.
   * @throws Error whose message omits the URL, because the URL may contain a key
   */
  async get(url: URL, { accept, most } = IMAGE): Promise<Buffer> {
    if (url.protocol !== 'https:') throw new Error('the URL is not https');
    const signal = AbortSignal.timeout(this.settings.within);
    const addresses = await this.publicAddresses(url.hostname, signal);
    const sent = this.settings.request(url, {
      agent: false,
      headers: { accept, 'user-agent': 'Meetmark' },
      lookup: pinned(addresses),
      signal,
    });
    // Without a listener, an error would crash the process. The caller gets it from `once` or `readAll`.
    sent.on('error', () => undefined);
    sent.end();
    const [answer] = (await once(sent, 'response', { signal })) as [IncomingMessage];
    try {
      if (answer.statusCode !== OK) throw new Error(`the response is ${answer.statusCode}`);
      return await readAll(answer, most);
    } finally {
      sent.destroy();
    }
  }

  private async publicAddresses(hostname: string, signal: AbortSignal): Promise<LookupAddress[]> {
    const late = once(signal, 'abort').then(() => signal.throwIfAborted());
    const host = hostname.replaceAll(/^\[|\]$/g, '');
    const found = await Promise.race([this.settings.resolve(host), late]);
    const addresses = (found ?? []).filter(({ address }) => isPublicAddress(address));
    if (addresses.length === 0) throw new Error('the host has no public IP address');
    return addresses;
  }
}

function pinned(addresses: LookupAddress[]): LookupFunction {
  const [first] = addresses;
  return (_, { all }, found) => (all ? found(null, addresses) : found(null, first!.address, first!.family));
}

async function readAll(answer: IncomingMessage, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > most) throw new Error(`the response is larger than ${most / MEGABYTE} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
