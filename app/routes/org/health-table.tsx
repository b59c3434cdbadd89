import { Link } from '../../charts/link.tsx';
import { Badge, type Status } from '../../components/badge.tsx';
import { withChoices } from '../../components/choices.ts';
import { type Column, DataTable, type Direction } from '../../components/data-table.tsx';
import { Unknown } from '../../components/measurement.tsx';
import { orderRows } from '../../components/row-order.ts';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import { explainHref } from '../links.ts';
import type { Health } from './health-panels.tsx';

type Row = Health['repos'][number];

export const bandLabels: Record<Row['risk_band'], { word: string; means: string; status: Status }> = {
  at_risk: { word: 'At risk', means: 'below 50', status: 'fail' },
  watch: { word: 'Watch', means: '50 to 79', status: 'warning' },
  healthy: { word: 'Healthy', means: '80 to 100', status: 'pass' },
  insufficient_data: { word: 'No score', means: 'one part unknown', status: 'void' },
};

/** One row for each repository with both parts of its score. */
export function HealthTable({ data, search, base }: { data: Health; search: string; base: string }) {
  const query = new URLSearchParams(search);
  const band = query.get('band');
  const key = query.get('sort') ?? 'score';
  const direction: Direction = query.get('dir') === 'desc' ? 'desc' : 'asc';
  const shown = columns(base);
  const repositories = data.repos.filter((row) => !band || row.risk_band === band);
  return (
    <DataTable
      caption="Repositories by score"
      captionHidden
      columns={shown}
      rows={orderRows(repositories, shown, { key, direction }, 'name')}
      rowKey={({ repo }) => repo}
      noun="repositories"
      sorting={{ key, direction, href: (sort, dir) => withChoices(search, { sort, dir }) }}
      csvHref={`${base}/api/codehost/org-health-scorecard?org=${data.org}&limit=${data.limit}&format=csv`}
      empty={getEmptyMessage(data, search)}
    />
  );
}

function getEmptyMessage(data: Health, search: string) {
  if (data.repos.length > 0)
    return {
      cause: 'No repositories in this band.',
      next: { label: 'Show all', href: withChoices(search, { band: null }) },
    };
  if (data.computing) return { cause: 'Scores are being computed.' };
  return { cause: 'No scores yet. See the reasons below.' };
}

const columns = (base: string): Column<Row>[] => [
  {
    key: 'name',
    label: 'Repository',
    heading: true,
    sort: 'asc',
    value: ({ repo }) => repo,
    cell: ({ owner, repo }) => <Link href={`${base}/repos/${owner}/${repo}`}>{repo}</Link>,
  },
  {
    key: 'score',
    label: 'Score',
    sort: 'asc',
    explain: '60 % delivery and 40 % bus factor, from 0 to 100',
    value: ({ composite_score }) => composite_score,
    cell: (row) => <Score row={row} base={base} />,
  },
  {
    key: 'delivery',
    label: 'Delivery (60 %)',
    sort: 'asc',
    value: ({ tier_score }) => tier_score,
    cell: (row) => <Delivery row={row} />,
  },
  {
    key: 'bus',
    label: 'Bus factor (40 %)',
    sort: 'asc',
    explain: 'Fewest people who wrote 80 % of commits in 90 days',
    value: ({ overall_bus_factor }) => overall_bus_factor,
    cell: (row) => <BusFactor row={row} />,
  },
  {
    key: 'modules',
    label: 'Single-owner modules',
    numeric: true,
    sort: 'desc',
    explain: 'Modules with five or more commits, 80 % by one person',
    value: ({ critical_modules }) => critical_modules,
    unit: 'count',
  },
  {
    key: 'trend',
    label: 'Merges',
    explain: 'Latest full weeks, up to six, compared with as many before; changes below 15 % are ignored',
    cell: ({ trend }) => trendLabels[trend],
  },
];

function Score({ row, base }: { row: Row; base: string }) {
  const { owner, repo, composite_score: value, risk_band: band } = row;
  const { status, word } = bandLabels[band];
  return (
    <>
      <span className="beside">
        {value === null ? null : (
          <SharedParamsLink href={explainHref(base, { metric: 'composite_score', owner, repo })}>
            {value}
          </SharedParamsLink>
        )}{' '}
        <Badge status={status}>{word.toLowerCase()}</Badge>
      </span>
      {row.partial ? <span className="sub muted">partial data</span> : null}
    </>
  );
}

const keyLabels: Record<keyof Row['delivery_tiers'], string> = {
  deployment_frequency: 'frequency',
  lead_time: 'lead time',
  change_failure_rate: 'failure rate',
  time_to_restore: 'time to restore',
};

/** The tier with the key that makes it no better, and how it was come by. */
function Delivery({
  row: { dora_level: level, delivery_tiers: tiers, delivery_source: from, tier_score },
}: {
  row: Row;
}) {
  if (level === null) return <Unknown reason="Fewer than two known keys." />;
  const keys = Object.entries(keyLabels) as [keyof Row['delivery_tiers'], string][];
  const deciding = keys.filter(([key]) => tiers[key] === level).map(([, word]) => word);
  return (
    <>
      {level} <span className="muted">({tier_score})</span>
      <span className="sub muted">
        {deciding.length > 0 ? `by ${deciding.join(', ')}; ` : ''}
        {from === 'deployments' ? 'measured' : 'estimated'}
      </span>
    </>
  );
}

function BusFactor({ row: { overall_bus_factor: value, bus_factor_score: points, reasons } }: { row: Row }) {
  const isUnread = reasons.includes('commit_authors_unread');
  if (value === null) return <Unknown reason={isUnread ? 'Authors could not be loaded.' : 'No commits by people.'} />;
  return (
    <>
      {value === 1 ? '1 person' : `${value} people`} <span className="muted">({points})</span>
    </>
  );
}

const trendLabels: Record<Row['trend'], string> = {
  up: 'up',
  flat: 'stable',
  down: 'down',
  unknown: 'not enough weeks',
};
