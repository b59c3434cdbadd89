import { figures, quantity } from '../../../server/domain/quantity.ts';
import { usePageContext } from '../../components/page-context.ts';
import { PartBars } from '../../components/part-bars.tsx';
import { type Ci, type CiWorkflow, getWorkflowHref, getWorkflowName, type View } from './views.ts';

/** At most so many workflows are drawn; the table has all. */
const maxBars = 8;

interface Props {
  data: Ci;
  view: View;
  showsCost: boolean;
}

/** The workflows that matter most for the question, each as one bar on a common scale. */
export function WorkflowBars({ data, view, showsCost }: Props) {
  const kind = view === 'slow' ? 'duration' : showsCost && hasCost(data) ? 'cost' : 'runTime';
  return <Bars data={data} view={view} {...kinds[kind]} />;
}

const hasCost = ({ totals }: Ci) => totals.cost_per_month !== null && totals.cost_per_month > 0;

interface Kind {
  title: string;
  parts: readonly string[];
  /** From the left; null where it is not known. */
  getValues(workflow: CiWorkflow): readonly [first: number, rest: number] | null;
  getText(workflow: CiWorkflow): string;
}

const time = (value: number | null) => quantity(value, 'milliseconds');
const usd = (value: number | null) => quantity(value, 'usd');

const kinds: Record<'cost' | 'duration' | 'runTime', Kind> = {
  cost: {
    title: 'Estimated cost per month',
    parts: ['wasted', 'other'],
    getValues: ({ cost_per_month: cost, wasted_per_month: wasted }) =>
      cost === null ? null : [wasted ?? 0, cost - (wasted ?? 0)],
    getText: ({ cost_per_month: cost, wasted_per_month: wasted }) =>
      wasted ? `${usd(cost)}, ${usd(wasted)} wasted` : usd(cost),
  },
  duration: {
    title: 'Duration of runs',
    parts: ['median', 'up to p90'],
    getValues: ({ median_ms: median, p90_ms: p90 }) =>
      median === null || p90 === null ? null : [median, p90 - median],
    getText: ({ median_ms: median, p90_ms: p90, duration_sample: runs }) =>
      `${time(median)}, p90 ${time(p90)}, n = ${figures(runs)}`,
  },
  runTime: {
    title: 'Total run time',
    parts: ['run time'],
    getValues: ({ run_time_ms: ms }) => [ms, 0],
    getText: ({ run_time_ms: ms, runs }) => `${time(ms)}, n = ${figures(runs)}`,
  },
};

function Bars({ data, view, title, parts, getValues, getText }: Omit<Props, 'showsCost'> & Kind) {
  const { base } = usePageContext();
  const known = data.workflows
    .flatMap((workflow) => {
      const values = getValues(workflow);
      const total = values === null ? 0 : values[0] + values[1];
      return values && total > 0 ? [{ workflow, values, total }] : [];
    })
    .sort((a, b) => b.total - a.total);
  if (known.length === 0) return null;
  const bars = known.slice(0, maxBars).map(({ workflow, values }) => ({
    key: `${workflow.repo} ${workflow.workflow_id}`,
    name: (
      <>
        <a href={getWorkflowHref(base, workflow, view)}>{getWorkflowName(workflow)}</a>{' '}
        {data.repo === null ? <span className="muted">{workflow.repo}</span> : null}
      </>
    ),
    text: getText(workflow),
    values: values.slice(0, parts.length),
  }));
  const summary = known.length > maxBars ? `Top ${maxBars} of ${figures(known.length)} workflows` : '';
  return <PartBars title={title} summary={summary} parts={parts} bars={bars} />;
}
