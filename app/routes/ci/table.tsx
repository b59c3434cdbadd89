import { withChoices } from '../../components/choices.ts';
import { DataTable } from '../../components/data-table.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { listColumns } from './columns.tsx';
import { type Ci, toSort, type View } from './views.ts';

interface Props {
  data: Ci;
  view: View;
  showsCost: boolean;
  search: string;
}

/** Every workflow of the scope, in the order that the address asks for. */
export function WorkflowTable({ data, view, showsCost, search }: Props) {
  const { base } = usePageContext();
  const { workflows, sort, direction } = data;
  return (
    <>
      <DataTable
        caption={`${workflows.length === 1 ? 'One workflow' : `${workflows.length} workflows`}`}
        captionHidden
        columns={listColumns(workflows, { base, view, range: data.range, showsCost })}
        rows={workflows}
        rowKey={(row) => `${row.repo} ${row.workflow_id}`}
        noun="workflows"
        sorting={{
          key: sort,
          direction,
          href: (key, towards) => withChoices(search, { sort: toSort(key, towards) }),
        }}
        csvHref={csvHref(base, data)}
      />
      <details className="source">
        <summary>How these are measured</summary>
        <p>
          Durations are of runs that passed or failed; cancelled and in-progress runs are excluded. Change compares
          medians.
        </p>
        {showsCost ? (
          <p>
            Cost is an estimate: every job of every attempt in whole minutes at the list price of its runner, scaled to
            30 days. Included minutes and discounts are not subtracted. Self-hosted runners, and standard runners in
            public repositories, cost $0. Wasted, at most: superseded runs, runs cancelled in the queue, and all jobs of
            failed attempts that passed on re-run.
          </p>
        ) : null}
      </details>
    </>
  );
}

/** The workflows in their order, or the days, as a file. */
export function csvHref(base: string, { org, repo, range, compare, sort, direction }: Ci, table?: 'days'): string {
  const order: Record<string, string> = table ? { table } : { sort, direction };
  const query = new URLSearchParams({ range, compare, ...order, format: 'csv' });
  if (org !== null) query.set('org', org);
  if (repo !== null) query.set('repo', repo);
  return `${base}/api/db/workflows?${query}`;
}
