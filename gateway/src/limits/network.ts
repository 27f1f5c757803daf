import ipaddr from 'ipaddr.js';

const GROUP_BITS = 16;
const IPV4_NETWORK_BYTES = 3;
/** Providers give one customer anything from a /64 to a /48. The wider a network, the more people it may be: `share` counts them. */
const IPV6_NETWORKS = [
  { prefix: 64, share: 1 },
  { prefix: 56, share: 4 },
  { prefix: 48, share: 16 },
] as const;
const WIDEST = 48;

/** A network that is counted as one, and how many times a limit's points it has. */
export interface CountedNetwork {
  key: string;
  share: number;
}

/** What one subscriber is known by, narrowest first: an IPv4 address, or the networks around an IPv6 one. */
export function subscriber(ip: string): CountedNetwork[] {
  const address = parsed(ip);
  if (!(address instanceof ipaddr.IPv6)) return [{ key: String(address), share: 1 }];
  return IPV6_NETWORKS.map(({ prefix, share }) => ({ key: ipv6Network(address, prefix), share }));
}

/** A wider net for what is counted against one account: /24 in IPv4. */
export function network(ip: string): CountedNetwork[] {
  const address = parsed(ip);
  return address instanceof ipaddr.IPv4 ? [{ key: ipv4Network(address), share: 1 }] : subscriber(ip);
}

/** The /24 or /48 that an address is in. */
export function wideNetwork(ip: string): string {
  const address = parsed(ip);
  if (address instanceof ipaddr.IPv4) return ipv4Network(address);
  return address instanceof ipaddr.IPv6 ? ipv6Network(address, WIDEST) : address;
}

/** IPv4-mapped IPv6, as Node shows IPv4 peers of a dual-stack socket, is IPv4. A proxy may forward anything: that is known by itself. */
const parsed = (ip: string) => (ipaddr.isValid(ip) ? ipaddr.process(ip) : ip);

const ipv4Network = ({ octets }: ipaddr.IPv4) => `${octets.slice(0, IPV4_NETWORK_BYTES).join('.')}.0/24`;

function ipv6Network({ parts }: ipaddr.IPv6, prefix: number): string {
  const groups = parts.slice(0, Math.ceil(prefix / GROUP_BITS)).map((group, at) => {
    const bits = Math.min(GROUP_BITS, prefix - at * GROUP_BITS);
    return group & (0xffff << (GROUP_BITS - bits));
  });
  return `${groups.map((group) => group.toString(16)).join(':')}::/${prefix}`;
}
