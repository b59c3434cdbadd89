import { useLocation } from 'react-router';
import { count, figures, refineRate } from '../../../../server/domain/quantity.ts';
import { Spark } from '../../../charts/spark.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Moment } from '../../../components/moment.tsx';
import { Empty } from '../../../components/notice.tsx';
import { orderRows, orderSection } from '../../../components/row-order.ts';
import type { GetProfileHref } from '../../people/person-href.ts';
import { byName, nameColumn } from './name-column.tsx';
import type { TeamRuns } from './operations.ts';
import { minSample, ShareCell } from './share-cell.tsx';

type Person = TeamRuns['contributors'][number];

interface Props {
  data: TeamRuns;
  base: string;
  repository: string;
  getProfileHref: GetProfileHref;
}

/** Who caused the newest completed runs. What fails for somebody says as much about what they work on. */
export function Runs({ data, base, repository, getProfileHref }: Props) {
  const { search } = useLocation();
  const [owner = '', repo = ''] = repository.split('/');
  if (data.total_runs === 0) return <Empty cause="No completed workflow runs." />;
  const people = data.contributors.filter(({ is_bot }) => !is_bot);
  const bots = data.contributors.filter(({ is_bot }) => is_bot);
  const [personColumns, botColumns] = [columns(getProfileHref, data.timezone), columns(null, data.timezone)];
  const { rows, sortLabel, sorting } = orderSection(people, personColumns, byName, { search, section: 'runs' });
  return (
    <>
      <p className="source">
        {`Latest ${count(data.total_runs, 'completed run')} over ${count(data.period_days, 'day')}. ${unattributed(data)} `}
        Failures depend on what somebody works on.
      </p>
      <DataTable
        caption={`People, by ${sortLabel}`}
        columns={personColumns}
        rows={rows}
        rowKey={({ login }) => login}
        noun="people"
        sorting={sorting}
        csvHref={`${base}/api/codehost/team-stats?${new URLSearchParams({ owner, repo, format: 'csv' })}`}
        empty={{ cause: 'No runs triggered by people.' }}
      />
      {bots.length > 0 ? (
        <DataTable
          caption="Bots"
          columns={botColumns}
          rows={orderRows(bots, botColumns, byName, 'person')}
          rowKey={({ login }) => login}
          noun="bots"
        />
      ) : null}
    </>
  );
}

const unattributed = ({ unattributed_runs: runs }: TeamRuns) =>
  runs === 0 ? 'All have a known account.' : `${figures(runs)} scheduled, or by a deleted account.`;

function columns(getHref: GetProfileHref | null, timezone: string): readonly Column<Person>[] {
  return [
    nameColumn(getHref),
    {
      key: 'runs',
      label: 'Runs',
      numeric: true,
      sort: 'desc',
      sortLabel: 'runs',
      value: ({ total_runs }) => total_runs,
    },
    {
      key: 'passed',
      label: 'Passed',
      numeric: true,
      sort: 'desc',
      sortLabel: 'share that passed',
      value: ({ success_rate, success, failure }) => (success + failure < minSample ? null : success_rate),
      explain: 'Share of runs that passed or failed; count in brackets.',
      cell: ({ success_rate: value, success, failure }) => (
        <ShareCell
          value={refineRate(value, success, success + failure)}
          sample={success + failure}
          reason="no run passed or failed"
        />
      ),
    },
    {
      key: 'duration',
      label: 'Median duration',
      numeric: true,
      sort: 'desc',
      sortLabel: 'duration',
      value: ({ median_duration_ms }) => median_duration_ms,
      unit: 'milliseconds',
    },
    {
      key: 'reruns',
      label: 'Re-runs',
      numeric: true,
      sort: 'desc',
      sortLabel: 're-runs',
      value: ({ reruns_triggered }) => reruns_triggered,
      explain: 'Latest attempts triggered by this person.',
    },
    {
      key: 'days',
      label: 'Sunday to Saturday',
      explain: `Runs by weekday in ${timezone}.`,
      cell: ({ activity_by_dow: days }) => (
        <Spark values={days} unit="count" kind="bars" label="Runs by weekday, Sunday to Saturday" />
      ),
    },
    {
      key: 'last',
      label: 'Latest run',
      sort: 'desc',
      sortLabel: 'latest run',
      value: ({ last_run_at }) => last_run_at,
      cell: ({ last_run_at: at }) => <Moment at={at} />,
    },
  ];
}
