import type { z } from 'zod';
import { count, figures, quantity } from '../../../server/domain/quantity.ts';
import type { Trends } from '../../../server/reports/history/trends.ts';
import { Bars } from '../../charts/bars.tsx';
import { ActionLink } from '../../charts/link.tsx';
import type { Annotation } from '../../charts/trend-annotations.tsx';
import { dateTimeText, isRunningDay, startOfDay } from '../../charts/zone-time.ts';
import { comparisonNames } from '../../components/comparison.ts';
import { DataTable } from '../../components/data-table.tsx';
import { InteractiveTrend } from '../../components/interactive-trend.tsx';
import { capitalized, Measurement, type Reading } from '../../components/measurement.tsx';
import { Empty, Partial } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';

type Answer = z.output<typeof Trends>;
type Daily = Extract<Answer, { type: 'daily' | 'org' }>;
type Day = Daily['data'][number];
type Quarterly = Extract<Answer, { type: 'quarterly' }>;

/** What has been read, in words, beside every chart that depends on it. */
function Coverage({ coverage }: { coverage: Answer['coverage'] }) {
  const { zone, features } = usePageContext();
  const { repos_included: repositories, synced_through: through, first_run_at: first, partial } = coverage;
  if (repositories === 0 || (!through && !first))
    return (
      <Empty
        cause={nothingRead}
        next={features.includes('dataSync') ? { label: 'Sync now', href: '#sync' } : undefined}
      />
    );
  const span = [
    first ? ` from ${dateTimeText(first, zone)}` : '',
    through ? ` to ${dateTimeText(through, zone)}` : ' on',
  ];
  const text = `${count(repositories, 'repository', 'repositories')}, runs${span.join('')} (${zone}).`;
  if (!partial) return <p className="muted">Stored: {text}</p>;
  return (
    <Partial>
      Stored so far: {text} {through ? 'More runs have not been synced yet.' : 'The first sync has not finished.'}{' '}
      <ActionLink href="#read">Data coverage</ActionLink>
    </Partial>
  );
}

const nothingRead = 'No data has been synced yet.';

interface Props {
  answer: Answer;
  csvHref: string;
}

interface DailyProps extends Props {
  compare: string;
  /** What happened on those days. */
  annotations: readonly Annotation[];
}

export function DailyTrends({ answer, compare, annotations, csvHref }: DailyProps) {
  if (answer.type === 'quarterly') return null;
  const isKnown = answer.data.some(({ total }) => total !== null);
  return (
    <>
      <Coverage coverage={answer.coverage} />
      {isKnown ? (
        <DailyCharts answer={answer} earlier={nameEarlier(compare)} annotations={annotations} csvHref={csvHref} />
      ) : null}
    </>
  );
}

/** What the days are compared with. */
const nameEarlier = (compare: string) => (compare === 'year' ? comparisonNames.year : comparisonNames.previous);

interface ChartsProps extends Pick<DailyProps, 'annotations' | 'csvHref'> {
  answer: Daily;
  earlier: string;
}

