import { unreadPaint } from './hatch.tsx';
import { Legend, type LegendEntry } from './legend.tsx';

/** Runs of a day that passed or failed. */
export interface StripDay {
  passed: number;
  failed: number;
}

/** From which share of failed runs on a day has this mark; the taller the mark, the more failed. */
const levels = [
  { from: 0, label: 'no failures', height: 6, opacity: 0, name: 'pass' },
  { from: 0.001, label: 'under 10 % failed', height: 9, opacity: 0.45, name: 'fail' },
  { from: 0.1, label: '10–30 %', height: 13, opacity: 0.7, name: 'fail' },
  { from: 0.3, label: '30 % and more', height: 18, opacity: 1, name: 'fail' },
] as const;

const quietHeight = 2;
const height = 20;
const step = 8;
const gap = 1;

/** Days as marks from left to right, by the share of failed runs. `Hatches` of the same id must be on the page. */
export function HeatStrip({ days, label, id }: { days: readonly (StripDay | null)[]; label: string; id: string }) {
  const marks = [
    ...levels.map((level, index) => ({
      key: level.label,
      paint: paintLevel(index),
      d: draw(days, level.height, (day) => day !== null && findLevel(day) === index),
    })),
    { key: 'no runs', paint: { className: 'strip-quiet' }, d: draw(days, quietHeight, (day) => isQuiet(day)) },
    { key: 'no data', paint: unreadPaint(id), d: draw(days, height, (day) => day === null) },
  ];
  return (
    <svg
      className="heat-strip"
      role="img"
      viewBox={`0 0 ${days.length * step} ${height}`}
      preserveAspectRatio="none"
      height={height}
    >
      <title>{`${label}: ${describe(days)}`}</title>
      {marks.map(({ key, paint, d }) => (d === '' ? null : <path key={key} {...paint} d={d} />))}
    </svg>
  );
}

/** What the marks mean. `hasGaps`: whether any day was not read. */
export function HeatStripLegend({ id, hasGaps }: { id: string; hasGaps: boolean }) {
  const entries: LegendEntry[] = [
    { label: 'no runs', mark: <rect x="0.5" y="9" width="11" height="2" className="strip-quiet" /> },
    ...levels.map((level, index) => ({
      label: level.label,
      mark: (
        <rect
          x="0.5"
          y={12 - (level.height * 12) / height}
          width="11"
          height={(level.height * 12) / height}
          {...paintLevel(index)}
        />
      ),
    })),
  ];
  if (hasGaps)
    entries.push({ label: 'no data', mark: <rect x="0.5" y="0.5" width="11" height="11" {...unreadPaint(id)} /> });
  return <Legend entries={entries} />;
}

function paintLevel(index: number) {
  const level = levels[index];
  if (!level || level.name === 'pass') return { className: 'fill-pass' };
  return { className: 'fill-fail', fillOpacity: level.opacity };
}

const isQuiet = (day: StripDay | null) => day !== null && day.passed + day.failed === 0;

/** null where no run passed or failed. */
function findLevel(day: StripDay): number | null {
  const { passed, failed } = day;
  if (passed + failed === 0) return null;
  const share = failed / (passed + failed);
  return levels.findLastIndex(({ from }) => share >= from);
}

function draw(days: readonly (StripDay | null)[], tall: number, belongs: (day: StripDay | null) => boolean): string {
  return days
    .map((day, index) => (belongs(day) ? `M${index * step} ${height}v-${tall}h${step - gap}v${tall}z` : ''))
    .join('');
}

function describe(days: readonly (StripDay | null)[]): string {
  const known = days.filter((day) => day !== null);
  const withRuns = known.filter((day) => !isQuiet(day));
  const withFailures = withRuns.filter(({ failed }) => failed > 0);
  const unread = days.length - known.length;
  const parts = [
    `failures on ${withFailures.length} of ${withRuns.length} days with runs`,
    unread > 0 ? `${unread} days without data` : '',
  ];
  return parts.filter(Boolean).join(', ');
}
