import { hasName } from '../../../server/domain/name-filter.ts';
import { refineRate } from '../../../server/domain/quantity.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { asGiven, orderSection } from '../../components/row-order.ts';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import { describeNoRepository, RepositoryFilter, repositoriesSection, requestedName } from '../name-filter.tsx';
import { explainNoOutcome } from './no-outcome.ts';
import type { Deployments } from './page.tsx';

type Row = Deployments['repositories'][number];

/** Every stored repository: failing ones first, then those that deploy most. */
export function RepositoryTable({ data, search }: { data: Deployments; search: string }) {
  const { base } = usePageContext();
  const isAnyFailing = data.failing > 0;
  const columns = listColumns(base).filter(({ key }) => isAnyFailing || key !== 'failing');
  const found = data.repositories.filter(({ repo }) => hasName([repo], requestedName(search)));
  const ordered = orderSection(found, columns, asGiven, { search, section: repositoriesSection });
  const query = new URLSearchParams({ ...(data.org !== null && { org: data.org }), format: 'csv' });
  return (
    <>
      <RepositoryFilter search={search} found={found.length} all={data.repositories.length} />
      <DataTable
        caption="Repositories, failing ones first"
        captionHidden
        columns={columns}
        rows={ordered.rows}
        sorting={ordered.sorting}
        rowKey={({ repo }) => repo}
        noun="repositories"
        csvHref={`${base}/api/db/deployments?${query}`}
        empty={data.repositories.length > 0 ? describeNoRepository(search) : undefined}
      />
    </>
  );
}

function explainUnknown(row: Row): string {
  if (row.as_of === null) return 'Not read yet.';
  if (row.deployments === null) return 'No environment is named production.';
  return explainNoOutcome(row) ?? 'No failure was followed by a success.';
}

const listColumns = (base: string): Column<Row>[] => [
  {
    key: 'repo',
    label: 'Repository',
    heading: true,
    sort: 'asc',
    value: ({ repo }) => repo,
    cell: ({ repo, environment, partial, as_of: asOf }) => (
      <>
        <SharedParamsLink href={`${base}/repos/${repo}/deployments`}>{repo}</SharedParamsLink>
        {environment === null ? null : <span className="sub muted">{environment}</span>}
        {partial && asOf !== null ? <span className="sub muted">partial data</span> : null}
      </>
    ),
  },
  {
    key: 'failing',
    label: 'Failing since',
    sort: 'asc',
    value: ({ failing_since: since }) => since,
    cell: ({ failing_since: since }) => <Moment at={since} />,
  },
  numberColumn('deployments', 'Deployments', 'count', ({ deployments }) => deployments),
  numberColumn('frequency', 'Frequency', 'per_day', (row) => row.deploys_per_day),
  numberColumn('failure_rate', 'Failure rate', 'percent', (row) =>
    refineRate(row.change_failure_rate_pct, row.failed, row.finished ?? 0),
  ),
  {
    ...numberColumn('restore', 'Time to restore', 'hours', (row) => row.time_to_restore_hours),
    explain: 'Median, from the first failure to the next success',
  },
  {
    key: 'newest',
    label: 'Newest',
    sort: 'desc',
    explain: 'Newest deployment, to any environment',
    value: ({ newest_deployment_at: at }) => at,
    cell: ({ newest_deployment_at: at }) => <Moment at={at} />,
  },
];

function numberColumn(
  key: string,
  label: string,
  unit: 'count' | 'per_day' | 'percent' | 'hours',
  value: (row: Row) => number | null,
): Column<Row> {
  return {
    key,
    label,
    numeric: true,
    sort: 'desc',
    value,
    cell: (row) => <Measurement value={{ value: value(row), unit, reason: explainUnknown(row) }} />,
  };
}
