import { count, figures } from '../../../server/domain/quantity.ts';
import { Link } from '../../charts/link.tsx';
import { withChoices } from '../../components/choices.ts';
import { reportsHref } from '../../components/data-coverage-link.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Pager } from '../../components/pager.tsx';
import { repositoryParams } from '../links.ts';
import { type Collection, ReadingState, type ReadingsProps, type Row } from './reading-state.tsx';

/** Data coverage of the known repositories of an owner: each kind of data over all of them, then each repository. */
export function OwnerReadings({ data, page, search, csvHref }: ReadingsProps) {
  const { repos_known: known, repos_visible: visible, limit, offset } = data;
  return (
    <>
      <p>{howMany(known, visible)}</p>
      <DataTable<Collection['summary'][number]>
        caption="Repositories synced, by data type"
        noun="data types"
        rows={known === 0 ? [] : data.summary}
        rowKey={({ resource }) => resource}
        empty={{ cause: 'No data yet. Select Sync now to start.' }}
        columns={[
          { key: 'what', label: 'Data', heading: true, cell: ({ title }) => title },
          { key: 'complete', label: 'Complete', numeric: true, cell: (row) => figures(row.complete) },
          { key: 'partial', label: 'Partial', numeric: true, cell: (row) => figures(row.partial) },
          { key: 'never', label: 'Not synced', numeric: true, cell: (row) => figures(row.never) },
          { key: 'lost', label: 'Not accessible', numeric: true, cell: (row) => figures(row.unreachable) },
          {
            key: 'through',
            label: 'Synced through',
            explain: 'The earliest of the synced repositories',
            cell: ({ through }) => <Moment at={through} />,
          },
        ]}
      />
      <Repositories rows={byRepository(data.readings)} csvHref={csvHref} />
      {known > limit ? (
        <Pager
          from={offset + 1}
          to={Math.min(offset + limit, known)}
          total={known}
          noun="repositories"
          previousHref={page > 1 ? `${withChoices(search, { page: page - 1 })}#read` : null}
          nextHref={offset + limit < known ? `${withChoices(search, { page: page + 1 })}#read` : null}
        />
      ) : null}
    </>
  );
}

function howMany(known: number, visible: number | null): string {
  if (visible === null)
    return `Data for ${count(known, 'repository', 'repositories')}. The list of repositories you can see is incomplete.`;
  return `Data for ${figures(known)} of the ${count(visible, 'repository', 'repositories')} you can see.`;
}

type Repository = ReturnType<typeof byRepository>[number];

/** A line for each repository: its runs, then of the other kinds which were read in part and which never. */
function byRepository(rows: Row[]) {
  return [...new Set(rows.map(({ repo }) => repo))].map((repo) => {
    const [runs, ...others] = rows.filter((one) => one.repo === repo);
    const titles = (state: Row['state']) =>
      others
        .filter((one) => one.state === state)
        .map(({ title }) => title)
        .join(', ') || 'none';
    return { repo, runs: runs as Row, partial: titles('partial'), never: titles('never') };
  });
}

function Repositories({ rows, csvHref }: { rows: Repository[] } & Pick<ReadingsProps, 'csvHref'>) {
  const { base } = usePageContext();
  if (rows.length === 0) return null;
  return (
    <DataTable<Repository>
      caption="Repositories with data, by name"
      noun="repositories"
      csvHref={csvHref}
      rows={rows}
      rowKey={({ repo }) => repo}
      columns={[
        {
          key: 'repo',
          label: 'Repository',
          heading: true,
          cell: ({ repo }) => <Link href={`${base}${reportsHref(repositoryParams(repo))}#read`}>{repo}</Link>,
        },
        {
          key: 'runs',
          label: 'Workflow runs',
          cell: ({ runs }) => <ReadingState row={runs} />,
        },
        {
          key: 'through',
          label: 'Through',
          cell: ({ runs }) => <Moment at={runs.through} />,
        },
        { key: 'partial', label: 'Other data, partial', cell: ({ partial }) => partial },
        { key: 'never', label: 'Other data, not synced', cell: ({ never }) => never },
      ]}
    />
  );
}
