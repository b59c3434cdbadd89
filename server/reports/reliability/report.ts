import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { peopleIn } from '../../identity/people.ts';
import { type Anomaly, findAnomalies } from '../../metrics/kernel/anomalies.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { findLevelShifts, type LevelShift } from '../../metrics/kernel/level-shifts.ts';
import type { Workday } from '../../metrics/people/workload.ts';
import { ciRecovery, findRedPeriods, getRecoveryTimes, type RedPeriod } from '../../metrics/runs/ci-recovery.ts';
import { type CommitOutcome, flakyRate } from '../../metrics/runs/flaky.ts';
import { findFlakyJobs } from '../../metrics/runs/flaky-jobs.ts';
import { branchWaits, delayedRuns, waitHistogram, waitHours, wastedQueue } from '../../metrics/runs/queue-delays.ts';
import { comparableWait } from '../../metrics/runs/queue-wait.ts';
import { computeLostTime, flakyCost, rerunRate } from '../../metrics/runs/reruns.ts';
import { findTips } from '../../metrics/runs/tips.ts';
import { computeTriggers } from '../../metrics/runs/triggers.ts';
import { getDuration, type MeasuredRun } from '../../metrics/runs/workflow-runs.ts';
import { teamWorkday } from '../kernel/calendar.ts';
import { noteListing } from '../kernel/notes.ts';
import type { RunsInput } from '../runs/report.ts';
import { measure, measureStreak } from '../workflows/health.ts';
import { findStoredJobs, type ReliabilityReading, readReliability } from './reading.ts';
import { type ReliabilityTable, runRef, type WorkflowReliabilityReport } from './schema.ts';

type Answer = Domain<typeof WorkflowReliabilityReport>;

export interface ReliabilityInput extends RunsInput {
  table: ReliabilityTable;
}

/**
 * How far the newest runs of a workflow can be relied on: recovery, flakiness, queue, what is unusual, what set them
 * off.
 */
export async function workflowReliability(input: ReliabilityInput, context: Context, reply: Reply): Promise<Answer> {
  const reading = await readReliability(input, context, reply);
  const { repository, runs, earlier, asOf, source } = reading;
  const [workday, people] = await Promise.all([teamWorkday(context), peopleIn(context.services)]);
  const partial = earlier.unknown > 0;
  noteListing(reply, { partial, stale: false, asOf });
  return {
    table: input.table,
    runsRead: runs.length,
    running: runs.filter(({ status }) => status !== 'completed').length,
    defaultBranch: repository.defaultBranch,
    timezone: workday.calendar.timezone,
    workday: { start: workday.start, end: workday.end },
    earlierAttempts: earlier.known,
    earlierAttemptsUnknown: earlier.unknown,
    measurements: headlines(reading),
    tips: findTips(runs, { calendar: workday.calendar, defaultBranch: repository.defaultBranch }),
    ...(await flakiness(reading, context)),
    recoveries: findRedPeriods(reading.onDefault, reading.isComplete).reverse().map(recoveryItem),
    ...queue(runs, workday),
    ...unusual(reading),
    ...computeTriggers(runs, workday.calendar, people),
    partial,
    generatedAt: asOf,
    dataSource: source,
  };
}

function headlines({ runs, onDefault, commits, earlier, isComplete }: ReliabilityReading): Answer['measurements'] {
  return [
    measure(ciRecovery, findRedPeriods(onDefault, isComplete)),
    measureStreak(onDefault, isComplete),
    measure(flakyRate, commits, earlier.unknown > 0),
    measure(flakyCost, commits, earlier.unknown > 0),
    measure(rerunRate, runs),
    measure(delayedRuns, runs),
    measure(wastedQueue, runs),
  ];
}

async function flakiness(reading: ReliabilityReading, context: Context) {
  const { jobs, withJobs, without } = await findStoredJobs(reading, context);
  return {
    attemptsWithJobs: withJobs,
    attemptsWithoutJobs: without,
    flakySince: reading.commitsSince,
    flakyCommits: flakyCommitItems(reading.commits),
    flakyJobs: findFlakyJobs(reading.commits, jobs),
  };
}

function queue(runs: readonly MeasuredRun[], { calendar }: Workday) {
  return {
    queueHistogram: waitHistogram(runs),
    queueBranches: branchWaits(runs),
    queueHours: waitHours(runs, calendar),
  };
}

function unusual({ runs, repository: { defaultBranch } }: ReliabilityReading) {
  const questions = [
    { metric: 'duration' as const, getValue: (run: MeasuredRun) => getDuration(run), defaultBranch },
    { metric: 'queue_wait' as const, getValue: comparableWait(runs), defaultBranch },
  ];
  const reports = questions.map((question) => ({ metric: question.metric, ...findAnomalies(runs, question) }));
  return {
    anomalies: reports
      .flatMap(({ anomalies }) => anomalies)
      .map(anomalyItem)
      .sort(newestFirst),
    baselines: reports.flatMap(({ metric, baselines }) =>
      baselines.flatMap(({ baseline, ...about }) => (baseline ? { metric, ...about, ...baseline } : [])),
    ),
    levelShifts: questions
      .flatMap((question) => findLevelShifts(runs, question))
      .map(shiftItem)
      .sort(newestFirst),
  };
}

const newestFirst = (a: { at: Instant }, b: { at: Instant }) => b.at - a.at;

const recoveryItem = (period: RedPeriod): Answer['recoveries'][number] => ({
  ...period,
  failed: runRef(period.failed),
  recovered: period.recovered && runRef(period.recovered),
  durationMs: getRecoveryTimes(period)[0] ?? null,
});

/** The flaky ones among the commits, newest first. */
function flakyCommitItems(commits: readonly CommitOutcome[]): Answer['flakyCommits'] {
  return commits
    .flatMap((commit) => {
      const { attempts, failedThenPassed, headSha, flaky } = commit;
      const [first, last] = [attempts[0], attempts.at(-1)];
      if (!flaky || !first || !last) return [];
      return [
        {
          headSha,
          headBranch: last.headBranch,
          failedAttempts: failedThenPassed.length,
          lostMs: computeLostTime(commit),
          run: runRef(last),
          at: first.startedAt ?? first.createdAt,
        },
      ];
    })
    .sort((a, b) => Number(a.at < b.at) - Number(a.at > b.at));
}

const anomalyItem = ({ run, baseline, ...anomaly }: Anomaly<MeasuredRun>): Answer['anomalies'][number] => ({
  ...anomaly,
  run: runRef(run),
  at: run.createdAt,
  expectedMs: baseline.medianMs,
  limitMs: anomaly.direction === 'high' ? baseline.highMs : baseline.lowMs,
  sample: baseline.sample,
  event: run.event,
  headBranch: run.headBranch,
});

const shiftItem = ({
  since,
  before,
  after,
  changeInterval,
  ...shift
}: LevelShift<MeasuredRun>): Answer['levelShifts'][number] => ({
  ...shift,
  since: runRef(since),
  at: since.createdAt,
  changeLowPct: changeInterval?.low ?? null,
  changeHighPct: changeInterval?.high ?? null,
  runsBefore: before.length,
  runsAfter: after.length,
});
