import { count, figures } from '../../../server/domain/quantity.ts';
import { withChoices } from '../../components/choices.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { Pager } from '../../components/pager.tsx';
import { type Collection, ReadingState, type ReadingsProps, type Row } from './reading-state.tsx';

/** What has been read of the known repositories of an owner: each kind over all of them, then each repository. */
export function OwnerReadings({ data, page, search, now, zone, csvHref }: ReadingsProps) {
  const { repos_known: known, repos_visible: visible, limit, offset } = data;
  return (
    <>
      <p>{howMany(known, visible)}</p>
      <DataTable<Collection['summary'][number]>
        caption="Repositories in which each kind was read"
        noun="kinds"
        rows={known === 0 ? [] : data.summary}
        rowKey={({ resource }) => resource}
        empty={{ cause: 'Sync now reads the first of them.' }}
        columns={[
          { key: 'what', label: 'What', heading: true, cell: ({ title }) => title },
          { key: 'complete', label: 'Complete', numeric: true, cell: (row) => figures(row.complete) },
          { key: 'partial', label: 'In part', numeric: true, cell: (row) => figures(row.partial) },
          { key: 'never', label: 'Never read', numeric: true, cell: (row) => figures(row.never) },
          { key: 'lost', label: 'Out of reach', numeric: true, cell: (row) => figures(row.unreachable) },
          {
            key: 'through',
            label: 'All read through',
            explain: 'Of those that were read, the one that was read least far',
            cell: ({ through }) => <Moment at={through} now={now} zone={zone} />,
          },
        ]}
      />
      <Repositories rows={byRepository(data.readings)} csvHref={csvHref} now={now} zone={zone} />
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
    return `Something has been read of ${count(known, 'repository', 'repositories')}; the list of those you can see was cut short, so there may be more.`;
  return `Something has been read of ${figures(known)} of the ${count(visible, 'repository', 'repositories')} you can see.`;
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

function Repositories({
  rows,
  csvHref,
  now,
  zone,
}: { rows: Repository[] } & Pick<ReadingsProps, 'csvHref' | 'now' | 'zone'>) {
  if (rows.length === 0) return null;
  return (
    <DataTable<Repository>
      caption="Known repositories, by name"
      noun="repositories"
      csvHref={csvHref}
      rows={rows}
      rowKey={({ repo }) => repo}
      columns={[
        {
          key: 'repo',
          label: 'Repository',
          heading: true,
          cell: ({ repo }) => {
            const [owner = '', name = ''] = repo.split('/');
            return <a href={`/reports?${new URLSearchParams({ owner, repo: name })}#read`}>{repo}</a>;
          },
        },
        {
          key: 'runs',
          label: 'Workflow runs',
          cell: ({ runs }) => <ReadingState row={runs} />,
        },
        {
          key: 'through',
          label: 'Through',
          cell: ({ runs }) => <Moment at={runs.through} now={now} zone={zone} />,
        },
        { key: 'partial', label: 'Others in part', cell: ({ partial }) => partial },
        { key: 'never', label: 'Others never read', cell: ({ never }) => never },
      ]}
    />
  );
}
