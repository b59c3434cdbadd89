import type { z } from 'zod';
import type { Context, Reply } from '../access/context.ts';
import { peopleIn } from '../identity/people.ts';
import { anomaliesOf } from '../metrics/anomalies.ts';
import { ciRecovery, redPeriodsOf } from '../metrics/ci-recovery.ts';
import { flakyRate } from '../metrics/flaky.ts';
import { flakyJobsOf } from '../metrics/flaky-jobs.ts';
import { levelShiftsOf } from '../metrics/level-shifts.ts';
import type { People } from '../metrics/people.ts';
import { branchWaits, delayedRuns, waitHistogram, waitHours, wastedQueue } from '../metrics/queue-delays.ts';
import { queueWaitOf } from '../metrics/queue-wait.ts';
import { flakyCost, rerunRate } from '../metrics/reruns.ts';
import { tipsOf } from '../metrics/run-tips.ts';
import { triggersOf } from '../metrics/triggers.ts';
import { durationOf, failureStreak, type MeasuredRun } from '../metrics/workflow-runs.ts';
import type { Workday } from '../metrics/workload.ts';
import { teamWorkday } from './calendar.ts';
import { iso } from './instants.ts';
import { noteListing } from './notes.ts';
import { measure } from './workflow-health.ts';
import { anomalyItem, flakyCommitItems, recoveryItem, shiftItem } from './workflow-reliability-items.ts';
import { keptJobsOf, type ReliabilityReading, readReliability } from './workflow-reliability-reading.ts';
import type { ReliabilityTable, WorkflowReliabilityReport } from './workflow-reliability-schema.ts';
import type { RunsInput } from './workflow-runs.ts';

type Answer = z.input<typeof WorkflowReliabilityReport>;

export interface ReliabilityInput extends RunsInput {
  table: ReliabilityTable;
}

/** How far the newest runs of a workflow can be relied on: recovery, flakiness, queue, what is unusual, what set them off. */
export async function workflowReliability(input: ReliabilityInput, context: Context, reply: Reply): Promise<Answer> {
  const reading = await readReliability(input, context, reply);
  const { repository, runs, earlier, asOf, source } = reading;
  const [workday, people] = await Promise.all([teamWorkday(context), peopleIn(context.services)]);
  const partial = earlier.unknown > 0;
  noteListing(reply, { partial, stale: false, asOf, totalCount: null });
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
    tips: tipsOf(runs, { calendar: workday.calendar, defaultBranch: repository.defaultBranch }),
    ...(await flakiness(reading, context)),
    recoveries: redPeriodsOf(reading.onDefault, reading.isWhole).reverse().map(recoveryItem),
    ...queue(runs, workday),
    ...unusual(reading),
    ...triggers(runs, workday, people),
    partial,
    generated_at: iso(asOf),
    data_source: source,
  };
}

function headlines({ runs, onDefault, commits, isWhole }: ReliabilityReading): Answer['measurements'] {
  return [
    measure(ciRecovery, redPeriodsOf(onDefault, isWhole)),
    measure(failureStreak, onDefault),
    measure(flakyRate, commits),
    measure(flakyCost, commits),
    measure(rerunRate, runs),
    measure(delayedRuns, runs),
    measure(wastedQueue, runs),
  ];
}

async function flakiness(reading: ReliabilityReading, context: Context) {
  const { jobs, withJobs, without } = await keptJobsOf(reading, context);
  return {
    attempts_with_jobs: withJobs,
    attempts_without_jobs: without,
    flaky_commits: flakyCommitItems(reading.commits),
    flaky_jobs: flakyJobsOf(reading.commits, jobs).map(({ lostMs, ...one }) => ({ ...one, lost_ms: lostMs })),
  };
}

function queue(runs: readonly MeasuredRun[], { calendar }: Workday) {
  return {
    queue_histogram: waitHistogram(runs).map((bin) => ({ below_ms: bin.belowMs, runs: bin.runs })),
    queue_branches: branchWaits(runs).map(({ waitMs, ...one }) => ({ ...one, wait_ms: waitMs })),
    queue_hours: waitHours(runs, calendar),
  };
}

function unusual({ runs, repository: { defaultBranch } }: ReliabilityReading) {
  const questions = [
    { metric: 'duration' as const, valueOf: (run: MeasuredRun) => durationOf(run), defaultBranch },
    { metric: 'queue_wait' as const, valueOf: (run: MeasuredRun) => queueWaitOf(run).ms, defaultBranch },
  ];
  return {
    anomalies: questions
      .flatMap((question) => anomaliesOf(runs, question).anomalies)
      .map(anomalyItem)
      .sort(newestFirst),
    level_shifts: questions
      .flatMap((question) => levelShiftsOf(runs, question))
      .map(shiftItem)
      .sort(newestFirst),
  };
}

function triggers(runs: readonly MeasuredRun[], { calendar }: Workday, people: People) {
  const { events, branches, actors, scheduled, hours } = triggersOf(runs, calendar, people);
  return {
    events,
    branches,
    actors: actors.map(({ isBot, ...one }) => ({ ...one, is_bot: isBot })),
    scheduled,
    run_hours: hours,
  };
}

const newestFirst = (a: { at: string }, b: { at: string }) => Number(a.at < b.at) - Number(a.at > b.at);
