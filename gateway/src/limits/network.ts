import ipaddr from 'ipaddr.js';

const IPV6_NETWORK_GROUPS = 4;
const IPV4_NETWORK_BYTES = 3;

/** What one subscriber is known by: an IPv4 address, or the /64 of an IPv6 one. */
export function subscriber(ip: string): string {
  const address = parsed(ip);
  return address instanceof ipaddr.IPv6 ? ipv6Network(address) : String(address);
}

/** A wider net for what is counted against one account: /24 or /64. */
export function network(ip: string): string {
  const address = parsed(ip);
  return address instanceof ipaddr.IPv4
    ? `${address.octets.slice(0, IPV4_NETWORK_BYTES).join('.')}.0/24`
    : subscriber(ip);
}

/** IPv4-mapped IPv6, as Node shows IPv4 peers of a dual-stack socket, is IPv4. A proxy may forward anything: that is known by itself. */
const parsed = (ip: string) => (ipaddr.isValid(ip) ? ipaddr.process(ip) : ip);

const ipv6Network = ({ parts }: ipaddr.IPv6) =>
  `${parts
    .slice(0, IPV6_NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
