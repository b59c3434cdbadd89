import { dayText } from '../../../server/domain/day-text.ts';
import { count } from '../../../server/domain/quantity.ts';
import { dayNumber, isRunningDay } from '../../charts/zone-time.ts';
import { usePageContext, useSearch } from '../../components/page-context.ts';
import { findSharedProblem, Panel } from '../../components/panel.tsx';
import { toAnnotations } from '../marks.ts';
import { comparedMetrics, requestedPage, toComparedDays, toTrendQuery } from './choices.ts';
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
  const days = toComparedDays(query);
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
      {report.comparison && days ? (
        <Panel title={`Last ${days} days vs previous ${days} days`} result={report.comparison}>
          {(comparison) => (
            <ComparedPeriods
              comparison={comparison}
              csvHref={csvHref(base, 'compare', report, { metrics: comparedMetrics, days })}
            />
          )}
        </Panel>
      ) : null}
    </>
  );
}

/** `30 Oct 2026 to 28 Nov 2026, 29 whole days and today`: reports count days, other pages so many times 24 hours. */
function nameDays({ daily }: TrendReport, now: number): string {
  if (!daily.ok) return titles.daily;
  const { from, to, timezone } = daily.data.coverage;
  const days = dayNumber(to) - dayNumber(from) + 1;
  const span = from === to ? dayText(to) : `${dayText(from)} to ${dayText(to)}`;
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
