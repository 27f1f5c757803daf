import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { GatewayConfig } from './gateway.config.js';

const GROUP_BITS = 16;
const IPV4_NETWORK_BYTES = 3;
/** A customer gets a /64 to a /48. A wider network may be several people, with `share` times the points. */
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

/** Narrowest first. */
export function subscriber(ip: string): CountedNetwork[] {
  const address = parsed(ip);
  if (!(address instanceof ipaddr.IPv6)) return [{ key: String(address), share: 1 }];
  return IPV6_NETWORKS.map(({ prefix, share }) => ({ key: ipv6Network(address, prefix), share }));
}

/** For attempts on one account: a /24 for IPv4. */
export function network(ip: string): CountedNetwork[] {
  const address = parsed(ip);
  return address instanceof ipaddr.IPv4 ? [{ key: ipv4Network(address), share: 1 }] : subscriber(ip);
}

export function wideNetwork(ip: string): string {
  const address = parsed(ip);
  if (address instanceof ipaddr.IPv4) return ipv4Network(address);
  return address instanceof ipaddr.IPv6 ? ipv6Network(address, WIDEST) : address;
}

/** Node reports IPv4-mapped IPv6 on dual-stack sockets. An invalid address from a proxy counts as a separate network. */
const parsed = (ip: string) => (ipaddr.isValid(ip) ? ipaddr.process(ip) : ip);

const ipv4Network = ({ octets }: ipaddr.IPv4) => `${octets.slice(0, IPV4_NETWORK_BYTES).join('.')}.0/24`;

function ipv6Network({ parts }: ipaddr.IPv6, prefix: number): string {
  const groups = parts.slice(0, Math.ceil(prefix / GROUP_BITS)).map((group, at) => {
    const bits = Math.min(GROUP_BITS, prefix - at * GROUP_BITS);
    return group & (0xffff << (GROUP_BITS - bits));
  });
  return `${groups.map((group) => group.toString(16)).join(':')}::/${prefix}`;
}

const BYTES = 16;

/**
 * The key is the first session secret, so that nobody can guess pseudonyms from the database or Redis alone.
 * A new secret starts new pseudonyms.
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
