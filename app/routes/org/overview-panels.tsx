import { useLocation } from 'react-router';
import { count, figures, refineRate } from '../../../server/domain/quantity.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import type { getOrgOverview } from '../../../server/reports/organization/operations.ts';
import { NextAction } from '../../charts/link.tsx';
import { minCompared } from '../../components/comparison.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { type Change, changeInPercent } from '../../components/measurement.tsx';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
import { PastMoment } from '../../components/moment.tsx';
import { usePageContext, useSearch } from '../../components/page-context.ts';
import { Columns, Panel, Section } from '../../components/panel.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { findDayTrend } from '../day-trend.ts';
import { explainHref } from '../links.ts';
import { Lowest } from './lowest.tsx';
import { OrganizationTable } from './organization-table.tsx';
import { sumRunDays } from './run-days.ts';

type Answer = PanelsOf<{ overview: typeof getOrgOverview }>['overview'];
export type Overview = Extract<Answer, { ok: true }>['data'];

/** So many repositories, those pushed to last, the figures of the page are of, however many the table lists. */
export const figureRepositories = 20;

/** How many repositories the table of an address lists; null for a number that the operation rejects or limits itself. */
export function requestedRows(query: URLSearchParams): number | null {
  const text = query.get('limit') || String(figureRepositories);
  const rows = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return rows === 0 ? null : rows;
}

/** What the figures of the page are of. */
export const OverviewBar = ({ search }: { search: string }) => (
  <PeriodBar
    search={search}
    fixed={['Last 30 days', 'Including bots']}
    window={{ range: '30', because: 'runs are read live' }}
  />
);

/** Totals, and where runs fail most. */
export function OverviewPanels({ result: overview }: { result: Answer }) {
  const { base } = usePageContext();
  const { pathname, search } = useLocation();
  return (
    <Columns>
      <Panel
        title="Last 30 days"
        result={overview}
        feature={{ label: 'Organization overview', shows: 'workflow runs of an organization' }}
        whenPartial={overview.ok ? whatIsMissing(overview.data) : undefined}
        aside={overview.ok ? <AsOf at={overview.data.generated_at} href={`${pathname}${search}`} /> : null}
      >
        {(data) => <Totals data={data} base={base} />}
      </Panel>
      {overview.ok ? (
        <Section title="Lowest success rates" aside={<span className="muted">Default branch, last ten runs</span>}>
          <Lowest data={overview.data} />
        </Section>
      ) : null}
    </Columns>
  );
}

/** The repositories of an answer that are not public. */
export const listPrivate = (overview: Answer): string[] =>
  overview.ok ? overview.data.repos.filter(({ repo }) => repo.private).map(({ repo }) => repo.full_name) : [];

/** As many repositories as the address asks for. */
export function Listed({ result: overview }: { result: Answer }) {
  const { base } = usePageContext();
  const search = useSearch();
  if (!overview.ok) return null;
  const { limit, repos } = overview.data;
  const rows = Math.min(requestedRows(new URLSearchParams(search)) ?? limit, limit);
  const data = { ...overview.data, repos: repos.slice(0, rows) };
  return (
    <Section title="Repositories" id="repositories">
      <FilterBar search={search} filters={[howMany(rows)]} />
      <OrganizationTable data={data} base={base} search={search} />
    </Section>
  );
}

const howMany = (value: number) => ({
  kind: 'links' as const,
  name: 'limit',
  label: 'Latest active',
  value: String(value),
  options: ['10', '20', '50'].map((limit) => ({ value: limit, label: limit })),
});

function AsOf({ at, href }: { at: string; href: string }) {
  return (
    <span className="muted">
      as of <PastMoment at={at} />
      <NextAction href={href}>Refresh</NextAction>
    </span>
  );
}

/** What is missing, and in which direction the numbers err. */
function whatIsMissing({ repos, repos_failed: failed, aggregate }: Overview): string {
  const truncated = repos.filter((row) => row.partial && !failed.includes(row.repo.full_name)).length;
  const parts = [
    failed.length ? `Runs of ${failed.join(', ')} could not be loaded.` : '',
    aggregate.uncounted_repos ? 'Counts of runs and active repositories are minimums.' : '',
    truncated
      ? `For ${count(truncated, 'repository', 'repositories')} only the latest 100 runs count towards the success rate.`
      : '',
  ].filter(Boolean);
  return parts.join(' ') || 'Some repositories may be missing.';
}

