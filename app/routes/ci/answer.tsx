import type { ReactNode } from 'react';
import { figures, quantity } from '../../../server/domain/quantity.ts';
import { usePageContext } from '../../components/page-context.ts';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import { type Ci, type CiWorkflow, getWorkflowHref, getWorkflowName, type View } from './views.ts';

/** The fewest runs of a workflow that is called the slowest: of fewer a p90 says little. */
const minRuns = 20;

interface Props {
  data: Ci;
  view: View;
  showsCost: boolean;
}

/** Which workflow is the slowest and which one wastes most, in a sentence each. */
export function Answer({ data, view, showsCost }: Props): ReactNode {
  if (data.workflows.length === 0) return null;
  if (view === 'slow')
    return (
      <>
        <Slowest data={data} view={view} /> <Longest data={data} view={view} /> <Slower data={data} view={view} />
      </>
    );
  if (view === 'waste') return showsCost ? <Wasteful data={data} view={view} /> : null;
  const isCostKnown = data.totals.cost_per_month !== null;
  return (
    <>
      <Slowest data={data} view="slow" />{' '}
      {showsCost ? isCostKnown ? <Wasteful data={data} view="waste" /> : 'Cost: no job data yet.' : null}
    </>
  );
}

type Part = Omit<Props, 'showsCost'>;

function Slowest({ data, view }: Part) {
  const timed = sortBy(data.workflows, ({ p90_ms }) => p90_ms);
  const slowest = timed.find(({ duration_sample: runs }) => runs >= minRuns);
  if (!slowest) return `No workflow has ${minRuns} finished runs in this range.`;
  const isFirst = slowest === timed[0];
  return (
    <>
      {isFirst ? 'Slowest: ' : `Slowest (${minRuns}+ runs): `}
      <Named workflow={slowest} data={data} view={view} />, p90{' '}
      <strong>{quantity(slowest.p90_ms, 'milliseconds')}</strong>.
    </>
  );
}

/** The workflow that most of the run time is spent in. */
function Longest({ data, view }: Part) {
  const [longest] = sortBy(data.workflows, ({ run_time_ms }) => run_time_ms);
  if (!longest || data.workflows.length === 1 || !data.totals.run_time_ms) return null;
  const share = Math.round((100 * longest.run_time_ms) / data.totals.run_time_ms);
  return (
    <>
      Most run time: <Named workflow={longest} data={data} view={view} />, <strong>{quantity(share, 'percent')}</strong>{' '}
      of all.
    </>
  );
}

/** Smaller increases matter to nobody. */
const minIncrease = 10;

/** The workflow whose median rose most. */
function Slower({ data, view }: Part) {
  const shown = data.workflows.filter(({ median_verdict }) => median_verdict === 'higher');
  const [slower] = sortBy(shown, ({ change_pct }) => change_pct);
  if (!slower?.change_pct || slower.change_pct < minIncrease) return null;
  return (
    <>
      Largest increase: <Named workflow={slower} data={data} view={view} />, median{' '}
      <strong>{`+${figures(slower.change_pct, 0)}\u00a0%`}</strong>.
    </>
  );
}

function Wasteful({ data, view }: Part) {
  const [wasteful] = sortBy(data.workflows, ({ wasted_per_month }) => wasted_per_month);
  if (data.totals.cost_per_month === null)
    return 'Cost is not known yet: sync reads job data in the background, newest runs first.';
  if (!wasteful?.wasted_per_month) {
    const { cost_sample: costed, completed_runs: completed } = data.totals;
    return `No wasted spend found in ${figures(costed ?? 0)} of ${figures(completed ?? 0)} completed runs.`;
  }
  return (
    <>
      Most wasted: <Named workflow={wasteful} data={data} view={view} />,{' '}
      <strong>{quantity(wasteful.wasted_per_month, 'usd')}</strong>/month.
    </>
  );
}

function Named({ workflow, data, view }: Part & { workflow: CiWorkflow }) {
  const { base } = usePageContext();
  return (
    <>
      <SharedParamsLink href={getWorkflowHref(base, workflow, view)}>{getWorkflowName(workflow)}</SharedParamsLink>
      {data.repo === null ? ` (${workflow.repo})` : null}
    </>
  );
}

/** Workflows of which the value is known, the largest first. */
function sortBy(workflows: readonly CiWorkflow[], value: (workflow: CiWorkflow) => number | null): CiWorkflow[] {
  return workflows
    .filter((one) => value(one) !== null)
    .sort((a, b) => (value(b) ?? 0) - (value(a) ?? 0) || b.runs - a.runs);
}
