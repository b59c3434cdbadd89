import type { Instant } from '../../metrics/kernel/facts.ts';
import { getOutcome } from '../../metrics/kernel/outcome.ts';
import { getSpan } from '../../metrics/runs/jobs.ts';
import { isRunOfPullRequest } from '../../metrics/runs/workflow-runs.ts';
import { findSuperseded, type RecordedAttempt } from '../history.ts';
import { attemptMinutes, dayOf } from '../replay/days.ts';

/** One unit of demand, and what it took. */
export interface Unit {
  /** Start of the UTC day on which it came. */
  day: Instant;
  /** What caused it; of jobs, which job it is. */
  event: string;
  branch: 'default' | 'other';
  value: number;
  /** The runs whose minutes are in it. */
  runs: readonly RecordedAttempt[];
}

/** What is measured, as it is stored with a verdict; contract of the advisor, sections 5.3 and 5.5. */
export interface Measure {
  per: 'update' | 'commit' | 'day' | 'run' | 'passing job';
  workflowId: number;
  /** Of runs that one of these events started alone; null: of all. */
  without: string | null;
}

/** What one is called, and several. */
export const unitLabels: Record<Measure['per'], { one: string; many: string }> = {
  update: { one: 'update', many: 'updates' },
  commit: { one: 'commit', many: 'commits' },
  day: { one: 'day', many: 'days' },
  run: { one: 'run', many: 'runs' },
  'passing job': { one: 'passing job', many: 'passing jobs' },
};

interface Recorded {
  /** Of all workflows of the repository, on the days alone. */
  attempts: readonly RecordedAttempt[];
  days: readonly Instant[];
  defaultBranch: string;
}

/** The units of demand of these days, each with the minutes that the workflow took for it. */
export function unitsOf(measure: Measure, recorded: Recorded): Unit[] {
  const { per } = measure;
  if (per === 'day') return unitsByDay(measure, recorded);
  if (per === 'passing job') return unitsByJob(measure, recorded);
  if (per === 'commit') return unitsByCommit(measure, recorded);
  return unitsByKey(measure, recorded, per === 'update' ? updateKey : () => null);
}

type KeyOf = (attempt: RecordedAttempt) => string | null;

/** With what it has in common with other runs; null of one that stands for itself. */
type KeyedUnit = Unit & { key: string | null };

const isChange = ({ event }: RecordedAttempt) => event === 'pull_request' || event === 'push';

/** An update of a pull request or a push, in whichever workflow it was seen. */
export const updateKey: KeyOf = (attempt) =>
  isChange(attempt) ? `${attempt.event} ${attempt.headSha} ${attempt.headBranch}` : null;

/**
 * Commits that a pull request or the default branch came to: others the change may leave without any run. Each is of
 * the event that runs with the change as without it, since the first run of a commit is often one that is left out.
 */
function unitsByCommit(measure: Measure, recorded: Recorded): Unit[] {
  const { attempts, defaultBranch } = recorded;
  const commitsOf = (attempts: readonly RecordedAttempt[]) => new Set(attempts.map(({ headSha }) => headSha));
  const proposed = commitsOf(attempts.filter(({ event }) => event === 'pull_request'));
  const pushed = commitsOf(
    attempts.filter(({ event, headBranch }) => event === 'push' && headBranch === defaultBranch),
  );
  const keyOf: KeyOf = (attempt) =>
    isChange(attempt) && (proposed.has(attempt.headSha) || pushed.has(attempt.headSha)) ? attempt.headSha : null;
  return unitsByKey(measure, recorded, keyOf).map((unit) => {
    if (unit.key === null) return unit;
    return pushed.has(unit.key)
      ? { ...unit, event: 'push', branch: 'default' }
      : { ...unit, event: 'pull_request', branch: 'other' };
  });
}

/** Runs that no key stands for are units of their own, with all of their attempts, except pushes without a key. */
function unitsByKey({ per, workflowId, without }: Measure, recorded: Recorded, keyOf: KeyOf): KeyedUnit[] {
  const isOwn = (one: RecordedAttempt) => one.workflowId === workflowId && one.event !== without;
  const isRun = (one: RecordedAttempt) => isOwn(one) && (per === 'run' ? hasStarted(one) : !isChange(one));
  const groups = Map.groupBy(recorded.attempts, (one) => keyOf(one) ?? (isRun(one) ? `run ${one.runId}` : null));
  groups.delete(null);
  return [...groups.values()].map((group): KeyedUnit => {
    const first = group.reduce((earliest, one) => (one.arrivedAt < earliest.arrivedAt ? one : earliest));
    const runs = group.filter(isOwn);
    return {
      key: keyOf(first),
      day: dayOf(first),
      event: first.event,
      branch: branchOf(first, recorded),
      value: runs.reduce((sum, one) => sum + attemptMinutes(one), 0),
      runs,
    };
  });
}

const hasStarted = ({ jobs }: RecordedAttempt) => (jobs ?? []).some(({ isTaken }) => isTaken);

const branchOf = (attempt: RecordedAttempt, { defaultBranch }: Recorded): Unit['branch'] =>
  attempt.headBranch === defaultBranch && !isRunOfPullRequest(attempt) ? 'default' : 'other';

function unitsByDay({ workflowId }: Measure, { attempts, days }: Recorded): Unit[] {
  const byDay = Map.groupBy(
    attempts.filter((one) => one.workflowId === workflowId),
    dayOf,
  );
  return days.map((day) => {
    const runs = byDay.get(day) ?? [];
    const value = runs.reduce((sum, one) => sum + attemptMinutes(one), 0);
    return { day, event: 'day', branch: 'default', value, runs };
  });
}

/** Passing jobs that a runner took, each its seconds, unless a newer run replaced theirs. */
function unitsByJob({ workflowId }: Measure, recorded: Recorded): Unit[] {
  const superseded = new Set(findSuperseded(recorded.attempts).map(({ older }) => older));
  const attempts = recorded.attempts.filter((one) => one.workflowId === workflowId && !superseded.has(one));
  return attempts.flatMap((attempt) =>
    (attempt.jobs ?? [])
      .filter((job) => job.isTaken && getOutcome(job) === 'pass')
      .map((job): Unit => {
        const value = (getSpan(job) ?? 0) / 1000;
        return { day: dayOf(attempt), event: job.name, branch: branchOf(attempt, recorded), value, runs: [attempt] };
      }),
  );
}
