import type { Verdict } from '../../domain/verdict.ts';
import { shortestLevel } from '../kernel/change-points.ts';
import { compareShares, compareSides, judgeChange, type Side, toQuantileSide } from '../kernel/comparison.ts';
import type { Interval } from '../kernel/intervals.ts';
import { getOutcome } from '../kernel/outcome.ts';
import { percent, roundTo } from '../kernel/statistics.ts';
import { type CommitOutcome, minCommits } from './flaky.ts';
import { highQueueWait, listWaits, queueWait } from './queue-delays.ts';
import { getQueueWait } from './queue-wait.ts';
import { listDurations, medianDuration, p90Duration } from './times.ts';
import { failureRate, latestAttempts, type MeasuredRun, totalRunTime } from './workflow-runs.ts';

/** What the runs of a window come to, as the database counts them. Times in ms. */
export interface RunTally {
  runs: number;
  completed: number;
  passed: number;
  failed: number;
  cancelled: number;
  /** Runs that passed or failed and whose duration is known. */
  timed: number;
  medianMs: number | null;
  p90Ms: number | null;
  /** 95 %, as `quantileInterval` has it. */
  medianInterval: Interval | null;
  p90Interval: Interval | null;
  /** Sum of all known durations, and of how many completed runs. */
  runTimeMs: number;
  measured: number;
  /** Runs whose wait is known, with median and p90 of the waits. */
  waits: number;
  /** Those of them that jobs tell. */
  jobWaits: number;
  waitMs: number | null;
  waitP90Ms: number | null;
  /** Of the median wait. */
  waitInterval: Interval | null;
}

/** Commits with a conclusive result, and those of them on which an attempt failed and a later one passed. */
export interface FlakyTally {
  commits: number;
  flaky: number;
  /** Runs that were run again and of which not every earlier attempt is known. */
  unread: number;
}

/** The figures of a window, each as the metric of its name has it over the same runs. */
export interface RunFigures {
  runs: number;
  /** In ms; null when no run counts. */
  medianMs: number | null;
  p90Ms: number | null;
  /** As `changePct`. */
  p90ChangePct: number | null;
  durationSample: number;
  /** Of the median, in percent of the window it is compared with. */
  changePct: number | null;
  /** Whether the median is shown to differ; `not_enough_data` also where nothing is compared. */
  medianVerdict: Verdict;
  p90Verdict: Verdict;
  /** In percent. */
  failureRate: number | null;
  failedRuns: number;
  failureRateSample: number;
  /** In points. */
  failureRateChange: number | null;
  failureRateVerdict: Verdict;
  /** In percent of the completed runs. */
  cancelledShare: number | null;
  cancelledRuns: number;
  cancelledShareSample: number;
  queueWaitMs: number | null;
  queueWaitP90Ms: number | null;
  queueWaitSample: number;
  /** Of the median wait, in percent. */
  queueWaitChangePct: number | null;
  queueWaitVerdict: Verdict;
  runTimeMs: number;
  runTimeSample: number;
  /** In percent. */
  runTimeChangePct: number | null;
}

/** `before` is the window to compare with; null where there is none, or not all of its runs are known. */
export function computeRunFigures(tally: RunTally, before: RunTally | null): RunFigures {
  const { passed, failed, timed } = tally;
  const waitsBefore = before && haveOneSource([tally, before]) ? before : null;
  return {
    runs: tally.runs,
    medianMs: rounded(tally.medianMs),
    p90Ms: rounded(tally.p90Ms),
    p90ChangePct: before && computeChange(toP90(tally), toP90(before)),
    durationSample: timed,
    changePct: before && computeChange(toMedian(tally), toMedian(before)),
    medianVerdict: judgeTimes(tally, before, medianSide),
    p90Verdict: judgeTimes(tally, before, p90Side),
    failureRate: rounded(percent(failed, passed + failed)),
    failedRuns: failed,
    failureRateSample: passed + failed,
    failureRateChange: before && computeRateChange(tally, before),
    failureRateVerdict: judgeChange(before && compareShares(toShare(before), toShare(tally)), 'percent'),
    cancelledShare: rounded(percent(tally.cancelled, tally.completed)),
    cancelledRuns: tally.cancelled,
    cancelledShareSample: tally.completed,
    queueWaitMs: rounded(tally.waitMs),
    queueWaitP90Ms: rounded(tally.waitP90Ms),
    queueWaitSample: tally.waits,
    queueWaitChangePct: waitsBefore && computeChange(toWait(tally), toWait(waitsBefore)),
    queueWaitVerdict: judgeTimes(tally, waitsBefore, waitSide),
    runTimeMs: tally.runTimeMs,
    runTimeSample: tally.measured,
    runTimeChangePct: before && computeChange(toRunTime(tally), toRunTime(before)),
  };
}

