/**
 * The definitions a second time, written straight from the words and without care for speed, to hold the real ones
 * against. Nothing but the shape of facts is shared.
 */
import type { WorkflowJob } from '../../server/metrics/kernel/facts.ts';
import type { MeasuredRun } from '../../server/metrics/runs/workflow-runs.ts';

export function naiveQuantile(values: number[], q: number): number | null {
  const left = [...values];
  const sorted: number[] = [];
  while (left.length > 0) sorted.push(...left.splice(left.indexOf(Math.min(...left)), 1));
  const last = sorted.length - 1;
  if (last < 0) return null;
  for (let k = 0; k < last; k++) {
    const [a, b] = [sorted[k], sorted[k + 1]];
    if (a === undefined || b === undefined) throw new Error('unreachable');
    if (q * last <= k + 1) return a * (k + 1 - q * last) + b * (q * last - k);
  }
  return sorted[last] ?? null;
}

export function naiveSuccessRate(attempts: MeasuredRun[]): { value: number | null; sample: number } {
  const runs = conclusive(latest(attempts));
  return { value: roundPercent(runs.filter(passed).length, runs.length), sample: runs.length };
}

export function naiveFailureRate(attempts: MeasuredRun[]): { value: number | null; sample: number } {
  const runs = conclusive(latest(attempts));
  return { value: roundPercent(runs.filter((run) => !passed(run)).length, runs.length), sample: runs.length };
}

export function naiveCancelledShare(attempts: MeasuredRun[]): number | null {
  const runs = latest(attempts).filter((run) => run.status === 'completed');
  return roundPercent(runs.filter((run) => run.conclusion === 'cancelled').length, runs.length);
}

/** Durations of the runs that ended, whatever they came to, in ms, and of how many the duration is known. */
export function naiveRunTime(attempts: MeasuredRun[]): { value: number; sample: number } {
  // What awaits approval has not ended.
  const ended = latest(attempts).filter(
    ({ status, conclusion }) => status === 'completed' && conclusion !== 'action_required',
  );
  const known = ended.filter(({ startedAt, updatedAt }) => startedAt !== null && updatedAt >= startedAt);
  return {
    value: known.reduce((sum, { startedAt, updatedAt }) => sum + updatedAt - (startedAt ?? 0), 0),
    sample: known.length,
  };
}

export function naiveRecentSuccessRate(
  attempts: MeasuredRun[],
  defaultBranch: string | null,
): { value: number | null; sample: number } {
  const runs = naiveLastTen(attempts, defaultBranch);
  return { value: roundPercent(runs.filter(passed).length, runs.length), sample: runs.length };
}

function naiveLastTen(attempts: MeasuredRun[], defaultBranch: string | null) {
  const all = conclusive(latest(attempts));
  const own = all.filter((run) => defaultBranch !== null && run.headBranch === defaultBranch);
  const pushed = own.filter((run) => run.event !== 'pull_request');
  return newest(pushed.length < 3 ? all : pushed, 10);
}

export function naiveHealth(attempts: MeasuredRun[], defaultBranch: string | null) {
  const ten = naiveLastTen(attempts, defaultBranch);
  if (ten.length < 3) return { label: 'unknown', score: null, sample: ten.length };
  // 0.6·100·a/n + 0.4·100·b/3 = (180·a + 40·b·n) / 3n
  const a = ten.filter(passed).length;
  const b = newest(ten, 3).filter(passed).length;
  const score = halfUp(180 * a + 40 * b * ten.length, 3 * ten.length);
  return { label: score >= 80 ? 'good' : score >= 60 ? 'fair' : 'poor', score, sample: ten.length };
}

export function naiveTrend(attempts: MeasuredRun[], now: number, timezone: string, complete: boolean) {
  const { format: dayOf } = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' });
  const days = new Set<string>();
  for (let back = 0; days.size < 31; back++) days.add(dayOf(now - back * 3_600_000));
  const oldest = attempts.map((run) => dayOf(run.createdAt)).toSorted()[0];
  return [...days]
    .slice(0, 30)
    .reverse()
    .map((date) => {
      const runs = conclusive(latest(attempts)).filter((run) => dayOf(run.createdAt) === date);
      const covered = complete || (oldest !== undefined && oldest < date);
      return { date, success: runs.filter(passed).length, total: runs.length, covered };
    });
}