function DailyCharts({ answer, earlier, annotations, csvHref }: ChartsProps) {
  const { now } = usePageContext();
  const { data: days, compared, coverage } = answer;
  const zone = coverage.timezone;
  const notes = { sample: count(sumUp(days).total, 'run'), source: 'stored', zone };
  const before = compared?.map((day) => day.median_duration_ms) ?? [];
  const knownBefore = before.filter((value) => value !== null);
  // A single dot would be no line to compare with.
  const isCompared = knownBefore.length > 1;
  const runsBefore = compared?.map(({ total }) => total) ?? [];
  const hasRunsBefore = runsBefore.filter((total) => total !== null).length > 1;
  const series = (label: string, pick: (day: Day, index: number) => number | null | undefined, isBefore = false) => ({
    label,
    points: days.map((day, index) => ({
      at: startOfDay(day.date, zone),
      value: pick(day, index) ?? null,
      running: !isBefore && isRunningDay(day.date, now, zone),
    })),
  });
  return (
    <>
      <Bars
        {...notes}
        title="Runs per day"
        summary={describeDays(answer, earlier)}
        parts={[
          { label: 'failed', tone: 'fail' },
          { label: 'passed', tone: 'pass' },
          { label: 'cancelled and other', tone: 'void' },
        ]}
        beforeLabel={hasRunsBefore ? earlier : undefined}
        rows={days.map(({ date, failure, success, cancelled, other, total }, index) => ({
          day: date,
          values: total === null ? null : [failure, success, (cancelled ?? 0) + (other ?? 0)],
          before: runsBefore[index] ?? null,
          running: isRunningDay(date, now, zone),
        }))}
        from={coverage.from}
        to={coverage.to}
        annotations={annotations}
      />
      <InteractiveTrend
        {...notes}
        title="Duration of completed runs"
        summary={describeDurations(knownBefore, earlier)}
        hasBand
        isCapped
        isEstimated
        annotations={annotations}
        unit="milliseconds"
        zone={zone}
        step={86_400_000}
        series={[
          series('median', (day) => day.median_duration_ms),
          series('p90', (day) => day.p90_duration_ms),
          ...(isCompared
            ? [{ ...series(`median, ${earlier}`, (_, index) => before[index], true), isDashed: true }]
            : []),
        ]}
      />
      <p>
        <ActionLink href={csvHref}>CSV</ActionLink>
      </p>
    </>
  );
}

/** What the lines are, and what there is to compare them with. */
function describeDurations(before: readonly number[], earlier: string): string {
  const [first] = before;
  const text = 'Daily median and p90, including cancelled runs.';
  if (first === undefined) return text;
  return before.length === 1
    ? `${text} ${capitalized(earlier)}: one day with data, median ≈ ${quantity(first, 'milliseconds')}.`
    : `${text} Dashed: median of the ${earlier}.`;
}

/** How many runs there were and, where every day of both periods is stored, how many before. */
function describeDays({ data: days, compared }: Daily, earlier: string): string {
  const { total, failed, isRead } = sumUp(days);
  const text = `${count(total, 'run')} in ${count(days.length, 'day')}, ${figures(failed)} failed.`;
  if (!isRead) return `${text} Hatched days are not synced.`;
  const before = compared && sumUp(compared);
  return before?.isRead
    ? `${text} ${capitalized(earlier)}: ${count(before.total, 'run')}, ${figures(before.failed)} failed.`
    : text;
}

const sumUp = (days: readonly Day[]) => ({
  total: days.reduce((sum, { total }) => sum + (total ?? 0), 0),
  failed: days.reduce((sum, { failure }) => sum + (failure ?? 0), 0),
  isRead: days.every(({ total }) => total !== null),
});

export function QuarterlyTrends({ answer, csvHref }: Props) {
  if (answer.type !== 'quarterly') return null;
  const isKnown = answer.data.some(({ total }) => total !== null);
  return isKnown ? <QuarterTable answer={answer} csvHref={csvHref} /> : <Empty cause={nothingRead} />;
}

/** From the first quarter of which runs are stored. */
function QuarterTable({ answer: { data }, csvHref }: { answer: Quarterly; csvHref: string }) {
  const first = data.findIndex(({ total }) => total !== null);
  return (
    <>
      <QuarterRows rows={data.slice(first)} csvHref={csvHref} />
      {first > 0 ? <p className="source">No runs stored from before {data[first]?.quarter}.</p> : null}
    </>
  );
}

const estimated = (value: number | null): Reading => ({
  value,
  unit: 'milliseconds',
  quality: 'estimated',
  reason: 'No run completed.',
});

function QuarterRows({ rows, csvHref }: { rows: Quarterly['data']; csvHref: string }) {
  return (
    <DataTable<Quarterly['data'][number]>
      caption="Runs by quarter"
      captionHidden
      noun="quarters"
      csvHref={csvHref}
      rows={rows}
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
          label: 'Median duration',
          numeric: true,
          cell: (row) => <Measurement value={estimated(row.median_duration_ms)} />,
        },
        {
          key: 'slow',
          label: 'p90 duration',
          numeric: true,
          cell: (row) => <Measurement value={estimated(row.p90_duration_ms)} />,
        },
      ]}
    />
  );
}