function Totals({ data, base }: { data: Overview; base: string }) {
  const { aggregate, org } = data;
  const quality = aggregate.uncounted_repos > 0 ? ('floor' as const) : undefined;
  const among =
    data.active_scope === 'org' ? 'all visible repositories' : `the ${figures(data.repos_attempted)} listed`;
  const unread = 'The runs could not be counted.';
  const pooledRuns = aggregate.pooled_success_rate_sample;
  const changes = findChanges(data);
  const evidence = (metric: string) => explainHref(base, { metric, org, per_page: data.limit });
  const days = sumRunDays(data);
  const runs = findDayTrend(days, 'Passed or failed runs', ({ total }) => total);
  return (
    <MetricCards>
      <MetricCard
        label="Repositories"
        value={{ value: data.total_repos, unit: 'count', source: 'visible with this token' }}
        evidenceHref={explainHref(base, { metric: 'total_repos', org })}
        note={data.archived_repos > 0 ? `${figures(data.archived_repos)} archived` : undefined}
      />
      <MetricCard
        label="Active repositories"
        value={{ value: data.active_repos, unit: 'count', reason: unread, quality }}
        evidenceHref={evidence('active_repos')}
        change={changes.active}
        computed={<p>{`With a run in 30 days, among ${among}, excluding archived.`}</p>}
      />
      <MetricCard
        label="Runs in 30 days"
        value={{ value: aggregate.total_runs, unit: 'count', reason: unread, quality }}
        evidenceHref={evidence('total_runs')}
        change={changes.runs}
        trend={runs && { ...runs, kind: 'bars' }}
        note={`of ${count(data.repos_attempted, 'repository', 'repositories')}`}
      />
      <MetricCard
        label="Success rate, all branches"
        value={{
          value: refineRate(aggregate.pooled_success_rate, aggregate.pooled_passed_runs, pooledRuns),
          unit: 'percent',
          sample: pooledRuns,
        }}
        evidenceHref={evidence('pooled_success_rate')}
        change={changes.success}
        trend={findDayTrend(days, 'Success rate', ({ successRate }) => successRate)}
        note={`Of runs that passed or failed. All runs weighted equally. ${formatMean(aggregate)}`}
      />
    </MetricCards>
  );
}

/** Against the previous 30 days of the same repositories; more repositories or runs are neither better nor worse. */
function findChanges({ aggregate, active_repos: active, before, verdicts }: Overview) {
  const against = 'the previous 30 days';
  const notStored = 'not all data of both periods is stored';
  const count = (now: number | null, then: number | null | undefined, few: string): Change => {
    const change = { unit: 'percent', better: 'neither', against } as const;
    if (now === null || then === null || then === undefined) return { ...change, by: null, reason: notStored };
    return { ...change, by: Math.min(now, then) < minCompared ? null : changeInPercent(now, then), reason: few };
  };
  const rate = readRate(aggregate);
  const rateBefore = before && readRate(before);
  return {
    active: count(active, before?.active_repos, `fewer than ${minCompared} active`),
    runs: count(aggregate.total_runs, before?.total_runs, `fewer than ${minCompared} runs`),
    success: {
      by: rate === null || rateBefore === null ? null : rate - rateBefore,
      unit: 'points',
      better: 'higher',
      verdict: verdicts.pooled_success_rate,
      against,
      reason: before === null ? notStored : `fewer than ${minCompared} results`,
    } satisfies Change,
  };
}

type Pooled = Pick<Overview['aggregate'], 'pooled_success_rate' | 'pooled_passed_runs' | 'pooled_success_rate_sample'>;

/** null of fewer runs than a change is told of. */
const readRate = ({
  pooled_success_rate: rate,
  pooled_passed_runs: passed,
  pooled_success_rate_sample: runs,
}: Pooled) => (runs < minCompared ? null : refineRate(rate, passed, runs));

/** The other way to sum up, where every repository weighs the same. */
const formatMean = ({ avg_success_rate: rate, avg_success_rate_sample: sample }: Overview['aggregate']) =>
  rate === null
    ? ''
    : `Mean of ${count(sample, 'repository', 'repositories')} by their last ten results on the default branch: ${rate} %.`;
