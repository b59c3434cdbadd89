import { refineRate } from '../../../server/domain/quantity.ts';
import { describeChange, fewRuns, minCompared } from '../../components/comparison.ts';
import { changeInPercent } from '../../components/measurement.tsx';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
import { ReadThrough, whyUnread } from '../../components/moment.tsx';
import { Empty } from '../../components/notice.tsx';
import { useCanSync, usePageContext } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import { findDayTrend } from '../day-trend.ts';
import { explainHref } from '../links.ts';
import { toCardCoverage } from '../repository-coverage.ts';
import type { Overview } from './overview.tsx';
import type { HomePanels } from './page.tsx';
import { findTrend } from './trend.ts';

interface Props {
  result: HomePanels['overview'];
}

/** The scope in four figures, or why there are none. */
export function FiguresPanel({ result }: Props) {
  if (result.ok && result.data.repos_included > 0) return <Figures data={result.data} />;
  if (result.ok) return <NothingSynced hasRepositories={result.data.repos_visible !== 0} />;
  return (
    <Panel title="Key figures" result={result}>
      {() => null}
    </Panel>
  );
}

function NothingSynced({ hasRepositories }: { hasRepositories: boolean }) {
  const canSync = useCanSync();
  if (!hasRepositories) return null;
  return (
    <Section title="Key figures">
      <Empty
        cause={`No workflow runs are stored yet. ${canSync ? 'Sync a repository' : 'Ask an administrator to sync a repository'} to see failure rate, duration and merges here.`}
        next={canSync ? { label: 'Choose repositories to sync', href: '/reports' } : undefined}
      />
    </Section>
  );
}

function Figures({ data }: { data: Overview }) {
  const { base, zone } = usePageContext();
  const { figures: values, org, range } = data;
  const evidence = (metric: string) => explainHref(base, { metric, org, range });
  const changeOfRuns = (by: number | null, unit: 'percent' | 'points') =>
    describeChange(data, { by, unit, better: 'lower', reason: fewRuns });
  const [runsMissing, mergesMissing] = [
    data.partial_reasons.includes('runs_end_missing'),
    data.partial_reasons.includes('pull_requests_end_missing'),
  ];
  const { synced_through: synced, pull_requests_through: mergesThrough } = data;
  const isUnread = values.failed_runs === null;
  const runs = {
    source: 'runs',
    reason: isUnread
      ? whyUnread({ window: data.window, from: data.synced_from, through: synced }, zone)
      : 'No run passed or failed.',
  };
  const runsCoverage = isUnread ? undefined : toCardCoverage(data.runs.coverage);
  const runsNote = runsMissing && !isUnread ? <ReadThrough at={synced} /> : runsBegin(data);
  const { coverage } = data.pull_requests;
  const covered = coverage.read;
  const merges = {
    reason: covered > 0 ? 'Nothing was merged.' : whyNoMerges(data, zone),
    quality: covered !== coverage.expected || mergesMissing ? ('floor' as const) : undefined,
  };
  const mergesNote = mergesMissing && covered > 0 ? <ReadThrough at={mergesThrough} /> : undefined;
  const merged = findDayTrend(data.merge_days, 'Merges', (day) => day.merged);
  const shownCoverage = covered > 0 ? toCardCoverage(coverage) : undefined;
  return (
    <MetricCards>
      <MetricCard
        label="Failure rate"
        value={{
          value: refineRate(values.failure_rate, values.failed_runs, values.failure_rate_sample),
          unit: 'percent',
          sample: values.failure_rate_sample,
          ...runs,
        }}
        change={changeOfRuns(values.failure_rate_change, 'points')}
        trend={findTrend(data)}
        coverage={runsCoverage}
        evidenceHref={evidence('failure_rate')}
        note={runsNote}
      />
      <MetricCard
        label="Median run duration"
        value={{ value: values.median_ms, unit: 'milliseconds', sample: values.duration_sample, ...runs }}
        change={changeOfRuns(values.change_pct, 'percent')}
        trend={findDayTrend(data.duration_days, 'Median duration', (day) => day.median_ms)}
        coverage={runsCoverage}
        evidenceHref={evidence('median_duration')}
        note={runsNote}
      />
      <MetricCard
        label="Merged pull requests"
        value={{ value: values.prs_merged, unit: 'count', ...merges }}
        change={describeMerges(data)}
        trend={merged && { ...merged, kind: 'bars' }}
        coverage={shownCoverage}
        evidenceHref={evidence('scope_prs_merged')}
        note={mergesNote}
      />
      <MetricCard
        label="Median time to merge"
        value={{
          value: values.median_hours_to_merge,
          unit: 'hours',
          // Of what was never synced, 0 is not known to be the number.
          sample: covered > 0 ? values.merge_sample : null,
          reason: merges.reason,
        }}
        change={describeTimeToMerge(data)}
        trend={findDayTrend(data.merge_days, 'Median time to merge', (day) => day.median_hours_to_merge)}
        coverage={shownCoverage}
        evidenceHref={evidence('scope_hours_to_merge')}
        note={mergesNote ?? 'Excluding bots.'}
      />
    </MetricCards>
  );
}

const runsBegin = ({ partial_reasons: reasons }: Overview) =>
  reasons.includes('runs_begin_missing') ? 'Not every run of this range is stored yet.' : undefined;

/** Why merged pull requests of no repository count. */
function whyNoMerges({ window, pull_requests_from: from, pull_requests_through: through }: Overview, zone: string) {
  if (through === null) return 'Not read yet: the nightly job or the page Team reads them.';
  return from === null ? 'Too many pull requests to read.' : whyUnread({ window, from, through }, zone);
}

/** Merged pull requests are compared where those of both periods are stored. */
const comparedMerges = ({ compare, figures: { prs_merged_before: before } }: Overview) => ({
  compare,
  comparable: before !== null,
});

const fewMerges = `fewer than ${minCompared} merges`;

function describeMerges(data: Overview) {
  const { prs_merged: merged, prs_merged_before: before } = data.figures;
  const by = Math.min(merged ?? 0, before ?? 0) < minCompared ? null : changeInPercent(merged, before);
  return describeChange(comparedMerges(data), { by, unit: 'percent', better: 'neither', reason: fewMerges });
}

function describeTimeToMerge(data: Overview) {
  const { median_hours_to_merge: hours, median_hours_to_merge_before: before } = data.figures;
  const { merge_sample: sample, merge_sample_before: sampleBefore } = data.figures;
  const by = Math.min(sample, sampleBefore ?? 0) < minCompared ? null : changeInPercent(hours, before);
  return describeChange(comparedMerges(data), { by, unit: 'percent', better: 'lower', reason: fewMerges });
}
