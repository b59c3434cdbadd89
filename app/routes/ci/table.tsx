import { hasName } from '../../../server/domain/name-filter.ts';
import { withChoices } from '../../components/choices.ts';
import { DataTable } from '../../components/data-table.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Pager } from '../../components/pager.tsx';
import { pageRows } from '../../components/row-pages.ts';
import { describeNoName, NameFilter, requestedName, rowsSection } from '../name-filter.tsx';
import { listColumns } from './columns.tsx';
import { type Ci, getWorkflowName, toSort, type View } from './views.ts';

interface Props {
  data: Ci;
  view: View;
  showsCost: boolean;
  search: string;
}

/** Every workflow of the scope, or those of a name, in the order that the address asks for. */
export function WorkflowTable({ data, view, showsCost, search }: Props) {
  const { base } = usePageContext();
  const { workflows, sort, direction } = data;
  const name = requestedName(search);
  const found = workflows.filter((row) => hasName([row.repo, getWorkflowName(row)], name));
  const { rows, pages } = pageRows(found, { search, section: rowsSection });
  return (
    <>
      <NameFilter
        search={search}
        found={found.length}
        all={workflows.length}
        noun="workflow"
        nouns="workflows"
        placeholder="workflow or repository"
      />
      <DataTable
        caption={found.length === 1 ? 'One workflow' : `${found.length} workflows`}
        captionHidden
        columns={listColumns(workflows, { base, view, range: data.range, showsCost })}
        rows={rows}
        rowKey={(row) => `${row.repo} ${row.workflow_id}`}
        noun="workflows"
        sorting={{
          key: sort,
          direction,
          href: (key, towards) => withChoices(search, { sort: toSort(key, towards) }),
        }}
        csvHref={csvHref(base, data, { q: name })}
        empty={describeNoName(search, 'workflows')}
      />
      {pages ? <Pager {...pages} noun="workflows" /> : null}
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

/** The workflows of a name in their order, or the days, as a file. */
export function csvHref(
  base: string,
  { org, repo, range, compare, sort, direction }: Ci,
  of: { q: string | null } | { table: 'days' },
): string {
  const order: Record<string, string> = 'table' in of ? of : { sort, direction, ...(of.q && { q: of.q }) };
  const query = new URLSearchParams({ range, compare, ...order, format: 'csv' });
  if (org !== null) query.set('org', org);
  if (repo !== null) query.set('repo', repo);
  return `${base}/api/db/workflows?${query}`;
}
