import type { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import { toWire } from '../../domain/wire.ts';
import { peopleIn } from '../../identity/people.ts';
import { type Anomaly, findAnomalies } from '../../metrics/kernel/anomalies.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { findLevelShifts, type LevelShift } from '../../metrics/kernel/level-shifts.ts';
import type { Workday } from '../../metrics/people/workload.ts';
import { ciRecovery, findRedPeriods, getRecoveryTimes, type RedPeriod } from '../../metrics/runs/ci-recovery.ts';
import { type CommitOutcome, flakyRate } from '../../metrics/runs/flaky.ts';
import { findFlakyJobs } from '../../metrics/runs/flaky-jobs.ts';
import { branchWaits, delayedRuns, waitHistogram, waitHours, wastedQueue } from '../../metrics/runs/queue-delays.ts';
import { getQueueWait } from '../../metrics/runs/queue-wait.ts';
import { computeLostTime, flakyCost, rerunRate } from '../../metrics/runs/reruns.ts';
import { findTips } from '../../metrics/runs/tips.ts';
import { computeTriggers } from '../../metrics/runs/triggers.ts';
import { failureStreak, getDuration, type MeasuredRun } from '../../metrics/runs/workflow-runs.ts';
import { teamWorkday } from '../kernel/calendar.ts';
import { noteListing } from '../kernel/notes.ts';
import type { RunsInput } from '../runs/report.ts';
import { measure } from '../workflows/health.ts';
import { findStoredJobs, type ReliabilityReading, readReliability } from './reading.ts';
import { type ReliabilityTable, runRef, type WorkflowReliabilityReport } from './schema.ts';

type Answer = z.input<typeof WorkflowReliabilityReport>;

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
    runs_read: runs.length,
    running: runs.filter(({ status }) => status !== 'completed').length,
    default_branch: repository.defaultBranch,
    timezone: workday.calendar.timezone,
    workday: { start: workday.start, end: workday.end },
    earlier_attempts: earlier.known,
    earlier_attempts_unknown: earlier.unknown,
    measurements: headlines(reading),
    tips: toWire(findTips(runs, { calendar: workday.calendar, defaultBranch: repository.defaultBranch })),
    ...(await flakiness(reading, context)),
    recoveries: findRedPeriods(reading.onDefault, reading.isComplete).reverse().map(recoveryItem),
    ...queue(runs, workday),
    ...unusual(reading),
    ...toWire(computeTriggers(runs, workday.calendar, people)),
    partial,
    generated_at: asOf,
    data_source: source,
  };
}

function headlines({ runs, onDefault, commits, isComplete }: ReliabilityReading): Answer['measurements'] {
  return [
    measure(ciRecovery, findRedPeriods(onDefault, isComplete)),
    measure(failureStreak, onDefault),
    measure(flakyRate, commits),
    measure(flakyCost, commits),
    measure(rerunRate, runs),
    measure(delayedRuns, runs),
    measure(wastedQueue, runs),
  ];
}

async function flakiness(reading: ReliabilityReading, context: Context) {
  const { jobs, withJobs, without } = await findStoredJobs(reading, context);
  return {
    attempts_with_jobs: withJobs,
    attempts_without_jobs: without,
    flaky_commits: flakyCommitItems(reading.commits),
    flaky_jobs: toWire(findFlakyJobs(reading.commits, jobs)),
  };
}

function queue(runs: readonly MeasuredRun[], { calendar }: Workday) {
  return {
    queue_histogram: toWire(waitHistogram(runs)),
    queue_branches: toWire(branchWaits(runs)),
    queue_hours: waitHours(runs, calendar),
  };
}

function unusual({ runs, repository: { defaultBranch } }: ReliabilityReading) {
  const questions = [
    { metric: 'duration' as const, getValue: (run: MeasuredRun) => getDuration(run), defaultBranch },
    { metric: 'queue_wait' as const, getValue: (run: MeasuredRun) => getQueueWait(run).ms, defaultBranch },
  ];
  return {
    anomalies: questions
      .flatMap((question) => findAnomalies(runs, question).anomalies)
      .map(anomalyItem)
      .sort(newestFirst),
    level_shifts: questions
      .flatMap((question) => findLevelShifts(runs, question))
      .map(shiftItem)
      .sort(newestFirst),
  };
}

const newestFirst = (a: { at: Instant }, b: { at: Instant }) => b.at - a.at;

const recoveryItem = (period: RedPeriod): Answer['recoveries'][number] =>
  toWire({
    ...period,
    failed: runRef(period.failed),
    recovered: period.recovered && runRef(period.recovered),
    durationMs: getRecoveryTimes(period)[0] ?? null,
  });

/** The flaky ones among the commits, newest first. */
function flakyCommitItems(commits: readonly CommitOutcome[]): Answer['flaky_commits'] {
  return commits
    .flatMap((commit) => {
      const { attempts, failedThenPassed, headSha, flaky } = commit;
      const [first, last] = [attempts[0], attempts.at(-1)];
      if (!flaky || !first || !last) return [];
      return [
        {
          head_sha: headSha,
          head_branch: last.headBranch,
          failed_attempts: failedThenPassed.length,
          lost_ms: computeLostTime(commit),
          run: runRef(last),
          at: first.startedAt ?? first.createdAt,
        },
      ];
    })
    .sort((a, b) => Number(a.at < b.at) - Number(a.at > b.at));
}

const anomalyItem = ({ run, baseline, ...anomaly }: Anomaly<MeasuredRun>): Answer['anomalies'][number] => ({
  ...toWire(anomaly),
  run: runRef(run),
  at: run.createdAt,
  expected_ms: baseline.medianMs,
  limit_ms: anomaly.direction === 'high' ? baseline.highMs : baseline.lowMs,
  sample: baseline.sample,
  event: run.event,
  head_branch: run.headBranch,
});

const shiftItem = ({
  since,
  before,
  after,
  changeInterval,
  ...shift
}: LevelShift<MeasuredRun>): Answer['level_shifts'][number] => ({
  ...toWire(shift),
  since: runRef(since),
  at: since.createdAt,
  change_low_pct: changeInterval?.low ?? null,
  change_high_pct: changeInterval?.high ?? null,
  runs_before: before.length,
  runs_after: after.length,
});
