import { useLocation } from 'react-router';
import { count, figures, rateOf } from '../../../charts/quantity.ts';
import { Spark } from '../../../charts/spark.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Measurement } from '../../../components/measurement.tsx';
import { Moment } from '../../../components/moment.tsx';
import { Empty } from '../../../components/notice.tsx';
import type { ProfileOf } from '../../people/person-href.ts';
import { nameColumn } from './name-column.tsx';
import type { TeamRuns } from './operations.ts';
import { leastSample, ShareOf } from './share-of.tsx';
import { type SortValues, sortBy, sortSection } from './sort-by.ts';

type Person = TeamRuns['contributors'][number];

interface Props {
  of: TeamRuns;
  base: string;
  repository: string;
  profileOf: ProfileOf;
  now: number;
  zone: string;
}

/** Who caused the newest completed runs. What fails for somebody says as much about what they work on. */
export function Runs({ of, base, repository, profileOf, now, zone }: Props) {
  const { search } = useLocation();
  const [owner = '', repo = ''] = repository.split('/');
  if (of.total_runs === 0) return <Empty cause="No workflow run has ended yet." />;
  const people = of.contributors.filter(({ is_bot }) => !is_bot);
  const bots = of.contributors.filter(({ is_bot }) => is_bot);
  const { rows, key, sorting } = sortSection(people, values, 'person', { search, section: 'runs' });
  const shared = { now, zone, timezone: of.timezone };
  return (
    <>
      <p className="source">
        {`The newest ${count(of.total_runs, 'completed run')} that were read, over ${count(of.period_days, 'day')}. ${unattributed(of)} `}
        Failures follow from what somebody works on as much as from how.
      </p>
      <DataTable
        caption={`People who caused them, by ${words[key]}`}
        columns={columns(profileOf, shared)}
        rows={rows}
        rowKey={({ login }) => login}
        noun="people"
        sorting={sorting}
        csvHref={base ? undefined : `/api/codehost/team-stats?${new URLSearchParams({ owner, repo, format: 'csv' })}`}
        empty={{ cause: 'No person caused any of them.' }}
      />
      {bots.length > 0 ? (
        <DataTable
          caption="Bots that caused runs"
          columns={columns(null, shared)}
          rows={sortBy(bots, values, 'person', null).rows}
          rowKey={({ login }) => login}
          noun="bots"
        />
      ) : null}
    </>
  );
}

const unattributed = ({ unattributed_runs: runs }: TeamRuns) =>
  runs === 0
    ? 'Each was caused by an account that is known.'
    : `${figures(runs)} of them ${runs === 1 ? 'is' : 'are'} nobody’s: on a schedule, or by a deleted account.`;

type Key = 'person' | 'runs' | 'passed' | 'duration' | 'reruns' | 'last';

const values: SortValues<Person, Key> = {
  person: ({ login }) => login.toLowerCase(),
  runs: ({ total_runs }) => total_runs,
  passed: ({ success_rate, success, failure }) => (success + failure < leastSample ? null : success_rate),
  duration: ({ median_duration_ms }) => median_duration_ms,
  reruns: ({ reruns_triggered }) => reruns_triggered,
  last: ({ last_run_at }) => last_run_at,
};

const words: Record<Key, string> = {
  person: 'name',
  runs: 'runs',
  passed: 'share that passed',
  duration: 'duration',
  reruns: 're-runs',
  last: 'latest run',
};

interface Told {
  now: number;
  zone: string;
  timezone: string;
}

function columns(hrefOf: ProfileOf | null, told: Told): readonly Column<Person>[] {
  return [
    nameColumn(hrefOf),
    { ...{ key: 'runs', label: 'Runs', numeric: true, sort: 'desc' }, cell: ({ total_runs }) => total_runs },
    {
      ...{ key: 'passed', label: 'Passed', numeric: true, sort: 'desc' },
      explain: 'Of the runs that passed or failed; in brackets how many.',
      cell: ({ success_rate: value, success, failure }) => (
        <ShareOf
          value={rateOf(value, success, success + failure)}
          sample={success + failure}
          reason="no run passed or failed"
        />
      ),
    },
    {
      ...{ key: 'duration', label: 'Median duration', numeric: true, sort: 'desc' },
      cell: ({ median_duration_ms: value }) => <Measurement of={{ value, unit: 'milliseconds' }} />,
    },
    {
      ...{ key: 'reruns', label: 'Re-runs', numeric: true, sort: 'desc' },
      explain: 'Latest attempts that this person asked for.',
      cell: ({ reruns_triggered }) => reruns_triggered,
    },
    {
      ...{ key: 'days', label: 'Sunday to Saturday' },
      explain: `Runs by weekday in ${told.timezone}.`,
      cell: ({ activity_by_dow: days }) => (
        <Spark values={days} unit="count" kind="bars" label="Runs by weekday, Sunday to Saturday" />
      ),
    },
    {
      ...{ key: 'last', label: 'Latest run', sort: 'desc' },
      cell: ({ last_run_at: at }) => <Moment at={at} now={told.now} zone={told.zone} />,
    },
  ];
}
