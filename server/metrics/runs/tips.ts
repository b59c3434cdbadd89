import type { Measurement } from '../kernel/metric.ts';
import { isConclusive } from '../kernel/outcome.ts';
import { computePercent, median, percent, roundTo } from '../kernel/statistics.ts';
import { minuteMs } from '../kernel/window.ts';
import type { Calendar } from '../people/workday-hours.ts';
import { queueWait, slowQueueWait } from './queue-delays.ts';
import { rerunRate } from './reruns.ts';
import { workflowMedianDuration } from './times.ts';
import { isOnWeekend } from './triggers.ts';
import {
  cancelledShare as cancelledRuns,
  failureStreak,
  getDuration,
  isDefaultBranchRun,
  latestAttempts,
  type MeasuredRun,
  newestFirst,
  successRate,
} from './workflow-runs.ts';

export type TipLevel = 'critical' | 'warning' | 'info';

/** Something about a workflow that is worth a look, with the number that shows it. */
export interface RunTip extends Measurement {
  key: string;
  level: TipLevel;
  sentence: string;
  /** From where on it is reported, in the unit of the value; whether at it too, or only above or below. */
  threshold: number;
  comparison: 'from' | 'above' | 'below';
}

export interface TipScope {
  calendar: Calendar;
  defaultBranch: string | null;
}

/**
 * Tips about the runs of a workflow, the most pressing first. Shares need ten runs, that of weekends twenty.
 */
export function findTips(attempts: readonly MeasuredRun[], scope: TipScope): RunTip[] {
  const runs = latestAttempts(attempts);
  return rules
    .flatMap((rule) => {
      const measured = rule.measure(runs, scope);
      const threshold =
        measured.value === null || measured.sample < rule.minSample
          ? null
          : passedThreshold(measured.value, rule.thresholds);
      if (!threshold) return [];
      const { level, at, comparison } = threshold;
      return [{ key: rule.key, level, sentence: rule.sentence, threshold: at, comparison, ...measured }];
    })
    .sort((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level));
}

const levels: readonly TipLevel[] = ['critical', 'warning', 'info'];

interface Threshold extends Pick<RunTip, 'level' | 'comparison'> {
  at: number;
}

interface Rule {
  key: string;
  /** The key of the metric that is measured; null where it is declared here alone. */
  metric: string | null;
  sentence: string;
  minSample: number;
  /** The most pressing first. */
  thresholds: readonly Threshold[];
  measure(runs: MeasuredRun[], scope: TipScope): Measurement;
}

const isPast = (value: number, { at, comparison }: Threshold) =>
  comparison === 'below' ? value < at : comparison === 'above' ? value > at : value >= at;

const passedThreshold = (value: number, thresholds: readonly Threshold[]) =>
  thresholds.find((threshold) => isPast(value, threshold));

const from = (level: TipLevel, at: number): Threshold => ({ level, at, comparison: 'from' });
const above = (level: TipLevel, at: number): Threshold => ({ level, at, comparison: 'above' });
const below = (level: TipLevel, at: number): Threshold => ({ level, at, comparison: 'below' });

