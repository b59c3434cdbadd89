import { dayText } from '../../../server/domain/day-text.ts';
import { count } from '../../../server/domain/quantity.ts';
import { maxComparedDays } from '../../../server/domain/verdict.ts';
import { dayNumber, isRunningDay } from '../../charts/zone-time.ts';
import { Empty } from '../../components/notice.tsx';
import { usePageContext, useSearch } from '../../components/page-context.ts';
import { findSharedProblem, Panel, Section } from '../../components/panel.tsx';
import { toAnnotations } from '../marks.ts';
import {
  comparedMetrics,
  findChartPeriods,
  isTooLong,
  requestedPage,
  toComparedDays,
  toTrendQuery,
} from './choices.ts';
import { ComparedPeriods } from './compared-periods.tsx';
import type { loadReport } from './load.ts';
import { OwnerReadings } from './owner-readings.tsx';
import { RepositoryReadings } from './repository-readings.tsx';
import { StoredRuns } from './stored-runs.tsx';
import { DailyTrends, QuarterlyTrends } from './trend-charts.tsx';

export type Report = NonNullable<Awaited<ReturnType<typeof loadReport>>>;

/** What trends are drawn from. */
type TrendReport = Pick<Report, 'owner' | 'repo' | 'daily' | 'comparison' | 'quarterly' | 'marks'>;

/** Titles of the panels, while they are being loaded. */
export const getTitles = (isOrganization: boolean) => ({
  trends: [titles.daily, ...(isOrganization ? [] : [titles.quarterly]), titles.compared],
  stored: [titles.coverage, ...(isOrganization ? [] : [titles.runs])],
});

const titles = {
  daily: 'Trends',
  quarterly: 'Last 6 quarters',
  compared: 'Compared periods',
  coverage: 'Data coverage',
  runs: 'All stored runs',
};

/** Whether every part would say the same of why it is not there. */
const isFailedAlike = ({ daily, comparison, quarterly, runs, collection }: Partial<Report>): boolean =>
  findSharedProblem([daily, comparison, quarterly, runs, collection]) !== null;

/** The runs of each day of the range, and of each quarter. */
export function TrendPanels({ report }: { report: TrendReport }) {
  const { base, now } = usePageContext();
  const search = useSearch();
  const query = new URLSearchParams(search);
  const { type, range, compare } = toTrendQuery(query, report.repo === null);
  if (isFailedAlike(report))
    return (
      <Panel title={titles.daily} result={report.daily}>
        {() => null}
      </Panel>
    );
  return (
    <>
      <Panel title={nameDays(report, now)} result={report.daily}>
        {(answer) => (
          <DailyTrends
            annotations={toAnnotations(report.marks, base, report.repo)}
            answer={answer}
            compare={compare}
            csvHref={csvHref(base, 'trends', report, { type, range })}
          />
        )}
      </Panel>
      {report.quarterly ? (
        <Panel title={titles.quarterly} result={report.quarterly}>
          {(answer) => (
            <QuarterlyTrends answer={answer} csvHref={csvHref(base, 'trends', report, { type: 'quarterly' })} />
          )}
        </Panel>
      ) : null}
      <ComparisonPanel report={report} />
    </>
  );
}

/** The periods of the table, as its operation takes them; null where nothing is compared. */
function findCompared(query: URLSearchParams, { daily }: TrendReport, now: number) {
  if (!daily.ok || daily.data.type === 'quarterly') return toComparedDays(query);
  return toComparedDays(query) ?? findChartPeriods(daily.data, now);
}

/** Both periods in figures, those that the chart above compares. */
function ComparisonPanel({ report }: { report: TrendReport }) {
  const { base, now } = usePageContext();
  const { comparison: result, daily } = report;
  const periods = findCompared(new URLSearchParams(useSearch()), report, now);
  if (daily.ok && daily.data.type !== 'quarterly' && isTooLong(daily.data))
    return (
      <Section title={titles.compared}>
        <Empty cause={`Periods of more than ${maxComparedDays} days are compared in the chart only.`} />
      </Section>
    );
  if (!result || !periods) return null;
  return (
    <Panel title={namePeriods(periods)} result={result}>
      {(comparison) => (
        <ComparedPeriods
          comparison={comparison}
          csvHref={csvHref(base, 'compare', report, { metrics: comparedMetrics, ...periods })}
        />
      )}
    </Panel>
  );
}

/** `Last 30 days vs previous 30 days`, `1 Nov 2026 to 29 Nov 2026 vs 1 Nov 2025 to 29 Nov 2025`. */
function namePeriods(periods: NonNullable<ReturnType<typeof findCompared>>): string {
  if ('days' in periods) return `Last ${periods.days} days vs previous ${periods.days} days`;
  const { a_from, a_to, b_from, b_to } = periods;
  return `${nameSpan(b_from, b_to)} vs ${nameSpan(a_from, a_to)}`;
}

const nameSpan = (from: string, to: string) => (from === to ? dayText(to) : `${dayText(from)} to ${dayText(to)}`);

/** `30 Oct 2026 to 28 Nov 2026, 29 whole days and today`: reports count days, other pages so many times 24 hours. */
function nameDays({ daily }: TrendReport, now: number): string {
  if (!daily.ok) return titles.daily;
  const { from, to, timezone } = daily.data.coverage;
  const days = dayNumber(to) - dayNumber(from) + 1;
  const span = nameSpan(from, to);
  if (!isRunningDay(to, now, timezone)) return `${span}, ${count(days, 'whole day')}`;
  return days === 1 ? `${span}, today` : `${span}, ${count(days - 1, 'whole day')} and today`;
}

/** What has been read of the scope, and every stored run of a repository. */
export function StoredPanels({ report }: { report: Report }) {
  const { base } = usePageContext();
  const search = useSearch();
  const query = new URLSearchParams(search);
  const shared = { page: requestedPage(query), search };
  const Readings = report.repo === null ? OwnerReadings : RepositoryReadings;
  const conclusion = query.get('conclusion');
  if (isFailedAlike(report)) return null;
  return (
    <>
      <Panel title={titles.coverage} id="read" result={report.collection}>
        {(data) => (
          <Readings
            data={data}
            isTracked={report.isTracked}
            csvHref={csvHref(base, 'collection', report, { csv_pages: 'all' })}
            {...shared}
          />
        )}
      </Panel>
      {report.runs ? (
        <Panel title={titles.runs} result={report.runs}>
          {(answer) => (
            <StoredRuns
              answer={answer}
              csvHref={csvHref(base, 'runs', report, {
                ...(conclusion && { conclusion }),
                limit: '500',
                csv_pages: 'all',
              })}
              {...shared}
            />
          )}
        </Panel>
      ) : null}
    </>
  );
}

/** The same numbers as a file. */
function csvHref(
  base: string,
  operation: string,
  { owner, repo }: TrendReport,
  choices: Record<string, string>,
): string {
  const query = new URLSearchParams({ owner });
  if (repo !== null) query.set('repo', repo.slice(repo.indexOf('/') + 1));
  for (const [name, value] of Object.entries(choices)) query.set(name, value);
  query.set('format', 'csv');
  return `${base}/api/db/${operation}?${query}`;
}
