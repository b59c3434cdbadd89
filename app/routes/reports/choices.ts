import { maxComparedDays } from '../../../server/domain/verdict.ts';
import { isRunningDay } from '../../charts/zone-time.ts';
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

/** As many days as the table compares with as many before; null where it compares the days of the chart, or nothing. */
export const toComparedDays = (query: URLSearchParams): { days: string } | null => {
  const { range, compare } = toTrendQuery(query, true);
  return compare === 'previous' && /^\d+$/.test(range) ? { days: range } : null;
};

/** The days of the chart, and those that it compares them with. */
interface ChartDays {
  data: readonly { date: string }[];
  compared: readonly { date: string }[] | null;
  coverage: { timezone: string };
}

/** Those of them that are over, as the comparison takes them; null where there are none. */
export function findChartPeriods({ data, compared, coverage }: ChartDays, now: number) {
  const days = data.filter(({ date }) => !isRunningDay(date, now, coverage.timezone));
  const before = compared?.slice(0, days.length) ?? [];
  const [first, last, firstBefore, lastBefore] = [days[0], days.at(-1), before[0], before.at(-1)];
  if (!first || !last || !firstBefore || !lastBefore) return null;
  return { a_from: firstBefore.date, a_to: lastBefore.date, b_from: first.date, b_to: last.date };
}

/** Whether periods are longer than the comparison takes. */
export const isTooLong = ({ data, compared }: Pick<ChartDays, 'data' | 'compared'>): boolean =>
  compared !== null && data.length > maxComparedDays;

/** What both periods are compared by. */
export const comparedMetrics = 'success_rate,duration_p50,queue_p95,merged,first_review';

/** What the button of the page synchronizes: what the address names, all that is stored where it names nothing. */
export function getSyncScope(query: URLSearchParams): Record<string, string> {
  const { owner, repo } = requestedScope(query);
  if (repo !== null) return repositoryParams(repo);
  return owner === null ? {} : { org: owner };
}
