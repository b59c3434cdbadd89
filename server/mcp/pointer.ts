/** The value at a JSON pointer (RFC 6901) of an answer; undefined where there is none. */
export function valueAt(answer: unknown, pointer: string): unknown {
  let value = answer;
  for (const token of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[token.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return value;
}

export function numberAt(answer: unknown, pointer: string | undefined): number | null {
  const value = pointer === undefined ? null : valueAt(answer, pointer);
  return typeof value === 'number' ? value : null;
}
