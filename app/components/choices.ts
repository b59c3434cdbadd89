/**
 * An address with some choices changed and the others as they were; null takes a choice out. A page number goes out with any
 * other change, because it counted other rows. `current` is a query string, with or without `?`.
 */
export function withChoices(
  current: string | URLSearchParams,
  changes: Record<string, string | number | null>,
): string {
  const query = new URLSearchParams(current);
  if (!('page' in changes)) query.delete('page');
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') query.delete(name);
    else query.set(name, String(value));
  }
  const text = query.toString();
  return text ? `?${text}` : '?';
}
