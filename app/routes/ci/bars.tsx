import { figures, quantity } from '../../../server/domain/quantity.ts';
import { usePageContext } from '../../components/page-context.ts';
import { Section } from '../../components/panel.tsx';
import { type BarPart, PartBars } from '../../components/part-bars.tsx';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import { type Ci, type CiWorkflow, getWorkflowHref, getWorkflowName, type View } from './views.ts';

/** At most so many workflows are drawn; the table has all. */
const maxBars = 6;

interface Props {
  data: Ci;
  view: Exclude<View, 'all'>;
  showsCost: boolean;
}

/** The workflows that matter most for the question, each as one bar on a common scale. */
export function WorkflowBars({ data, view, showsCost }: Props) {
  return <Bars data={data} view={view} {...kinds[chooseKind(data, view, showsCost)]} />;
}

/** Without any cost, or without leave to see it, what is left is the time that runs took. */
function chooseKind({ totals }: Ci, view: Props['view'], showsCost: boolean): keyof typeof kinds {
  if (view === 'slow') return 'duration';
  if (showsCost && totals.wasted_per_month) return 'waste';
  return showsCost && totals.cost_per_month ? 'cost' : 'runTime';
}

interface Kind {
  title: string;
  parts: readonly BarPart[];
  /** From the left; null where it is not known. */
  getValues(workflow: CiWorkflow): readonly [first: number, rest: number] | null;
  getText(workflow: CiWorkflow): string;
}

const time = (value: number | null) => quantity(value, 'milliseconds');
const usd = (value: number | null) => quantity(value, 'usd');

const kinds: Record<'cost' | 'waste' | 'duration' | 'runTime', Kind> = {
  cost: {
    title: 'Estimated cost per month',
    parts: [{ label: 'cost', tone: 'one' }],
    getValues: ({ cost_per_month: cost }) => (cost === null ? null : [cost, 0]),
    getText: ({ cost_per_month: cost }) => usd(cost),
  },
  waste: {
    title: 'Estimated waste per month',
    parts: [{ label: 'wasted', tone: 'two' }],
    getValues: ({ wasted_per_month: wasted }) => (wasted === null ? null : [wasted, 0]),
    getText: ({ cost_per_month: cost, wasted_per_month: wasted }) => `${usd(wasted)} of ${usd(cost)}`,
  },
  duration: {
    title: 'Run duration',
    parts: [
      { label: 'median', tone: 'one' },
      { label: 'up to p90', tone: 'two' },
    ],
    getValues: ({ median_ms: median, p90_ms: p90 }) =>
      median === null || p90 === null ? null : [median, p90 - median],
    getText: ({ p90_ms: p90, duration_sample: runs }) => `p90 ${time(p90)}, n = ${figures(runs)}`,
  },
  runTime: {
    title: 'Total run time',
    parts: [{ label: 'run time', tone: 'one' }],
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
        <SharedParamsLink href={getWorkflowHref(base, workflow, view)}>{getWorkflowName(workflow)}</SharedParamsLink>{' '}
        {data.repo === null ? <span className="muted">{workflow.repo}</span> : null}
      </>
    ),
    text: getText(workflow),
    values: values.slice(0, parts.length),
  }));
  const isCut = known.length > maxBars;
  return (
    <Section
      title={title}
      aside={isCut ? <span className="muted">{`Top ${maxBars} of ${figures(known.length)}`}</span> : null}
    >
      <PartBars label={title} parts={parts} bars={bars} />
    </Section>
  );
}
