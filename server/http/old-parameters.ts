/** Pages whose figures have any range: a form without scripts sends its two days apart. */
const pagesOfRanges: ReadonlySet<string> = new Set([
  '',
  'pull-requests',
  'ci',
  'cost',
  'reports',
  'repos/:owner/:repo',
  'repos/:owner/:repo/workflows/:workflowId',
]);

/** Pages of everything, an organization or one repository, which a form sends apart. */
const pagesOfScopes: ReadonlySet<string> = new Set([
  'pull-requests',
  'deployments',
  'ci',
  'cost',
  'reports',
  'team',
  'working-habits',
]);

/** Pages with other forms that get. */
const pagesOfFilters: ReadonlySet<string> = new Set([
  'repositories',
  'repos/:owner/:repo/changes',
  'repos/:owner/:repo/issues',
  'admin/audit',
  'admin/users',
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
  if (page === 'reports') renameOfReports(query);
  if (pagesOfScopes.has(page)) keepOneScope(query);
  if (pagesOfRanges.has(page)) joinDays(query);
  if (pagesOfRanges.has(page) || pagesOfScopes.has(page) || pagesOfFilters.has(page)) dropUnchosen(query);
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

/** The page of reports had an owner and the name of a repository apart, and up to 365 days. */
function renameOfReports(query: URLSearchParams): void {
  const [owner, repo, days] = ['owner', 'repo', 'days'].map((name) => query.get(name));
  if (owner && repo && !repo.includes('/')) query.set('repo', `${owner}/${repo}`);
  if (days) query.set('days', ['7', '30'].find((range) => Number(days) <= Number(range)) ?? '90');
  rename(query, 'owner', 'org');
  rename(query, 'days', 'range');
}

/** A repository of another organization than the one that is chosen was chosen before. */
function keepOneScope(query: URLSearchParams): void {
  const [org, repo] = [query.get('org')?.toLowerCase(), query.get('repo')?.toLowerCase()];
  if (org && repo?.includes('/') && !repo.startsWith(`${org}/`)) query.delete('repo');
}

function joinDays(query: URLSearchParams): void {
  const [from, to] = [query.get('from'), query.get('to')];
  if (from === null || to === null) return;
  query.delete('from');
  query.delete('to');
  if (from && to) query.set('range', `${from}..${to}`);
}

/** A form without scripts sends what is not chosen, too. */
function dropUnchosen(query: URLSearchParams): void {
  for (const [name, value] of [...query]) if (value === '') query.delete(name, value);
}