const rules: readonly Rule[] = [
  {
    key: 'failing_in_a_row',
    metric: failureStreak.key,
    sentence: 'The default branch fails repeatedly.',
    minSample: 1,
    thresholds: [from('critical', 5), from('warning', 3)],
    measure: (runs, { defaultBranch }) => failureStreak(runs.filter((run) => isDefaultBranchRun(run, defaultBranch))),
  },
  {
    key: 'low_success',
    metric: successRate.key,
    sentence: 'Many runs fail.',
    minSample: 10,
    thresholds: [below('critical', 50), below('warning', 80)],
    measure: (runs) => successRate(runs),
  },
  {
    key: 'slower',
    metric: null,
    sentence: 'Recent runs are slower than earlier ones.',
    minSample: 10,
    thresholds: [above('critical', 50), from('warning', 20)],
    measure: slowdown,
  },
  {
    key: 'rerun_often',
    metric: rerunRate.key,
    sentence: 'Many re-runs.',
    minSample: 10,
    thresholds: [above('critical', 25), from('warning', 10)],
    measure: (runs) => rerunRate(runs),
  },
  {
    key: 'long_queue',
    metric: queueWait.key,
    sentence: 'Long median queue wait.',
    minSample: 1,
    thresholds: [above('critical', 5 * minuteMs), from('warning', 2 * minuteMs)],
    measure: (runs) => queueWait(runs),
  },
  {
    key: 'slow_queue',
    metric: slowQueueWait.key,
    sentence: 'Some runs wait very long for a runner (p95).',
    minSample: 20,
    thresholds: [above('warning', 5 * minuteMs)],
    measure: (runs) => slowQueueWait(runs),
  },
  {
    key: 'timeouts',
    metric: null,
    sentence: 'Runs time out.',
    minSample: 1,
    thresholds: [from('warning', 2)],
    measure: timeouts,
  },
  {
    key: 'cancelled_often',
    metric: cancelledRuns.key,
    sentence: 'Many runs are cancelled.',
    minSample: 10,
    thresholds: [from('warning', 15)],
    measure: cancelledShare,
  },
  {
    key: 'long_runs',
    metric: workflowMedianDuration.key,
    sentence: 'Long median duration.',
    minSample: 1,
    thresholds: [above('warning', 30 * minuteMs), from('info', 10 * minuteMs)],
    measure: (runs) => workflowMedianDuration(runs),
  },
  {
    key: 'weekends',
    metric: null,
    sentence: 'Many runs start on weekends.',
    minSample: 20,
    thresholds: [from('info', 20)],
    measure: weekendShare,
  },
];

/** From which values on a metric is highlighted on the page of a workflow, the most pressing first; none of most. */
export function listHighlights(
  metric: string,
): readonly (Pick<Threshold, 'level' | 'at' | 'comparison'> & { minSample: number })[] {
  return rules
    .filter((rule) => rule.metric === metric)
    .flatMap(({ thresholds, minSample }) =>
      thresholds.map(({ level, at, comparison }) => ({ level, at, comparison, minSample })),
    );
}

/** How much longer the newer half took than the older one, by their medians; a middle run belongs to neither. */
function slowdown(runs: MeasuredRun[]): Measurement {
  const times = newestFirst(runs.filter(isConclusive)).flatMap((run) => getDuration(run) ?? []);
  const half = Math.floor(times.length / 2);
  const [newer, older] = [median(times.slice(0, half)), median(times.slice(times.length - half))];
  const change = newer === null || !older ? null : percent(newer - older, older);
  return {
    value: change === null ? null : roundTo(change, 0),
    unit: 'percent',
    sample: times.length,
    source: 'runs that passed or failed',
  };
}

const completedOnes = 'runs that ended';

function timeouts(runs: MeasuredRun[]): Measurement {
  const ended = runs.filter(({ status }) => status === 'completed');
  const value = ended.filter(({ conclusion }) => conclusion === 'timed_out').length;
  return { value, unit: 'count', sample: ended.length, source: completedOnes };
}

function cancelledShare(runs: MeasuredRun[]): Measurement {
  const ended = runs.filter(({ status }) => status === 'completed');
  const value = computePercent(ended, ({ conclusion }) => conclusion === 'cancelled');
  return { value: rounded(value), unit: 'percent', sample: ended.length, source: completedOnes };
}

function weekendShare(runs: MeasuredRun[], { calendar }: TipScope): Measurement {
  const value = computePercent(runs, (run) => isOnWeekend(run, calendar));
  return { value: rounded(value), unit: 'percent', sample: runs.length, source: 'runs' };
}

const rounded = (value: number | null) => (value === null ? null : roundTo(value, 0));
