/** So many repositories, those pushed to last, the figures of the page are of, however many the table lists. */
export const figureRepositories = 20;

/** How many repositories the table of an address lists; null for a number that the operation rejects or limits itself. */
export function requestedRows(query: URLSearchParams): number | null {
  const text = query.get('limit') || String(figureRepositories);
  const rows = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return rows === 0 ? null : rows;
}
