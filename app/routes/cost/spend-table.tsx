import { hasName } from '../../../server/domain/name-filter.ts';
import { DataTable, withoutEmpty } from '../../components/data-table.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Pager } from '../../components/pager.tsx';
import { Section } from '../../components/panel.tsx';
import { orderSection, type RowOrder } from '../../components/row-order.ts';
import { pageRows } from '../../components/row-pages.ts';
import { describeNoName, NameFilter, requestedName, rowsSection } from '../name-filter.tsx';
import { listColumns } from './spend-columns.tsx';
import { isNamed, type Spend } from './views.ts';

const kinds = {
  workflow: { title: 'Workflows', noun: 'workflow', placeholder: 'workflow or repository' },
  repository: { title: 'Repositories', noun: 'repository', placeholder: 'repository' },
  runner: { title: 'Runners', noun: 'runner', placeholder: 'label' },
  day: { title: 'Days', noun: 'day', placeholder: '' },
};

interface Props {
  data: Spend;
  search: string;
}

/** The rows of the view, most expensive first where that is known, each opened where the question goes on. */
export function SpendTable({ data, search }: Props) {
  const { base } = usePageContext();
  const { rows, by } = data;
  const { title, ...named } = kinds[by];
  const nouns = title.toLowerCase();
  const name = isNamed(by) ? requestedName(search) : null;
  const shown = withoutEmpty(listColumns(data, base, search), rows);
  const isCosted = shown.some(({ key }) => key === mostExpensive.key);
  const first = by === 'day' ? newestDay : isCosted ? mostExpensive : byName;
  const found = rows.filter((row) => hasName([row.name, row.repo], name));
  const ordered = orderSection(found, shown, first, { search, section: rowsSection });
  const { rows: onPage, pages } = pageRows(ordered.rows, { search, section: rowsSection });
  return (
    <Section title={title} id={rowsSection}>
      {isNamed(by) ? (
        <NameFilter search={search} found={found.length} all={rows.length} nouns={nouns} {...named} />
      ) : null}
      <DataTable
        caption={`${title}, by ${ordered.sortLabel}`}
        captionHidden
        columns={shown}
        rows={onPage}
        sorting={ordered.sorting}
        rowKey={({ name, repo, workflow_id }) => `${repo} ${workflow_id} ${name}`}
        noun={nouns}
        csvHref={csvHref(base, data, name)}
        empty={name === null ? undefined : describeNoName(search, nouns)}
      />
      {pages ? <Pager {...pages} noun={nouns} /> : null}
      <details className="source">
        <summary>How cost is estimated</summary>
        <p>
          Every job of every attempt in whole minutes at the list price of its runner; per month is 30 days at the rate
          of the range. The bill differs: it counts UTC months, adds storage, and subtracts included minutes and
          discounts. Self-hosted runners, and standard runners in public repositories, cost $0. Runs without job data
          are not included and not extrapolated.
        </p>
        <p>
          Wasted, at most: superseded runs, runs cancelled in the queue, and all jobs of failed attempts that passed on
          re-run. A runner whose labels have no list price has no cost; name larger runners in{' '}
          <code>RUNNER_LABELS</code>.
        </p>
      </details>
    </Section>
  );
}

const mostExpensive: RowOrder = { key: 'cost', direction: 'desc' };
/** Where no cost is known, and so no column of it shown. */
const byName: RowOrder = { key: 'name', direction: 'asc' };
const newestDay: RowOrder = { key: 'name', direction: 'desc' };

function csvHref(base: string, { org, repo, range, compare, by }: Spend, name: string | null): string {
  const query = new URLSearchParams({ range, compare, by, ...(name !== null && { q: name }), format: 'csv' });
  if (org !== null) query.set('org', org);
  if (repo !== null) query.set('repo', repo);
  return `${base}/api/db/cost?${query}`;
}
