/**
 * The client's address behind `hops` trusted proxies: each proxy appends the address it saw,
 * so only the right-most entries are ours to believe.
 */
export function clientAddress(peer: string, forwardedFor: string | null, hops: number): string {
  if (hops === 0) return peer;
  const seen = [...(forwardedFor ?? '').split(','), peer].map((entry) => entry.trim()).filter(Boolean);
  return seen[Math.max(0, seen.length - 1 - hops)] ?? peer;
}