/** Waits that jobs tell are longer than those that runs tell by themselves: a mixture of them is no change of queues. */
const haveOneSource = (tallies: readonly RunTally[]): boolean =>
  tallies.every(({ waits, jobWaits }) => jobWaits === waits) || tallies.every(({ jobWaits }) => jobWaits === 0);

/** As `flakyRate` over the same commits. */
export const computeFlakyRate = ({ commits, flaky }: Pick<FlakyTally, 'commits' | 'flaky'>): number | null =>
  commits < minCommits ? null : rounded(percent(flaky, commits));

/** A change is given only for windows with as many runs as make a level of their own. */
export const minCompared = shortestLevel;

const medianSide = ({ medianMs: value, timed: n, medianInterval: interval }: RunTally): Side => ({
  value,
  n,
  interval,
});
const p90Side = ({ p90Ms: value, timed: n, p90Interval: interval }: RunTally): Side => ({ value, n, interval });
const waitSide = ({ waitMs: value, waits: n, waitInterval: interval }: RunTally): Side => ({ value, n, interval });
const toShare = ({ passed, failed }: RunTally) => ({ part: failed, n: passed + failed });

const judgeTimes = (now: RunTally, before: RunTally | null, toSide: (tally: RunTally) => Side): Verdict =>
  judgeChange(before && compareSides(toSide(before), toSide(now)), 'milliseconds');

type Sampled = [value: number | null, sample: number];

const toMedian = ({ medianMs, timed }: RunTally): Sampled => [medianMs, timed];
const toP90 = ({ p90Ms, timed }: RunTally): Sampled => [p90Ms, timed];
const toWait = ({ waitMs, waits }: RunTally): Sampled => [waitMs, waits];
const toRunTime = ({ runTimeMs, measured }: RunTally): Sampled => [runTimeMs, measured];

function computeChange([now, sample]: Sampled, [before, sampleBefore]: Sampled): number | null {
  if (Math.min(sample, sampleBefore) < minCompared || now === null || !before) return null;
  return roundTo(100 * (now / before - 1), 1);
}

function computeRateChange(now: RunTally, before: RunTally): number | null {
  const [current, earlier] = [findComparedRate(now), findComparedRate(before)];
  return current === null || earlier === null ? null : roundTo(current - earlier, 1);
}

const findComparedRate = ({ passed, failed }: RunTally) =>
  passed + failed < minCompared ? null : percent(failed, passed + failed);

/** What the database would count of these attempts, each run by its latest. */
export function tallyRuns(attempts: readonly MeasuredRun[]): RunTally {
  const runs = latestAttempts(attempts);
  const conclusive = failureRate.evidence(runs).counted;
  const failed = conclusive.filter((run) => getOutcome(run) === 'fail').length;
  const duration = medianDuration(runs);
  const durations = listDurations(medianDuration.evidence(runs).counted);
  const wait = queueWait(runs);
  const runTime = totalRunTime(runs);
  return {
    runs: runs.length,
    completed: runs.filter(({ status }) => status === 'completed').length,
    passed: conclusive.length - failed,
    failed,
    cancelled: runs.filter(({ status, conclusion }) => status === 'completed' && conclusion === 'cancelled').length,
    timed: duration.sample,
    medianMs: duration.value,
    p90Ms: p90Duration(runs).value,
    medianInterval: toQuantileSide(durations, 0.5).interval,
    p90Interval: toQuantileSide(durations, 0.9).interval,
    runTimeMs: runTime.value ?? 0,
    measured: runTime.sample,
    waits: wait.sample,
    jobWaits: runs.filter((run) => getQueueWait(run).source === 'jobs').length,
    waitMs: wait.value,
    waitP90Ms: highQueueWait(runs).value,
    waitInterval: toQuantileSide(listWaits(runs), 0.5).interval,
  };
}

export const tallyCommits = (commits: readonly CommitOutcome[]): FlakyTally => {
  const counted = commits.filter(({ attempts }) => attempts.length > 0);
  return { commits: counted.length, flaky: counted.filter(({ flaky }) => flaky).length, unread: 0 };
};

const rounded = (value: number | null) => (value === null ? null : roundTo(value, 0));
