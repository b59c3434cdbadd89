/**
 * Whether `If-None-Match` names this tag: as one of several, or by `*`. Weak and strong tags are equal here
 * (RFC 9110 §13.1.2).
 */
export function isKnown(tag: string, ifNoneMatch: string | null): boolean {
  if (ifNoneMatch === null) return false;
  const named: string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return ifNoneMatch.trim() === '*' || named.includes(tag.replace(/^W\//, ''));
}
