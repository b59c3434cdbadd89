import { quantity } from '../../../server/domain/quantity.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Delta } from '../../components/delta.tsx';
import { changeInPercent } from '../../components/measurement.tsx';
import type { Profile } from './profile.ts';

interface Row {
  label: string;
  recent: number | null;
  prior: number | null;
  unit: 'count' | 'hours';
  whyUnknown: string;
}

/** Three numbers of both halves. More or fewer is neither good nor bad by itself; slower is shown as slower. */
export function Halves({ data: { period_comparison: period } }: { data: Profile }) {
  const rows: Row[] = [
    {
      label: 'Pull requests merged',
      unit: 'count',
      whyUnknown: 'not all could be loaded',
      recent: period.prs_merged_recent,
      prior: period.prs_merged_prior,
    },
    {
      label: 'Reviews of others’ pull requests',
      unit: 'count',
      whyUnknown: 'not all reviews could be loaded',
      recent: period.reviews_given_recent,
      prior: period.reviews_given_prior,
    },
    {
      label: 'Average time to merge',
      unit: 'hours',
      whyUnknown: 'no merged pull requests',
      recent: period.avg_hours_to_merge_recent,
      prior: period.avg_hours_to_merge_prior,
    },
  ];
  return (
    <DataTable
      caption="Last 45 days compared with the 45 days before"
      captionHidden
      rows={rows}
      rowKey={({ label }) => label}
      columns={[
        {
          key: 'label',
          label: 'Measure',
          cell: (row) => (
            <>
              {row.label}
              <br />
              <Changed row={row} />
            </>
          ),
        },
        { key: 'prior', label: '45 days before', numeric: true, cell: (row) => formatHalf(row.prior, row) },
        { key: 'recent', label: 'Last 45 days', numeric: true, cell: (row) => formatHalf(row.recent, row) },
      ]}
    />
  );
}

const formatHalf = (value: number | null, { unit, whyUnknown }: Row) =>
  value === null ? whyUnknown : quantity(value, unit);

const Changed = ({ row: { recent, prior, unit } }: { row: Row }) => (
  <Delta
    by={changeInPercent(recent, prior)}
    unit="percent"
    better={unit === 'hours' ? 'lower' : 'neither'}
    against="the 45 days before"
  />
);
