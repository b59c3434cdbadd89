import { refineRate } from '../../../server/domain/quantity.ts';
import { Link } from '../../charts/link.tsx';
import { Badge, type Status } from '../../components/badge.tsx';
import { withChoices } from '../../components/choices.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { Moment } from '../../components/moment.tsx';
import { asGiven, orderSection } from '../../components/row-order.ts';
import type { GetProfileHref } from '../people/person-href.ts';
import { countFinished } from './delivery-cards.tsx';
import { unreadStatuses } from './delivery-labels.ts';
import type { Deployments, Environment } from './deployments.tsx';

interface Props {
  data: Deployments;
}

/** Every environment of the window; passing ones beyond twenty stand in one row, always the last. */
export function EnvironmentTable({ data, search, csvHref }: Props & { search: string; csvHref?: string }) {
  const columns = environmentColumns(search);
  const named = data.by_environment.filter((row) => !row.is_rest);
  const rest = data.by_environment.filter((row) => row.is_rest);
  const ordered = orderSection(named, columns, asGiven, { search, section: 'environments' });
  return (
    <DataTable
      caption={
        ordered.sortLabel ? `Environments by ${ordered.sortLabel}` : 'Environments, production first, then the busiest'
      }
      captionHidden
      columns={columns}
      rows={[...ordered.rows, ...rest]}
      sorting={ordered.sorting}
      rowKey={({ environment, is_rest }) => `${environment} ${is_rest}`}
      noun="environments"
      csvHref={csvHref}
    />
  );
}

const getFinished = ({ success, failed }: Environment) => countFinished({ successful: success, failed });

const getFailureRate = (row: Environment) => refineRate(row.failure_rate_pct, row.failed, getFinished(row));

const environmentColumns = (search: string): Column<Environment>[] => [
  {
    key: 'environment',
    label: 'Environment',
    sortLabel: 'name',
    heading: true,
    sort: 'asc',
    value: ({ environment }) => environment,
    cell: ({ environment, is_production }) => (
      <>
        <Link href={withChoices(search, { environment })}>{environment}</Link>
        {is_production && environment !== 'production' ? <span className="sub muted">production</span> : null}
      </>
    ),
  },
  {
    key: 'total',
    label: 'Deployments',
    sortLabel: 'deployments',
    numeric: true,
    sort: 'desc',
    value: ({ total }) => total,
    unit: 'count',
  },
  {
    key: 'success',
    label: 'Succeeded',
    sortLabel: 'successful deployments',
    numeric: true,
    sort: 'desc',
    value: ({ success }) => success,
    unit: 'count',
    reason: unreadStatuses,
  },
  {
    key: 'failed',
    label: 'Failed',
    sortLabel: 'failed deployments',
    numeric: true,
    sort: 'desc',
    value: ({ failed }) => failed,
    unit: 'count',
    reason: unreadStatuses,
  },
  {
    key: 'inconclusive',
    label: 'In progress',
    sortLabel: 'deployments in progress',
    numeric: true,
    sort: 'desc',
    explain: 'Neither succeeded nor failed yet',
    value: ({ inconclusive }) => inconclusive,
    unit: 'count',
    reason: unreadStatuses,
  },
  {
    key: 'rate',
    label: 'Failure rate',
    sortLabel: 'failure rate',
    numeric: true,
    sort: 'desc',
    value: getFailureRate,
    cell: (row) => {
      const reason = getFinished(row) === null ? unreadStatuses : 'None finished.';
      return <Measurement value={{ value: getFailureRate(row), unit: 'percent', reason }} />;
    },
  },
  {
    key: 'restore',
    label: 'Time to restore',
    sortLabel: 'time to restore',
    numeric: true,
    explain: 'Mean, with number of restored failures',
    sort: 'desc',
    value: ({ mttr_hours: hours }) => hours,
    cell: ({ mttr_hours: value, mttr_samples: sample, failed }) => (
      <Measurement
        value={{ value, unit: 'hours', sample, reason: failed === null ? unreadStatuses : 'None restored.' }}
        showSample
      />
    ),
  },
  {
    key: 'open',
    label: 'Failing since',
    sortLabel: 'start of the failure',
    sort: 'asc',
    value: ({ open_failure_since: at }) => at,
    cell: ({ open_failure_since: at }) => (at === null ? null : <Moment at={at} />),
  },
];

type Recent = Deployments['recent'][number];

const outcomes: Record<NonNullable<Recent['outcome']>, [Status, string]> = {
  success: ['pass', 'succeeded'],
  failed: ['fail', 'failed'],
  inconclusive: ['running', 'in progress'],
};

interface RecentProps extends Props {
  /** null where nobody is named. */
  getProfileHref: GetProfileHref | null;
}

/** Who deployed what, when, and how it went. */
export function RecentDeployments({ data: { recent, coverage }, getProfileHref }: RecentProps) {
  return (
    <DataTable
      caption="Recent deployments of all environments, newest first"
      captionHidden
      columns={recentColumns(replacedIn(recent), getProfileHref)}
      rows={recent}
      rowKey={({ id }) => id}
      total={coverage.read}
      noun="deployments"
    />
  );
}

/** Those that a newer success took the place of; the environment of any other was taken down. */
const replacedIn = (newestFirst: Recent[]) =>
  new Set(
    newestFirst.filter(({ environment }, index) =>
      newestFirst.slice(0, index).some((newer) => newer.environment === environment && newer.outcome === 'success'),
    ),
  );

const recentColumns = (
  replaced: ReadonlySet<Recent>,
  getProfileHref: RecentProps['getProfileHref'],
): Column<Recent>[] => [
  {
    key: 'commit',
    label: 'Commit',
    heading: true,
    cell: ({ sha, ref, url }) => (
      <>
        {url && url !== '#' ? <Link href={url}>{sha.slice(0, 7)}</Link> : <code>{sha.slice(0, 7)}</code>}
        {ref ? <span className="sub muted">{ref}</span> : null}
      </>
    ),
  },
  { key: 'environment', label: 'To', cell: ({ environment }) => environment },
  {
    key: 'outcome',
    label: 'Outcome',
    cell: (row) => {
      const { outcome, superseded, is_rollback } = row;
      const [status, word]: [Status, string] = outcome ? outcomes[outcome] : ['void', 'not known'];
      const end = replaced.has(row) ? 'superseded' : 'no longer active';
      const more = [is_rollback ? 'rollback' : '', superseded ? end : ''].filter(Boolean).join(', ');
      return (
        <>
          <Badge status={status}>{word}</Badge>
          {more ? <span className="sub muted">{more}</span> : null}
        </>
      );
    },
  },
  ...(getProfileHref ? [creatorColumn(getProfileHref)] : []),
  { key: 'at', label: 'Created', cell: ({ created_at }) => <Moment at={created_at} /> },
];

const creatorColumn = (getProfileHref: GetProfileHref): Column<Recent> => ({
  key: 'by',
  label: 'By',
  cell: (row) => <Creator deployment={row} getProfileHref={getProfileHref} />,
});

/** Bots have no page to lead to. */
function Creator({
  deployment: { creator, creator_is_bot, creator_unread },
  getProfileHref,
}: {
  deployment: Recent;
  getProfileHref: GetProfileHref;
}) {
  if (creator_unread) return 'could not be read';
  if (creator === null) return 'deleted account';
  return creator_is_bot ? `${creator} (bot)` : <Link href={getProfileHref(creator)}>{creator}</Link>;
}
