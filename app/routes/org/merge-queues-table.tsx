import type { ReactNode } from 'react';
import type { Unit } from '../../../server/domain/quantity.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { asGiven, orderSection } from '../../components/row-order.ts';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import { explainHref, repositoryParams } from '../links.ts';
import type { MergeQueues } from './merge-queues.tsx';

type Row = MergeQueues['queues'][number];

export const queueHref = (base: string, { repo, branch }: Pick<Row, 'repo' | 'branch'>): string =>
  `${base}/repos/${repo}/merge-queue?${new URLSearchParams({ branch })}`;

/** Every queue, the slowest first. */
export function QueueTable({ data, search }: { data: MergeQueues; search: string }) {
  const { base } = usePageContext();
  const { org, window_days: days, queues, repos_without_queue: others } = data;
  const columns = listColumns(base, days);
  const ordered = orderSection(queues, columns, asGiven, { search, section: 'queues' });
  const csv = new URLSearchParams({ org, days: String(days), format: 'csv' });
  return (
    <>
      <DataTable
        caption="Merge queues, the slowest first"
        captionHidden
        columns={columns}
        rows={ordered.rows}
        sorting={ordered.sorting}
        rowKey={({ repo, branch }) => `${repo} ${branch}`}
        noun="queues"
        csvHref={`${base}/api/codehost/org-merge-queues?${csv}`}
        empty={{ cause: 'No merge queue was seen in any synced repository. It can be switched on in branch rules.' }}
      />
      {queues.length > 0 && others > 0 ? <p className="source">{describeOthers(others)}</p> : null}
    </>
  );
}

const describeOthers = (others: number): string =>
  `In ${others === 1 ? 'one other repository' : `${others} other repositories`} no merge queue was seen.`;

function listColumns(base: string, days: number): Column<Row>[] {
  const explained = (metric: string, { repo, branch }: Row, content: ReactNode) => (
    <SharedParamsLink href={explainHref(base, { metric, ...repositoryParams(repo), branch, days })}>
      {content}
    </SharedParamsLink>
  );
  const figure = ({ key, label, unit, metric, value, needs, explain, isOfOpen = false }: Figure): Column<Row> => ({
    key,
    label,
    numeric: true,
    sort: 'desc',
    explain,
    value,
    cell(row) {
      const content = <Measurement value={{ value: value(row), unit, reason: findReason(row, needs, isOfOpen) }} />;
      return value(row) === null ? content : explained(metric, row, content);
    },
  });
  return [
    {
      key: 'repo',
      label: 'Repository',
      heading: true,
      sort: 'asc',
      value: ({ repo, branch }) => `${repo} ${branch}`,
      cell: (row) => (
        <>
          <SharedParamsLink href={queueHref(base, row)}>{row.repo}</SharedParamsLink>
          <span className="sub muted">{row.branch}</span>
          {row.partial ? <span className="sub muted">partial data</span> : null}
        </>
      ),
    },
    {
      key: 'length',
      label: 'In queue',
      numeric: true,
      sort: 'desc',
      value: ({ length }) => length,
      cell: ({ length, length_as_of: asOf }) => (
        <>
          <Measurement value={{ value: length, unit: 'count', reason: openUnread }} />
          {asOf === null ? null : (
            <span className="sub muted">
              <Moment at={asOf} as="age" />
            </span>
          )}
        </>
      ),
    },
    ...figures.map(figure),
    // So long a period before is never stored.
    ...(days < 90 ? [change] : []),
  ];
}

const openUnread = 'Not all open pull requests were read lately.';

/** Why a row has no figure. */
function findReason({ sample, length }: Row, needs: string, isOfOpen: boolean): string {
  if (sample === null) return 'Not all of this period is stored.';
  return isOfOpen && length === null ? openUnread : needs;
}

const change: Column<Row> = {
  key: 'change',
  label: 'Change',
  numeric: true,
  sort: 'desc',
  explain: 'Of the median, compared with the previous period',
  value: (row) => row.change_pct,
  cell(row) {
    const { change_pct: percent, sample_before: before } = row;
    if (percent !== null) return `${percent > 0 ? '+' : ''}${percent} %`;
    const needs = before === null ? 'The period before is not stored.' : 'Needs 5 merged entries in both periods.';
    return <Measurement value={{ value: null, unit: 'percent', reason: findReason(row, needs, false) }} />;
  },
};

interface Figure {
  key: string;
  label: string;
  unit: Unit;
  metric: string;
  /** Why there is no value. */
  needs: string;
  /** Whether it rests on open pull requests too. */
  isOfOpen?: boolean;
  explain?: string;
  value(row: Row): number | null;
}

const merged = 'Needs 5 merged entries.';

const figures: readonly Figure[] = [
  {
    key: 'p90',
    label: 'Time in queue, p90',
    unit: 'minutes',
    metric: 'queue_time_p90',
    needs: merged,
    value: (row) => row.queue_time_p90,
  },
  {
    key: 'p50',
    label: 'Median',
    unit: 'minutes',
    metric: 'queue_time_p50',
    needs: merged,
    explain: 'Median time in queue of the stay that merged',
    value: (row) => row.queue_time_p50,
  },
  {
    key: 'ejected',
    label: 'Ejection rate',
    unit: 'percent',
    metric: 'ejection_rate',
    needs: 'Needs 10 merged or ejected entries.',
    isOfOpen: true,
    value: (row) => row.ejection_rate,
  },
  {
    key: 'throughput',
    label: 'Merged per hour',
    unit: 'count',
    metric: 'throughput_per_hour',
    needs: 'Needs 10 merged entries.',
    isOfOpen: true,
    explain: 'While the queue was not empty',
    value: (row) => row.throughput_per_hour,
  },
  {
    key: 'minutes',
    label: 'CI minutes per merge',
    unit: 'minutes',
    metric: 'queue_ci_minutes_per_merge',
    needs: 'Needs 5 merged entries, and all runs and merges of the window.',
    value: (row) => row.ci_minutes_per_merge,
  },
  {
    key: 'attempts',
    label: 'Attempts per merge',
    unit: 'count',
    metric: 'attempts_per_merge',
    needs: merged,
    value: (row) => row.attempts_per_merge,
  },
];
