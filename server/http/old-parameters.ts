/** Pages whose figures have any range: a form without scripts sends its two days apart. */
const pagesOfRanges: ReadonlySet<string> = new Set([
  '',
  'ci',
  'cost',
  'reports',
  'repos/:owner/:repo',
  'repos/:owner/:repo/workflows/:workflowId',
]);

/** Parameters that pages had before all of them shared the same. */
const renamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  team: { repository: 'repo', days: 'range' },
  'working-habits': { repository: 'repo', days: 'range' },
  'repos/:owner/:repo/team': { days: 'range' },
  'repos/:owner/:repo/issues': { days: 'range' },
};

/**
 * Where a page stands in the parameters that all pages share; null where its address has them already.
 * @param pattern the address of the page as `app/routes.ts` has it
 */
export function findSharedAddress(pattern: string, { pathname, search }: URL): string | null {
  const page = pattern.replace(/^\/*(demo(\/|$))?/, '');
  const query = new URLSearchParams(search);
  for (const [old, name] of Object.entries(renamed[page] ?? {})) rename(query, old, name);
  if (pagesOfRanges.has(page)) joinDays(query);
  const text = query.toString();
  return text === new URLSearchParams(search).toString() ? null : `${pathname}${text ? `?${text}` : ''}`;
}

/** One that has its new name already needs the old one no longer. */
function rename(query: URLSearchParams, old: string, name: string): void {
  const value = query.get(old);
  if (value === null) return;
  query.delete(old);
  if (value && !query.has(name)) query.set(name, value);
}

function joinDays(query: URLSearchParams): void {
  const [from, to] = [query.get('from'), query.get('to')];
  if (from === null || to === null) return;
  query.delete('from');
  query.delete('to');
  if (from && to) query.set('range', `${from}..${to}`);
}
