import { refineRate } from '../../../server/domain/quantity.ts';
import { describeChange, fewRuns } from '../../components/comparison.ts';
import type { Change } from '../../components/measurement.tsx';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
import { ReadThrough, whyUnread } from '../../components/moment.tsx';
import { Empty } from '../../components/notice.tsx';
import { useCanSync, usePageContext } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import { findDayTrend } from '../day-trend.ts';
import { explainHref } from '../links.ts';
import { MergeCards } from '../merge-cards.tsx';
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
  const changeOfRuns = (by: number | null, unit: 'percent' | 'points', verdict: Change['verdict']) =>
    describeChange(data, { by, unit, better: 'lower', verdict, reason: fewRuns });
  const runsMissing = data.partial_reasons.includes('runs_end_missing');
  const { synced_through: synced } = data;
  const isUnread = values.failed_runs === null;
  const runs = {
    source: 'runs',
    reason: isUnread
      ? whyUnread({ window: data.window, from: data.synced_from, through: synced }, zone)
      : 'No run passed or failed.',
  };
  const runsCoverage = isUnread ? undefined : toCardCoverage(data.runs.coverage);
  const runsNote = runsMissing && !isUnread ? <ReadThrough at={synced} /> : runsBegin(data);
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
        change={changeOfRuns(values.failure_rate_change, 'points', values.failure_rate_verdict)}
        trend={findTrend(data)}
        coverage={runsCoverage}
        evidenceHref={evidence('failure_rate')}
        note={runsNote}
      />
      <MetricCard
        label="Median run duration"
        value={{ value: values.median_ms, unit: 'milliseconds', sample: values.duration_sample, ...runs }}
        change={changeOfRuns(values.change_pct, 'percent', values.median_verdict)}
        trend={findDayTrend(data.duration_days, 'Median duration', (day) => day.median_ms)}
        coverage={runsCoverage}
        evidenceHref={evidence('median_duration')}
        note={runsNote}
      />
      <MergeCards
        label="Merged pull requests"
        data={data}
        merges={{ merged: values.prs_merged, hours: values.median_hours_to_merge, sample: values.merge_sample }}
        before={{
          merged: values.prs_merged_before,
          hours: values.median_hours_to_merge_before,
          sample: values.merge_sample_before,
        }}
        verdicts={{ merged: values.prs_merged_verdict, hours: values.hours_to_merge_verdict }}
        days={data.merge_days}
        coverage={data.pull_requests.coverage}
        through={data.pull_requests_through}
        explainUnread={() => whyNoMerges(data, zone)}
        getEvidence={evidence}
        note="Excluding bots."
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
