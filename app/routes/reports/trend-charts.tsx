import { count, figures, quantity } from '../../../server/domain/quantity.ts';
import { Bars } from '../../charts/bars.tsx';
import { dateTimeText, startOfDay } from '../../charts/zone-time.ts';
import { DataTable } from '../../components/data-table.tsx';
import { InteractiveTrend } from '../../components/interactive-trend.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { Empty, Partial } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import type { Route } from '../+types/reports';

type Answer = Extract<NonNullable<Route.ComponentProps['loaderData']['daily']>, { ok: true }>['data'];
type Daily = Extract<Answer, { type: 'daily' | 'org' }>;
type Quarterly = Extract<Answer, { type: 'quarterly' }>;

/** What has been read, in words, beside every chart that depends on it. */
function Coverage({ coverage, zone, isReading }: { coverage: Answer['coverage']; zone: string; isReading: boolean }) {
  const { repos_included: repositories, synced_through: through, first_run_at: first, partial } = coverage;
  const canSync = usePageContext().features.includes('dataSync');
  if (repositories === 0 || (!through && !first))
    return <Empty cause={nothingRead} next={canSync ? { label: 'Sync now', href: '#sync' } : undefined} />;
  const span = [
    first ? ` from ${dateTimeText(first, zone)}` : '',
    through ? ` to ${dateTimeText(through, zone)}` : ' on',
  ];
  const text = `${count(repositories, 'repository', 'repositories')}, runs${span.join('')} (${zone}).`;
  if (!partial) return <p className="muted">Stored: {text}</p>;
  return (
    <Partial>
      Stored so far: {text} {through ? 'More runs have not been synced yet.' : 'The first sync has not finished.'}{' '}
      <a href="#read">Data coverage</a> {canSync && !isReading ? 'Sync again to continue.' : null}
    </Partial>
  );
}

const nothingRead = 'No data has been synced yet.';

interface DailyProps {
  /** What is missing is being read in the background. */
  isReading: boolean;
  answer: Answer;
  now: number;
  zone: string;
  csvHref: string;
}

export function DailyTrends({ answer, isReading, zone, csvHref }: DailyProps) {
  if (answer.type === 'quarterly') return null;
  const { data, coverage } = answer;
  const known = data.filter((day) => day.total !== null);
  return (
    <>
      <Coverage coverage={coverage} zone={zone} isReading={isReading} />
      {known.length > 0 ? <DailyCharts data={data} coverage={coverage} csvHref={csvHref} /> : null}
    </>
  );
}

function DailyCharts({ data, coverage, csvHref }: Pick<Daily, 'data' | 'coverage'> & { csvHref: string }) {
  const sum = (pick: (day: Daily['data'][number]) => number | null) =>
    data.reduce((total, day) => total + (pick(day) ?? 0), 0);
  const [total, failed] = [sum((day) => day.total), sum((day) => day.failure)];
  const unread = data.some((day) => day.total === null) ? ' Hatched days are not synced.' : '';
  const notes = { sample: count(total, 'run'), source: 'stored', zone: coverage.timezone };
  return (
    <>
      <Bars
        {...notes}
        title="Runs per day"
        summary={`${count(total, 'run')} in ${count(data.length, 'day')}, ${figures(failed)} failed.${unread}`}
        parts={[
          { label: 'failed', tone: 'fail' },
          { label: 'passed', tone: 'pass' },
          { label: 'cancelled and other', tone: 'void' },
        ]}
        rows={data.map(({ date, failure, success, cancelled, other, total }) => ({
          day: date,
          values: total === null ? null : [failure, success, (cancelled ?? 0) + (other ?? 0)],
          running: date === coverage.to,
        }))}
        from={coverage.from}
        to={coverage.to}
      />
      <InteractiveTrend
        {...notes}
        title="Duration of completed runs"
        summary="Daily average and p95."
        unit="milliseconds"
        zone={coverage.timezone}
        step={86_400_000}
        series={[
          {
            label: 'average',
            points: data.map((day) => ({ at: startOfDay(day.date, coverage.timezone), value: day.avg_duration_ms })),
          },
          {
            label: '95th percentile',
            points: data.map((day) => ({ at: startOfDay(day.date, coverage.timezone), value: day.p95_duration_ms })),
          },
        ]}
      />
      <p>
        <a href={csvHref}>CSV</a>
      </p>
    </>
  );
}

export function QuarterlyTrends({ answer, isReading, zone, csvHref }: Omit<DailyProps, 'now'>) {
  if (answer.type !== 'quarterly') return null;
  const known = answer.data.some(({ total }) => total !== null);
  return (
    <>
      <Coverage coverage={answer.coverage} zone={zone} isReading={isReading} />
      {known ? <QuarterTable answer={answer} csvHref={csvHref} /> : null}
    </>
  );
}

function QuarterTable({ answer, csvHref }: { answer: Quarterly; csvHref: string }) {
  return (
    <DataTable<Quarterly['data'][number]>
      caption="Runs by quarter"
      captionHidden
      noun="quarters"
      csvHref={csvHref}
      rows={answer.data}
      rowKey={(row) => row.quarter}
      columns={[
        {
          key: 'quarter',
          label: 'Quarter',
          heading: true,
          cell: (row) => `${row.quarter}${row.partial ? ' (partial)' : ''}`,
        },
        { key: 'total', label: 'Runs', numeric: true, cell: (row) => quantity(row.total, 'count') },
        { key: 'failure', label: 'Failed', numeric: true, cell: (row) => quantity(row.failure, 'count') },
        {
          key: 'rate',
          label: 'Success rate',
          numeric: true,
          cell: (row) => (
            <Measurement value={{ value: row.success_rate, unit: 'percent', reason: 'No run passed or failed.' }} />
          ),
        },
        {
          key: 'duration',
          label: 'Average duration',
          numeric: true,
          cell: (row) => quantity(row.avg_duration_ms, 'milliseconds'),
        },
      ]}
    />
  );
}
