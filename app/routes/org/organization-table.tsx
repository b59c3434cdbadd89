import { hasName } from '../../../server/domain/name-filter.ts';
import { Link } from '../../charts/link.tsx';
import { type Column, DataTable, withoutEmpty } from '../../components/data-table.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { asGiven, orderSection } from '../../components/row-order.ts';
import { describeNoRepository, RepositoryFilter, repositoriesSection, requestedName } from '../name-filter.tsx';
import { HowToRead, summaryColumns } from '../tables/summary-columns.tsx';
import type { Overview } from './overview-panels.tsx';

type Item = Overview['repos'][number];
/** Without a summary its runs could not be read. */
type Row = Omit<Item, 'summary'> & { summary: Item['summary'] | null };

interface Props {
  data: Overview;
  base: string;
  search: string;
}

/** The repositories with the latest activity and how their runs went. */
export function OrganizationTable({ data, base, search }: Props) {
  const rows = data.repos.map(
    (row): Row => ({ ...row, summary: data.repos_failed.includes(row.repo.full_name) ? null : row.summary }),
  );
  const shown = withoutEmpty(columns(base), rows);
  const found = rows.filter(({ repo }) => hasName([repo.name], requestedName(search)));
  const ordered = orderSection(found, shown, asGiven, { search, section: repositoriesSection });
  const among = (data.total_repos ?? 0) > rows.length ? ', of those with the latest activity' : '';
  return (
    <>
      <RepositoryFilter search={search} found={found.length} all={rows.length} />
      <DataTable
        caption={
          ordered.sortLabel ? `Repositories by ${ordered.sortLabel}${among}` : 'Repositories, latest activity first'
        }
        captionHidden
        columns={shown}
        rows={ordered.rows}
        sorting={ordered.sorting}
        rowKey={({ repo }) => repo.id}
        total={data.total_repos}
        noun="repositories"
        allHref={`${base}/repositories?org=${data.org}`}
        csvHref={`${base}/api/codehost/org-overview?org=${data.org}&limit=${data.limit}&format=csv`}
        empty={
          rows.length > 0
            ? describeNoRepository(search)
            : { cause: 'The token cannot see any repository of this organization.' }
        }
      />
      {rows.length > 0 ? <HowToRead /> : null}
      {rows.length > 0 ? <p className="source">“No runs” means none in 30 days.</p> : null}
    </>
  );
}

function columns(base: string): Column<Row>[] {
  const runs = summaryColumns<Row>({ unread: () => 'Runs could not be loaded.' });
  return [
    {
      key: 'name',
      label: 'Repository',
      sortLabel: 'name',
      heading: true,
      sort: 'asc',
      value: ({ repo }) => repo.name,
      cell: (row) => <Name row={row} base={base} />,
    },
    runs.latest,
    runs.health,
    { ...runs.success, label: 'Success, last ten' },
    runs.recent,
    runs.month,
    {
      key: 'runs',
      label: 'Runs',
      sortLabel: 'runs',
      numeric: true,
      sort: 'desc',
      explain: 'Created in the last 30 days',
      value: ({ runs_30d }) => runs_30d,
      cell: ({ runs_30d: value }) => (
        <Measurement value={{ value, unit: 'count', reason: 'Runs could not be counted.' }} />
      ),
    },
    {
      key: 'workflows',
      label: 'Workflows',
      sortLabel: 'workflow files',
      numeric: true,
      sort: 'desc',
      explain: 'Workflow files on the default branch',
      value: ({ workflow_count }) => workflow_count,
      cell: ({ workflow_count: value }) => <Measurement value={{ value, unit: 'count', reason: 'Not loaded.' }} />,
    },
  ];
}

function Name({ row: { repo }, base }: { row: Row; base: string }) {
  const marks = [repo.private ? 'private' : '', repo.fork ? 'fork' : '', repo.archived ? 'archived' : ''];
  return (
    <>
      <Link href={`${base}/repos/${repo.full_name}`}>{repo.name}</Link>
      <span className="sub brief muted">{[...marks, repo.language ?? ''].filter(Boolean).join(' · ')}</span>
    </>
  );
}
