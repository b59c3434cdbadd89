import type { Filter } from '../../../components/filter-bar.tsx';
import { getPeriodFilters } from '../../../components/period-filters.ts';
import type { Ci, CiWorkflow } from '../../ci/views.ts';
import type { BesideAnswers } from './operations.ts';
import { usualSize, type WorkflowTab } from './tabs.ts';

/** Which runs the figures of a tab are of: those of a range, where its runs are stored, else the latest ones. */
export type Sample =
  | { by: 'range'; figures: Ci; workflow: CiWorkflow | null }
  /** `hasRange` where a range could be chosen instead. */
  | { by: 'runs'; hasRange: boolean };

/** A number of runs wins over a range; without either a range is the usual, if a run of the workflow is in it. */
export function chooseSample(query: URLSearchParams, { figures }: Partial<BesideAnswers>, workflowId: string): Sample {
  if (!figures?.ok || figures.data.synced_through === null) return { by: 'runs', hasRange: false };
  if (query.get('per_page')) return { by: 'runs', hasRange: true };
  const { data } = figures;
  const workflow = data.workflows.find((one) => String(one.workflow_id) === workflowId) ?? null;
  if (workflow === null && !query.get('range')) return { by: 'runs', hasRange: true };
  return { by: 'range', figures: data, workflow };
}

/** One choice: a range, or so many of the latest runs. */
export function getSampleFilter(query: URLSearchParams, sample: Sample, tab: WorkflowTab): Filter {
  const size = {
    name: 'per_page',
    label: 'Last runs',
    value: sample.by === 'runs' ? chosenSize(query, tab) : null,
    options: offeredSizes(tab).map((value) => ({ value, label: value })),
  };
  if (sample.by === 'runs' && !sample.hasRange) return { kind: 'links', ...size };
  const [range] = getPeriodFilters(query).filter(({ kind }) => kind === 'range');
  return {
    kind: 'range',
    name: 'range',
    label: 'Range',
    value: sample.by === 'range' ? sample.figures.range : null,
    options: range && 'options' in range ? range.options : [],
    or: { ...size, label: 'or last runs' },
  };
}

/** Cost is requested for at most 50 runs. */
const offeredSizes = (tab: WorkflowTab) => (tab === 'cost' ? ['20', '50'] : ['20', '50', '100']);

function chosenSize(query: URLSearchParams, tab: WorkflowTab): string {
  const requested = query.get('per_page') || usualSize;
  return tab === 'cost' && Number(requested) > 50 ? '50' : requested;
}
