/** Where a number is opened: what counted, what was excluded. */
export function explainHref(base: string, params: Record<string, string | number | null | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    if (value !== null && value !== undefined && value !== '') query.set(name, String(value));
  return `${base}/explain?${query}`;
}