export function naiveFlaky(attempts: MeasuredRun[], now: number) {
  const known = conclusive(attempts).filter((run) => run.createdAt <= now && run.createdAt >= now - 30 * 86_400_000);
  const commits = [...new Set(known.map((run) => `${run.workflowId}/${run.headSha}`))];
  const flaky = commits.filter((commit) =>
    known.some((bad) =>
      known.some(
        (good) =>
          `${bad.workflowId}/${bad.headSha}` === commit &&
          `${good.workflowId}/${good.headSha}` === commit &&
          good.event === bad.event &&
          !passed(bad) &&
          passed(good) &&
          isAfter(good, bad),
      ),
    ),
  );
  const fixed = new Set(
    known
      .filter((bad) =>
        known.some((good) => good.id === bad.id && good.attempt > bad.attempt && passed(good) && !passed(bad)),
      )
      .map((run) => run.id),
  );
  const ratePct = commits.length < 10 ? null : roundPercent(flaky.length, commits.length);
  return { ratePct, rerunsFixed: fixed.size, sample: commits.length };
}

export function naiveStreak(attempts: MeasuredRun[]): number | null {
  const runs = conclusive(latest(attempts));
  for (let count = 1; count <= runs.length; count++) if (newest(runs, count).some(passed)) return count - 1;
  return runs.length === 0 ? null : runs.length;
}

/** Durations of runs that passed or failed, in ms. */
export function naiveDurations(attempts: MeasuredRun[]): number[] {
  return conclusive(latest(attempts)).flatMap(({ startedAt, updatedAt }) =>
    startedAt === null || updatedAt < startedAt ? [] : [updatedAt - startedAt],
  );
}

/** Waits told by jobs, or else of first attempts that have begun, in ms. */
export function naiveWaits(attempts: MeasuredRun[]): number[] {
  return attempts.flatMap(({ attempt, status, startedAt, createdAt, jobWaitMs }) => {
    if (typeof jobWaitMs === 'number') return [jobWaitMs];
    const hasBegun = startedAt !== null && ['in_progress', 'completed'].includes(status);
    return attempt === 1 && hasBegun ? [startedAt - createdAt] : [];
  });
}

/** The shortest wait of the jobs that were made within five seconds of the start of their attempt; null without one. */
export function naiveJobWait({ startedAt: begun }: MeasuredRun, jobs: readonly WorkflowJob[]): number | null {
  let shortest: number | null = null;
  for (const { status, conclusion, createdAt, startedAt, steps } of jobs) {
    if (begun === null || createdAt === null || startedAt === null) continue;
    if (createdAt < begun - 5000 || createdAt > begun + 5000) continue;
    const [first] = [...steps].sort((a, b) => a.number - b.number);
    const step = first?.startedAt ?? null;
    const ended = ['success', 'failure', 'timed_out', 'startup_failure'].includes(String(conclusion));
    const isTaken = status === 'in_progress' || (status === 'completed' && (ended || step !== null));
    const wait = (step !== null && step > startedAt ? step : startedAt) - createdAt;
    if (isTaken && wait >= 0 && (shortest === null || wait < shortest)) shortest = wait;
  }
  return shortest;
}

export function latest(attempts: MeasuredRun[]): MeasuredRun[] {
  return attempts.filter((run) => !attempts.some((other) => other.id === run.id && other.attempt > run.attempt));
}

export function conclusive(runs: MeasuredRun[]): MeasuredRun[] {
  return runs.filter(
    (run) =>
      run.status === 'completed' &&
      ['success', 'failure', 'timed_out', 'startup_failure'].includes(String(run.conclusion)),
  );
}

export function passed(run: MeasuredRun): boolean {
  return run.conclusion === 'success';
}

function newest(runs: MeasuredRun[], count: number): MeasuredRun[] {
  const isNewer = (a: MeasuredRun, b: MeasuredRun) =>
    a.createdAt > b.createdAt || (a.createdAt === b.createdAt && a.id > b.id);
  return runs.filter((run) => runs.filter((other) => isNewer(other, run)).length < count);
}

export function isAfter(run: MeasuredRun, other: MeasuredRun): boolean {
  const [a, b] = [run, other].map((each) => [each.startedAt ?? each.createdAt, each.id, each.attempt]);
  if (a === undefined || b === undefined) throw new Error('unreachable');
  const place = a.findIndex((value, index) => value !== b[index]);
  return place !== -1 && Number(a[place]) > Number(b[place]);
}

export function roundPercent(part: number, entire: number): number | null {
  return entire === 0 ? null : halfUp(100 * part, entire);
}

/** part/whole rounded to whole numbers without ever dividing unevenly. */
function halfUp(part: number, entire: number): number {
  const rest = part % entire;
  return (part - rest) / entire + (2 * rest >= entire ? 1 : 0);
}
