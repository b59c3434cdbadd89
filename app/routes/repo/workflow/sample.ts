import type { Filter } from '../../../components/filter-bar.tsx';
import { allRuns, describeUnoffered, getComparisonMenu, getRangeFilter } from '../../../components/period-filters.ts';
import type { Ci, CiWorkflow } from '../../ci/views.ts';
import { nameBranch } from './branch.tsx';
import type { BesideAnswers } from './operations.ts';
import { maxSize, usualSize, type WorkflowTab } from './tabs.ts';

/** Which runs the figures of a tab are of: those of a range, where its runs are stored, else the latest ones. */
export type Sample =
  | { by: 'range'; figures: Ci; workflow: CiWorkflow | null }
  /** `hasRange` where a range could be chosen instead. */
  | { by: 'runs'; hasRange: boolean }
  /** What the address asks for is refused. */
  | { by: 'none'; hasRange: true };

/** A number of runs wins over a range; without either a range is the usual, if a run of the workflow is in it. */
export function chooseSample(query: URLSearchParams, { figures }: Partial<BesideAnswers>, workflowId: string): Sample {
  if (figures?.ok === false && figures.problem.status === 400) return { by: 'none', hasRange: true };
  if (!figures?.ok || figures.data.synced_from === null) return { by: 'runs', hasRange: false };
  if (query.get('per_page')) return { by: 'runs', hasRange: true };
  const { data } = figures;
  const workflow = data.workflows.find((one) => String(one.workflow_id) === workflowId) ?? null;
  if (workflow === null && !query.get('range')) return { by: 'runs', hasRange: true };
  return { by: 'range', figures: data, workflow };
}

/** One choice, a range or so many of the latest runs, and of a range what it is compared with. */
export function getSampleFilters(query: URLSearchParams, sample: Sample, tab: WorkflowTab): Filter[] {
  const chosen = sample.by === 'runs' ? chosenSize(query, tab) : null;
  const size = {
    name: 'per_page',
    label: 'Last runs',
    value: chosen,
    options: offeredSizes(tab, chosen).map((value) => ({ value, label: value })),
  };
  if (sample.by !== 'range' && !sample.hasRange) return [{ kind: 'links', ...size }];
  const range: Filter = {
    ...getRangeFilter(query),
    value: sample.by === 'range' ? sample.figures.range : null,
    or: { ...size, label: 'or last runs' },
  };
  return sample.by === 'range' ? [range, getComparisonMenu(query)] : [range];
}

/** What all samples are of, and what an address asks for that does not govern this one. */
export function describeSample(query: URLSearchParams, sample: Sample, tab: WorkflowTab): string[] {
  if (sample.by !== 'runs') return allRuns;
  const carried = new URLSearchParams(query);
  // A number of runs that was chosen says itself what is shown.
  if (query.get('per_page')) carried.delete('range');
  const [all = '', ...others] = allRuns;
  const branch = tab === 'runs' ? nameBranch(query) : null;
  return [
    branch ?? all,
    ...others,
    ...describeUnoffered(carried, [], { shown: `latest ${chosenSize(query, tab)} runs` }),
  ];
}

/** The usual numbers of runs, and one that an address asks for; cost is requested for at most 50. */
function offeredSizes(tab: WorkflowTab, chosen: string | null): string[] {
  const usual = tab === 'cost' ? [20, 50] : [20, 50, 100];
  const isOther = chosen !== null && isSize(chosen) && !usual.includes(Number(chosen));
  return [...usual, ...(isOther ? [Number(chosen)] : [])].sort((a, b) => a - b).map(String);
}

function chosenSize(query: URLSearchParams, tab: WorkflowTab): string {
  const requested = query.get('per_page') || usualSize;
  return tab === 'cost' && isSize(requested) && Number(requested) > 50 ? '50' : requested;
}

const isSize = (text: string) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= maxSize;
