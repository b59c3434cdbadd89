import type { z } from 'zod';
import { dayText } from '../../../server/domain/day-text.ts';
import type { getSpend } from '../../../server/reports/spend/operations.ts';
import { withChoices } from '../../components/choices.ts';
import type { PageLink } from '../../components/page.tsx';

export type Spend = z.output<(typeof getSpend)['output']>;
export type SpendRow = Spend['rows'][number];

const views = {
  workflow: 'Workflows',
  repository: 'Repositories',
  runner: 'Runners',
  day: 'Days',
  bill: 'Bill',
} as const;

export type View = keyof typeof views;

/** Whether the rows have names to look for. */
export const isNamed = (by: Spend['by']): boolean => by !== 'day';

/** The view that an address asks for. A month is of the bill, which is all there is without a database. */
export function requestedView(query: URLSearchParams, isStored: boolean): View {
  const view = query.get('view') ?? '';
  if (!isStored) return 'bill';
  if (Object.hasOwn(views, view)) return view as View;
  return query.has('year') || query.has('month') ? 'bill' : 'workflow';
}

/** What a workflow costs, on its own page. */
export const getCostHref = (base: string, { repo, workflow_id: id }: SpendRow): string =>
  `${base}/repos/${repo}/workflows/${id}?tab=cost`;

export const getTabs = (search: string, current: View, isStored: boolean): PageLink[] =>
  (Object.keys(views) as View[])
    .filter((view) => isStored || view === 'bill')
    .map((view) => ({
      label: views[view],
      href: withChoices(search, { view: view === 'workflow' ? null : view, q: null, year: null, month: null }),
      current: view === current,
    }));

/** A row as it is named: a day as other dates are written. */
export const getRowName = (row: SpendRow, by: Spend['by']): string => (by === 'day' ? dayText(row.name) : row.name);
