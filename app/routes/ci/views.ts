import type { z } from 'zod';
import type { getCiWorkflows } from '../../../server/reports/ci/operations.ts';
import { withChoices } from '../../components/choices.ts';
import type { Direction } from '../../components/data-table.tsx';
import type { PageLink } from '../../components/page.tsx';

export type Ci = z.output<(typeof getCiWorkflows)['output']>;
export type CiWorkflow = Ci['workflows'][number];

/** The questions that the page answers, each with the order of its table. */
const views = {
  all: { label: 'All', sort: 'cost' },
  slow: { label: 'Why is CI slow', sort: 'p90' },
  waste: { label: 'What wastes money', sort: 'wasted' },
} as const;

export type View = keyof typeof views;

/** The question that an address asks. */
export function requestedView(query: URLSearchParams): View {
  const view = query.get('view') ?? '';
  return Object.hasOwn(views, view) ? (view as View) : 'all';
}

/** How the workflows are sorted: as requested by `key` or `key-direction`, else as the question needs. */
export function requestedOrder(query: URLSearchParams): { sort: string | undefined; direction: string | undefined } {
  const [sort, direction] = (query.get('sort') || views[requestedView(query)].sort).split('-');
  return { sort, direction };
}

/** The same as it stands in an address, which says the direction where it is not the usual one of the column. */
export const toSort = (key: string, direction: Direction): string =>
  direction === (key === 'name' ? 'asc' : 'desc') ? key : `${key}-${direction}`;

/** The questions as tabs; waste only for those who see cost. */
export function getTabs(search: string, current: View, { showsCost }: { showsCost: boolean }): PageLink[] {
  return (Object.keys(views) as View[])
    .filter((view) => view !== 'waste' || showsCost)
    .map((view) => ({
      label: views[view].label,
      href: withChoices(search, { view: view === 'all' ? null : view, sort: null }),
      current: view === current,
    }));
}

const tabOf = { all: 'overview', slow: 'performance', waste: 'cost' } as const;

/** The page of a workflow, opened where the question goes on. */
export const getWorkflowHref = (base: string, { repo, workflow_id: id }: CiWorkflow, view: View): string =>
  `${base}/repos/${repo}/workflows/${id}${view === 'all' ? '' : `?tab=${tabOf[view]}`}`;

export const getWorkflowName = ({ workflow, workflow_id: id }: CiWorkflow): string => workflow ?? `Workflow ${id}`;
