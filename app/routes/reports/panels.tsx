import { useLocation } from 'react-router';
import { usePageContext } from '../../components/page-context.ts';
import { findSharedProblem, Panel } from '../../components/panel.tsx';
import { describeRange } from '../../components/period-filters.ts';
import { requestedPage, toTrendQuery } from './choices.ts';
import type { loadReport } from './load.ts';
import { OwnerReadings } from './owner-readings.tsx';
import { RepositoryReadings } from './repository-readings.tsx';
import { StoredRuns } from './stored-runs.tsx';
import { DailyTrends, QuarterlyTrends } from './trend-charts.tsx';

export type Report = NonNullable<Awaited<ReturnType<typeof loadReport>>>;

/** Titles of the panels, while they are being loaded. */
export const getTitles = (query: URLSearchParams, isOrganization: boolean) => ({
  trends: [describeRange(toTrendQuery(query, isOrganization).range), ...(isOrganization ? [] : [titles.quarterly])],
  stored: [titles.coverage, ...(isOrganization ? [] : [titles.runs])],
});

const titles = { quarterly: 'Last 6 quarters', coverage: 'Data coverage', runs: 'All stored runs' };

/** Whether every part would say the same of why it is not there. */
const isFailedAlike = ({ daily, quarterly, runs, collection }: Report): boolean =>
  findSharedProblem([daily, quarterly, runs, collection]) !== null;

/** The runs of each day of the range, and of each quarter. */
export function TrendPanels({ report }: { report: Report }) {
  const { now, zone } = usePageContext();
  const { pathname, search } = useLocation();
  const { type, range, compare } = toTrendQuery(new URLSearchParams(search), report.repo === null);
  const frame = { now, zone, retryHref: `${pathname}${search}` };
  if (isFailedAlike(report))
    return (
      <Panel title={describeRange(range)} result={report.daily} {...frame}>
        {() => null}
      </Panel>
    );
  return (
    <>
      <Panel title={describeRange(range)} result={report.daily} {...frame}>
        {(answer) => (
          <DailyTrends answer={answer} compare={compare} csvHref={csvHref('trends', report, { type, range })} />
        )}
      </Panel>
      {report.quarterly ? (
        <Panel title={titles.quarterly} result={report.quarterly} {...frame}>
          {(answer) => <QuarterlyTrends answer={answer} csvHref={csvHref('trends', report, { type: 'quarterly' })} />}
        </Panel>
      ) : null}
    </>
  );
}

/** What has been read of the scope, and every stored run of a repository. */
export function StoredPanels({ report }: { report: Report }) {
  const { now, zone } = usePageContext();
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  const frame = { now, zone, retryHref: `${pathname}${search}` };
  const shared = { page: requestedPage(query), search, now, zone };
  const Readings = report.repo === null ? OwnerReadings : RepositoryReadings;
  const conclusion = query.get('conclusion');
  if (isFailedAlike(report)) return null;
  return (
    <>
      <Panel title={titles.coverage} id="read" result={report.collection} {...frame}>
        {(data) => (
          <Readings data={data} isTracked={report.isTracked} csvHref={csvHref('collection', report, {})} {...shared} />
        )}
      </Panel>
      {report.runs ? (
        <Panel title={titles.runs} result={report.runs} {...frame}>
          {(answer) => (
            <StoredRuns
              answer={answer}
              csvHref={csvHref('runs', report, conclusion ? { conclusion } : {})}
              {...shared}
            />
          )}
        </Panel>
      ) : null}
    </>
  );
}

/** The same numbers as a file. */
function csvHref(operation: string, { owner, repo }: Report, choices: Record<string, string>): string {
  const query = new URLSearchParams({ owner });
  if (repo !== null) query.set('repo', repo.slice(repo.indexOf('/') + 1));
  for (const [name, value] of Object.entries(choices)) query.set(name, value);
  query.set('format', 'csv');
  return `/api/db/${operation}?${query}`;
}
