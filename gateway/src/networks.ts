import { createHmac } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { GatewayConfig } from './gateway.config.js';

const GROUP_BITS = 16;
const IPV4_NETWORK_BYTES = 3;
/**
 * Internet providers assign each customer a network between /64 and /48. A wider network may belong to
 * several customers, so it gets `share` times the points.
 */
const IPV6_NETWORKS = [
  { prefix: 64, share: 1 },
  { prefix: 56, share: 4 },
  { prefix: 48, share: 16 },
] as const;
const WIDEST = 48;

export interface CountedNetwork {
  key: string;
  share: number;
}

/** Returns the networks that may belong to the customer with this IP address, narrowest first. */
export function subscriber(ip: string): CountedNetwork[] {
  const address = parsed(ip);
  if (typeof address === 'string') return [{ key: address, share: 1 }];
  return IPV6_NETWORKS.map(({ prefix, share }) => ({ key: ipv6Network(address, prefix), share }));
}

/** Returns the networks for which attempts on one account are counted. For IPv4, this is the /24. */
export function network(ip: string): CountedNetwork[] {
  const address = parsed(ip);
  return typeof address === 'string' ? [{ key: wideNetwork(address), share: 1 }] : subscriber(ip);
}

export function wideNetwork(ip: string): string {
  const address = parsed(ip);
  if (typeof address !== 'string') return ipv6Network(address, WIDEST);
  return isIPv4(address) ? `${address.split('.').slice(0, IPV4_NETWORK_BYTES).join('.')}.0/24` : address;
}

/**
 * On dual-stack sockets, Node reports IPv4 addresses as IPv6. An invalid address from a proxy counts as a
 * network of its own.
 */
function parsed(ip: string): ipaddr.IPv6 | string {
  if (!isIPv6(ip)) return ip;
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv6 ? address : address.toString();
}

function ipv6Network({ parts }: ipaddr.IPv6, prefix: number): string {
  const groups = parts.slice(0, Math.ceil(prefix / GROUP_BITS)).map((group, at) => {
    const bits = Math.min(GROUP_BITS, prefix - at * GROUP_BITS);
    return group & (0xffff << (GROUP_BITS - bits));
  });
  return `${groups.map((group) => group.toString(16)).join(':')}::/${prefix}`;
}

const BYTES = 16;

/**
 * Computes pseudonyms with the first session secret, so that nobody can reverse them with the database or
 * Redis alone. A new secret changes all pseudonyms.
 */
@Injectable()
export class Pseudonyms {
  private readonly secret: string;

  constructor({ sessionSecrets }: GatewayConfig) {
    this.secret = sessionSecrets[0]!;
  }

  of(purpose: 'limited account' | 'account' | 'network' | 'network of a registration', text: string): string {
    return createHmac('sha256', this.secret)
      .update(`${purpose}:${text}`)
      .digest()
      .subarray(0, BYTES)
      .toString('base64url');
  }
}
