import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Where a client comes from, behind `hops` trusted proxies: each proxy appends the address it saw, so only the
 * right-most entries are ours to believe. An IPv6 client is its /64 network, since one customer has all of its
 * addresses; an IPv4-mapped address is the IPv4 address in it.
 */
export function clientAddress(peer: string, forwardedFor: string | null, hops: number): string {
  if (hops === 0) return toNetwork(peer);
  const seen = [...(forwardedFor ?? '').split(','), peer].map((entry) => entry.trim()).filter(Boolean);
  return toNetwork(seen[Math.max(0, seen.length - 1 - hops)] ?? peer);
}

/** Whether a client, by its address as `clientAddress` has it, is on this machine. */
export const isLocalClient = (address: string): boolean => /^127\.|^0:0:0:0::\/64$/.test(address);

/** The wider network of a client, which does not tell who it is: 24 bits of an IPv4 address, 48 of an IPv6 network. */
export function widerNetwork(address: string): string {
  const host = address.replace(/\/64$/, '');
  if (!ipaddr.isValid(host)) return '';
  const isShort = ipaddr.parse(host).kind() === 'ipv4';
  const network = `${host}/${isShort ? 24 : 48}`;
  const base = isShort ? ipaddr.IPv4.networkAddressFromCIDR(network) : ipaddr.IPv6.networkAddressFromCIDR(network);
  return `${base.toString()}/${isShort ? 24 : 48}`;
}

function toNetwork(text: string): string {
  if (isIPv4(text)) return text;
  const host = withoutPort(text);
  if (!ipaddr.isValid(host)) return host;
  const address = ipaddr.process(host);
  return address instanceof ipaddr.IPv6
    ? `${address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : address.toString();
}

/** Some proxies add the client's port, which differs from connection to connection, and brackets around IPv6. */
const withoutPort = (text: string): string => text.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([^:]+):\d+$/, '$1');
