import { quantity } from '../../../server/domain/quantity.ts';
import { minCompared } from '../../components/comparison.ts';
import { DataTable } from '../../components/data-table.tsx';
import { changeText, Delta, isFlat, isShown } from '../../components/delta.tsx';
import { changeInPercent } from '../../components/measurement.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import { explainHref } from '../links.ts';
import type { Profile } from './profile.ts';

interface Row {
  label: string;
  /** What opens both numbers. */
  metric: string;
  recent: number | null;
  prior: number | null;
  /** How many stand behind each of both; a count is its own sample. */
  samples: [number | null, number | null];
  unit: 'count' | 'hours';
  whyUnknown: string;
}

const compareHalves = ({ period_comparison: period }: Profile): Row[] => [
  {
    label: 'Pull requests merged',
    metric: 'person_prs_merged',
    unit: 'count',
    whyUnknown: 'not all could be loaded',
    recent: period.prs_merged_recent,
    prior: period.prs_merged_prior,
    samples: [period.prs_merged_recent, period.prs_merged_prior],
  },
  {
    label: 'Reviews of others’ pull requests',
    metric: 'person_reviews_given',
    unit: 'count',
    whyUnknown: 'not all reviews could be loaded',
    recent: period.reviews_given_recent,
    prior: period.reviews_given_prior,
    samples: [period.reviews_given_recent, period.reviews_given_prior],
  },
  {
    label: 'Median time to merge',
    metric: 'person_median_hours_to_merge',
    unit: 'hours',
    whyUnknown: 'no merged pull requests',
    recent: period.median_hours_to_merge_recent,
    prior: period.median_hours_to_merge_prior,
    samples: [period.prs_merged_recent, period.prs_merged_prior],
  },
];

const isFew = ({ samples }: Row) => samples.some((sample) => sample !== null && sample < minCompared);

/** As cards do, of fewer none; and none of halves of which something is missing. */
const findChange = (row: Row, { period_comparison: { complete } }: Profile) =>
  !complete || isFew(row) ? null : changeInPercent(row.recent, row.prior);

const findVerdict = ({ unit }: Row, { period_comparison: { hours_to_merge_verdict: verdict } }: Profile) =>
  unit === 'hours' ? verdict : undefined;

/** The largest change between the halves, as it is shown beside its number; null for none. */
export function describeLargestChange(data: Profile): string | null {
  const changes = compareHalves(data).flatMap((row) => {
    const by = findChange(row, data);
    if (by === null || isFlat(by)) return [];
    // Times differ by chance; how many there were is what happened.
    return row.unit === 'hours' && !isShown({ by, verdict: findVerdict(row, data) }) ? [] : [{ label: row.label, by }];
  });
  const [largest] = changes.toSorted((one, other) => Math.abs(other.by) - Math.abs(one.by));
  return largest ? `${largest.label.toLowerCase()} ${changeText(largest.by, 'percent')}` : null;
}

/** Three numbers of both halves. More or fewer is neither good nor bad by itself; slower is shown as slower. */
export function Halves({ data, owner }: { data: Profile; owner: string }) {
  const { base } = usePageContext();
  const { login } = data;
  const rows = compareHalves(data);
  const cell = (half: 'recent' | 'prior') => (row: Row) => {
    const value = row[half];
    if (value === null) return row.whyUnknown;
    const href = explainHref(base, { metric: row.metric, owner, login, half });
    return <SharedParamsLink href={href}>{quantity(value, row.unit)}</SharedParamsLink>;
  };
  return (
    <DataTable
      caption="Last 45 days compared with the previous 45 days"
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
              <Changed row={row} data={data} />
            </>
          ),
        },
        { key: 'prior', label: 'Previous 45 days', numeric: true, cell: cell('prior') },
        { key: 'recent', label: 'Last 45 days', numeric: true, cell: cell('recent') },
      ]}
    />
  );
}

const Changed = ({ row, data }: { row: Row; data: Profile }) => (
  <Delta
    by={findChange(row, data)}
    unit="percent"
    better={row.unit === 'hours' ? 'lower' : 'neither'}
    verdict={findVerdict(row, data)}
    against="the previous 45 days"
    reason={describeNoChange(row, data)}
  />
);

function describeNoChange(row: Row, { period_comparison: { complete } }: Profile): string {
  if (!complete) return 'not everything could be loaded';
  return isFew(row) ? `fewer than ${minCompared} in a period` : 'not known of both periods';
}
