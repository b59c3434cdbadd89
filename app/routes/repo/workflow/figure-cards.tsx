import { quantity, refineRate } from '../../../../server/domain/quantity.ts';
import { MetricCard, MetricCards } from '../../../components/metric-card.tsx';
import { Empty, Notice } from '../../../components/notice.tsx';
import { Panel } from '../../../components/panel.tsx';
import { describeRange } from '../../../components/period-filters.ts';
import { makeCards } from '../../ci/cards.tsx';
import type { CiWorkflow } from '../../ci/views.ts';
import { MeasurementCard, MeasurementCards } from './measurement-cards.tsx';
import type { BesideAnswers, Health, OperationResult, WorkflowAnswers } from './operations.ts';
import type { Sample } from './sample.ts';
import { usualSize, type WorkflowTab } from './tabs.ts';

interface Props extends OperationResult {
  sample: Sample;
  tab: WorkflowTab;
  answers: Partial<WorkflowAnswers>;
  beside: Partial<BesideAnswers>;
}

/** The headline numbers of a tab: of the range, else of the latest runs. */
export function FigureCards({ sample, ...props }: Props) {
  if (sample.by === 'range') return <RangeCards sample={sample} {...props} />;
  return props.tab === 'overview' ? <HealthCards {...props} /> : null;
}

type CardKey = keyof ReturnType<typeof makeCards> | 'flaky';

const rangeKeys: Partial<Record<WorkflowTab, readonly CardKey[]>> = {
  overview: ['median', 'failures', 'queue'],
  performance: ['median', 'p90', 'queue', 'runTime'],
  reliability: ['failures', 'flaky'],
  cost: ['cost', 'wasted', 'runTime'],
};

type RangeProps = Omit<Props, 'sample'> & { sample: Extract<Sample, { by: 'range' }> };

/** What the list of all workflows says of this one in the same range. */
function RangeCards({ sample: { figures, workflow }, tab, answers, beside, zone, evidence }: RangeProps) {
  const { health } = answers;
  const range = describeRange(figures.range);
  if (workflow === null) return <Empty cause={`No runs in this range: ${range}.`} />;
  const ofRange = (metric: string) => evidence(metric, { range: figures.range });
  const days = beside.durations?.ok ? beside.durations.data.days : [];
  const all = makeCards({ ...figures, totals: toTotals(workflow), days }, ofRange, zone);
  const p90 =
    tab === 'overview' && workflow.p90_ms !== null ? `p90 ${quantity(workflow.p90_ms, 'milliseconds')}` : null;
  const cards = {
    ...all,
    median: { ...all.median, beside: p90 },
    flaky: makeFlakyCard(workflow),
  };
  const streak = health?.ok ? health.data.measurements.find(({ key }) => key === streakKey) : undefined;
  return (
    <section aria-label={range}>
      <h2 className="sr">{range}</h2>
      {workflow.partial ? (
        <Notice tone="partial">Not every run of this range is stored yet, so counts are lower bounds.</Notice>
      ) : null}
      <MetricCards>
        {rangeKeys[tab]?.map((key) => (
          <MetricCard key={key} {...cards[key]} />
        ))}
        {streak ? (
          <MeasurementCard measurement={ofLatest(streak)} beside={describeBranch(answers)} evidence={evidence} />
        ) : null}
      </MetricCards>
    </section>
  );
}

/** What only a workflow for itself has. */
const makeFlakyCard = ({
  flaky_rate: rate,
  flaky_commits: part,
  flaky_sample: sample,
  reruns_unread: unread,
}: CiWorkflow) => ({
  label: 'Flaky rate',
  value: {
    value: refineRate(rate, part, sample),
    unit: 'percent' as const,
    quality: unread > 0 ? ('floor' as const) : undefined,
    sample,
    source: 'commits',
    reason: 'Fewer than ten commits.',
  },
});

/** Of the latest runs also beside the cards of a range. */
const ofLatest = (one: Health['measurements'][number]) =>
  one.sample > 0 ? { ...one, source: `of latest ${usualSize} runs` } : one;

/** A row with what only the sum of all has. */
const toTotals = (row: CiWorkflow) => ({
  ...row,
  wasted_share:
    row.cost_per_month && row.wasted_per_month !== null
      ? Math.round((100 * row.wasted_per_month) / row.cost_per_month)
      : null,
});

const streakKey = 'failure_streak';
const headlines = ['success_rate', 'workflow_median_duration', 'queue_wait', streakKey];

/** The one branch that failures in a row are counted on. */
const describeBranch = ({ reliability }: Props['answers']) =>
  `on ${(reliability?.ok && reliability.data.default_branch) || 'the default branch'}`;

function HealthCards({ answers, evidence }: Omit<Props, 'sample'>) {
  const { health } = answers;
  if (!health) return null;
  if (!health.ok)
    return (
      <Panel title="Health" result={health}>
        {() => null}
      </Panel>
    );
  return (
    <section aria-label="Health">
      <h2 className="sr">Health</h2>
      <MeasurementCards
        measurements={health.data.measurements}
        shown={headlines}
        beside={{ [streakKey]: describeBranch(answers) }}
        evidence={evidence}
      />
    </section>
  );
}

/** Beside the title of what is of the latest runs also where a range is chosen. */
export const LatestRuns = ({ sample }: { sample: Sample }) =>
  sample.by === 'range' ? <span className="muted">{`Latest ${usualSize} runs`}</span> : null;
