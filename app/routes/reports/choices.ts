import { requestedScope } from '../../components/scope-filters.ts';
import { repositoryParams } from '../links.ts';

/** Which rows of its lists an address asks for. */
export const requestedPage = (query: URLSearchParams): number =>
  Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1);

/** The choices of the bar as the trends take them. */
export const toTrendQuery = (query: URLSearchParams, isOrganization: boolean) => ({
  type: isOrganization ? 'org' : 'daily',
  range: query.get('range') || '30',
  compare: query.get('compare') || 'previous',
});

/** How many days are compared with as many before; null with other ranges, and where nothing is to be compared. */
export const toComparedDays = (query: URLSearchParams): string | null => {
  const { range, compare } = toTrendQuery(query, true);
  return compare !== 'off' && /^\d+$/.test(range) ? range : null;
};

/** What both periods are compared by. */
export const comparedMetrics = 'success_rate,duration_p50,queue_p95,merged,first_review';

/** What the button of the page synchronizes: what the address names, all that is stored where it names nothing. */
export function getSyncScope(query: URLSearchParams): Record<string, string> {
  const { owner, repo } = requestedScope(query);
  if (repo !== null) return repositoryParams(repo);
  return owner === null ? {} : { org: owner };
}
