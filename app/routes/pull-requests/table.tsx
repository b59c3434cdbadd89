import { hasName } from '../../../server/domain/name-filter.ts';
import { count, figures, quantity } from '../../../server/domain/quantity.ts';
import { comparisonNames, minCompared } from '../../components/comparison.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Delta } from '../../components/delta.tsx';
import { changeInPercent, Measurement, Unknown } from '../../components/measurement.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { asGiven, orderSection } from '../../components/row-order.ts';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import { describeNoRepository, RepositoryFilter, repositoriesSection, requestedName } from '../name-filter.tsx';
import { WaitLink } from './answer.tsx';
import type { PullRequests } from './page.tsx';

type Row = PullRequests['repositories'][number];

/** Every stored repository, the longest wait for a review first. */
export function RepositoryTable({ data, search }: { data: PullRequests; search: string }) {
  const { base } = usePageContext();
  const columns = listColumns(data, base);
  const found = data.repositories.filter(({ repo }) => hasName([repo], requestedName(search)));
  const ordered = orderSection(found, columns, asGiven, { search, section: repositoriesSection });
  return (
    <>
      <RepositoryFilter search={search} found={found.length} all={data.repositories.length} />
      <DataTable
        caption="Repositories, the longest wait for a review first"
        captionHidden
        columns={columns}
        rows={ordered.rows}
        sorting={ordered.sorting}
        rowKey={({ repo }) => repo}
        noun="repositories"
        csvHref={getCsvHref(base, data)}
        empty={data.repositories.length > 0 ? describeNoRepository(search) : undefined}
      />
    </>
  );
}

function getCsvHref(base: string, { org, range, compare, bots }: PullRequests): string {
  const query = new URLSearchParams({ range, compare, bots, format: 'csv' });
  if (org !== null) query.set('org', org);
  return `${base}/api/db/pull-requests?${query}`;
}

/** A median of fewer says how many it is of. */
const fewMerges = 10;
const notRead = 'Not read in the last 36 hours.';
const notSynced = 'Range not fully synced.';

function explainNoWait({ open, awaiting_review: awaiting }: Row): string {
  if (open === null) return notRead;
  if (awaiting === null) return 'Not every review could be read.';
  return awaiting === 0 ? 'None is awaiting review.' : 'Since when is not known.';
}

function listColumns({ compare }: PullRequests, base: string): Column<Row>[] {
  return [
    {
      key: 'repo',
      label: 'Repository',
      heading: true,
      sort: 'asc',
      value: ({ repo }) => repo,
      cell: ({ repo, partial }) => (
        <>
          <SharedParamsLink href={`${base}/repos/${repo}/pull-requests`}>{repo}</SharedParamsLink>
          {partial ? <span className="sub muted">partial data</span> : null}
        </>
      ),
    },
    {
      key: 'open',
      label: 'Open',
      numeric: true,
      sort: 'desc',
      value: ({ open }) => open,
      cell: ({ open, open_complete: complete }) => (
        <Measurement value={{ value: open, unit: 'count', quality: complete ? undefined : 'floor', reason: notRead }} />
      ),
    },
    {
      key: 'awaiting',
      label: 'Awaiting review',
      numeric: true,
      sort: 'desc',
      value: ({ awaiting_review: awaiting }) => awaiting,
      unit: 'count',
      reason: 'Not read, or not every review could be.',
    },
    {
      key: 'wait',
      label: 'Longest wait',
      numeric: true,
      sort: 'desc',
      explain: 'Of a pull request awaiting review',
      value: ({ longest_wait: wait }) => wait?.hours ?? null,
      cell: (row) =>
        row.longest_wait ? (
          <>
            {quantity(row.longest_wait.hours, 'hours')}
            <span className="sub">
              <WaitLink wait={row.longest_wait} />
            </span>
          </>
        ) : (
          <Unknown reason={explainNoWait(row)} />
        ),
    },
    {
      key: 'merged',
      label: 'Merged',
      numeric: true,
      sort: 'desc',
      value: ({ merged }) => merged,
      unit: 'count',
      reason: notSynced,
    },
    {
      key: 'hours',
      label: 'Time to merge',
      numeric: true,
      sort: 'desc',
      explain: 'Median, excluding bots',
      value: (row) => row.median_hours_to_merge,
      cell: ({ median_hours_to_merge: value, merge_sample: sample, merged }) => (
        <>
          <Measurement value={{ value, unit: 'hours', reason: merged === null ? notSynced : 'Nothing was merged.' }} />
          {sample > 0 && sample < fewMerges ? <span className="sub muted">{`n = ${figures(sample)}`}</span> : null}
        </>
      ),
    },
    ...(compare === 'off' ? [] : [changeColumn(comparisonNames[compare])]),
  ];
}

const changeColumn = (against: string): Column<Row> => ({
  key: 'change',
  label: 'Change',
  numeric: true,
  sort: 'desc',
  explain: `Of the median time to merge; ${count(minCompared, 'merge')} or more in both periods`,
  value: getChange,
  cell: (row) => {
    const by = getChange(row);
    return by === null ? (
      <Unknown reason={`Fewer than ${minCompared} merges in one of the periods, or not all are stored.`} />
    ) : (
      <Delta by={by} unit="percent" better="lower" verdict={row.hours_to_merge_verdict} against={`the ${against}`} />
    );
  },
});

function getChange(row: Row): number | null {
  if (Math.min(row.merge_sample, row.merge_sample_before ?? 0) < minCompared) return null;
  return changeInPercent(row.median_hours_to_merge, row.median_hours_to_merge_before);
}
