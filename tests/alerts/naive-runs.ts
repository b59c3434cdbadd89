import type { MeasuredRun } from '../../server/metrics/runs/workflow-runs.ts';
import { day, hour } from '../metrics/worlds.ts';

/** The alert metrics of runs, written a second time from raw attempts without any of the product's functions. */
export interface Query {
  attempts: readonly MeasuredRun[];
  now: number;
  windowHours: number;
}

type Answer = { value: number | null; sample: number };

const failing = ['failure', 'timed_out', 'startup_failure'];
const conclusive = [...failing, 'success'];
const began = (run: MeasuredRun) => (run.attempt === 1 ? run.createdAt : (run.startedAt as number));

/** What was known of each run: its newest attempt by then, if that one was over. Oldest creation first. */
function known({ attempts, now }: Query): MeasuredRun[] {
  const newest = new Map<number, MeasuredRun>();
  for (const each of attempts)
    if (began(each) <= now && each.attempt >= (newest.get(each.id)?.attempt ?? 0)) newest.set(each.id, each);
  return [...newest.values()]
    .filter((run) => run.status === 'completed' && run.updatedAt <= now)
    .sort((a, b) => a.createdAt - b.createdAt || a.id - b.id);
}

const isInWindow = ({ createdAt }: MeasuredRun, { now, windowHours }: Query) =>
  createdAt >= now - windowHours * hour && createdAt < now;

const share = (part: number, total: number): Answer => ({
  value: total ? (100 * part) / total : null,
  sample: total,
});

function p95(minutes: number[]): Answer {
  const sorted = minutes.toSorted((a, b) => a - b);
  const place = 0.95 * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  const value = low === undefined || high === undefined ? null : low + (high - low) * (place % 1);
  return { value, sample: sorted.length };
}

const took = (run: MeasuredRun) => run.updatedAt - (run.startedAt as number);
const waited = (run: MeasuredRun) => (run.startedAt as number) - run.createdAt;

function isFar(value: number, past: number[], alsoLow: boolean): boolean | null {
  if (past.length < 5) return null;
  const mean = past.reduce((sum, each) => sum + each, 0) / past.length;
  const deviation = Math.sqrt(past.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (past.length - 1));
  if (deviation < 1) return null;
  return value > mean + 2 * deviation || (alsoLow && value < mean - 2 * deviation);
}

function outlying(run: MeasuredRun, request: Query): boolean | null {
  const before = known(request)
    .filter(({ workflowId }) => workflowId === run.workflowId)
    .filter(({ createdAt, id }) => createdAt < run.createdAt || (createdAt === run.createdAt && id < run.id));
  const times = before.map(took).filter((ms) => ms > 0);
  const waits = before.filter(({ attempt }) => attempt === 1).map(waited);
  const verdicts = [
    isFar(took(run), times.slice(-20), true),
    run.attempt > 1 ? null : isFar(waited(run), waits.filter((ms) => ms > 0).slice(-20), false),
  ];
  if (verdicts.every((verdict) => verdict === null)) return null;
  return verdicts.includes(true);
}

function streak(runs: MeasuredRun[]): number {
  let count = 0;
  for (const { conclusion } of runs.toReversed()) {
    if (conclusion === 'success') return count;
    if (failing.includes(conclusion as string)) count++;
  }
  return count;
}

export const naiveRuns: Record<string, (request: Query) => Answer> = {
  failure_rate(request) {
    const ended = known(request).filter(
      (run) => isInWindow(run, request) && conclusive.includes(run.conclusion as string),
    );
    return share(ended.filter(({ conclusion }) => conclusion !== 'success').length, ended.length);
  },
  cancelled_share(request) {
    const ended = known(request).filter((run) => isInWindow(run, request));
    return share(ended.filter(({ conclusion }) => conclusion === 'cancelled').length, ended.length);
  },
  duration_p95: (request) =>
    p95(
      known(request)
        .filter((run) => isInWindow(run, request))
        .map((run) => took(run) / 60_000),
    ),
  queue_wait_p95: (request) =>
    p95(
      request.attempts
        .filter(({ attempt, status }) => attempt === 1 && status === 'completed')
        .filter((run) => run.updatedAt <= request.now && isInWindow(run, request))
        .map((run) => waited(run) / 60_000),
    ),
  failure_streak(request) {
    const onMain = known(request)
      .filter(({ headBranch, event }) => headBranch === 'main' && event !== 'pull_request')
      .filter(({ createdAt, conclusion }) => createdAt < request.now && conclusive.includes(conclusion as string))
      .filter(({ createdAt }) => createdAt >= request.now - 90 * day);
    const streaks = [...new Set(onMain.map(({ workflowId }) => workflowId))]
      .sort()
      .map((id) => onMain.filter(({ workflowId }) => workflowId === id))
      .map((runs) => ({ value: streak(runs), sample: runs.length }));
    const longest = Math.max(...streaks.map(({ value }) => value));
    return streaks.find(({ value }) => value === longest) ?? { value: null, sample: 0 };
  },
  anomaly_count(request) {
    const verdicts = known(request)
      .filter((run) => isInWindow(run, request))
      .map((run) => outlying(run, request))
      .filter((verdict) => verdict !== null);
    const count = verdicts.filter((verdict) => verdict).length;
    return { value: verdicts.length === 0 ? null : count, sample: verdicts.length };
  },
};
