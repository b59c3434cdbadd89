import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address that leads into a network where nobody invited the service. */
export class UnsafeAddress extends Error {}

interface Guard {
  /** Hosts that the operator lets be private, in lower case. */
  allowedHosts: readonly string[];
  lookup?: Lookup;
}

type Lookup = (
  host: string,
  options: { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Whether an IP address belongs to the public internet: not to this machine, a private network, a link, a group of
 * hosts, and not to what represents another address (RFC 6890). Of IPv6 only 2000::/3 is handed out.
 */
export function isPublic(address: string): boolean {
  if (isIP(address) === 0) return false;
  const plain = ipaddr.process(address);
  if (plain.toString() === azurePlatform) return false;
  return plain.range() === 'unicast' && (plain.kind() === 'ipv4' || plain.match(ipaddr.parseCIDR('2000::/3')));
}

/** Answers every machine in Azure with what only its owner may know, though it lies among public addresses. */
const azurePlatform = '168.63.129.16';
const metadataAddresses: ReadonlySet<string> = new Set([azurePlatform, '100.100.100.200', 'fd00:ec2::254']);

/**
 * How a connection finds the addresses of a host: all of them must be public, and it connects to one of these and no
 * other, whatever the name leads to a moment later.
 */
export function publicLookup({ lookup = systemLookup }: Guard): LookupFunction {
  return (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '');
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isPublic(address)))
        return done(new UnsafeAddress(`${host} does not lead to public addresses only.`), '');
      if (options.all) return done(null, addresses);
      done(null, first.address, first.family);
    });
}

/**
 * The same for a host that the operator lets be private: it may be, but leads to nothing that machines of a cloud are
 * requested by their owners alone.
 */
export function privateLookup({ lookup = systemLookup }: Guard): LookupFunction {
  return (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '');
      const [first] = addresses;
      if (!first || addresses.some(({ address }) => isMetadata(address)))
        return done(new UnsafeAddress(`${host} leads to a link or to a metadata service.`), '');
      if (options.all) return done(null, addresses);
      done(null, first.address, first.family);
    });
}

/** Addresses of one link only, among them the metadata services of most clouds, and those of the others. */
function isMetadata(address: string): boolean {
  const plain = ipaddr.process(address);
  return plain.range() === 'linkLocal' || metadataAddresses.has(plain.toString());
}

/**
 * Whether a host may be connected to, as far as its name alone shows; a name that has to be looked up passes here.
 * @throws UnsafeAddress
 */
export function assertPublicLiteral({ hostname }: URL): void {
  const host = bare(hostname);
  if (isIP(host) !== 0 && !isPublic(host)) throw new UnsafeAddress(`${host} is not a public address.`);
}

export const isAllowed = ({ hostname }: URL, { allowedHosts }: Guard): boolean => allowedHosts.includes(bare(hostname));

/** Why an address may not be saved, as the end of a sentence; null when it may. Queries DNS. */
export async function whyUnsafe(address: string, guard: Guard): Promise<string | null> {
  const url = new URL(address);
  if (isAllowed(url, guard)) return null;
  const host = bare(url.hostname);
  if (isIP(host) !== 0) return isPublic(host) ? null : notPublic;
  const found = await new Promise<unknown>((done) => publicLookup(guard)(host, { all: true }, done));
  if (found instanceof UnsafeAddress) return notPublic;
  return found === null ? null : 'names a host that cannot be found';
}

const notPublic = 'leads to an address that is not public';

/** IPv6 is in brackets in an address. */
const bare = (hostname: string) =>
  hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
