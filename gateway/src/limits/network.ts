import { isIPv4, isIPv6 } from 'node:net';

/** IPv4-mapped IPv6, as Node shows IPv4 peers of a dual-stack socket. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** What one subscriber is known by: an IPv4 address, or the /64 of an IPv6 one. */
export function subscriber(ip: string): string {
  const address = MAPPED.exec(ip)?.[1] ?? ip;
  return isIPv6(address) ? ipv6Network(address) : address;
}

/** A wider net for what is counted against one account: /24 or /64. */
export function network(ip: string): string {
  const address = MAPPED.exec(ip)?.[1] ?? ip;
  return isIPv4(address) ? `${address.split('.').slice(0, 3).join('.')}.0/24` : subscriber(address);
}

function ipv6Network(address: string): string {
  const [head = '', tail] = address.split('%', 1)[0]!.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, GROUPS - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after].slice(0, NETWORK_GROUPS);
  return `${groups.map((group) => parseInt(group, 16).toString(16)).join(':')}::/64`;
}
