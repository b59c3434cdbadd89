import type { Instant } from '../kernel/facts.ts';
import { metric } from '../kernel/metric.ts';
import { getOutcome, isConclusive } from '../kernel/outcome.ts';
import { distinctAttempts, getDuration, type MeasuredRun } from './workflow-runs.ts';

/** Of fewer commits no rate is given. */
export const minCommits = 10;

/** What is older is not looked at. */
export const flakyDays = 30;

/** Flaky commits ÷ commits with a conclusive result; null under ten of them. */
export const flakyRate = metric<CommitOutcome>({
  key: 'flaky_rate',
  label: 'Flaky rate',
  unit: 'percent',
  better: 'lower',
  source: 'commits whose runs passed or failed',
  definition:
    'Share of commits on which an attempt of the workflow failed and a later attempt passed, of all on which it passed ' +
    'or failed.',
  counts: (commit) => commit.attempts.length > 0 || 'no completed attempts',
  minSample: minCommits,
  share: (commit) => commit.flaky,
});

export interface Flakiness {
  /** 0–100; null under ten commits. */
  ratePct: number | null;
  flakyCommits: number;
  /** Runs that failed and passed when run again. */
  rerunsFixed: number;
  /** Time of failed attempts that later passed, in ms. */
  lostMs: number;
  /** Commits with a conclusive result. */
  sample: number;
}

/** Flakiness of one workflow in the 30 days up to `now`, from attempts alone. */
export function computeFlakiness(attempts: readonly MeasuredRun[], now: Instant): Flakiness {
  const commits = commitOutcomes(attempts, now);
  const { value: ratePct, sample } = flakyRate(commits);
  return {
    ratePct,
    flakyCommits: flakyRate.countPart(flakyRate.evidence(commits).counted) ?? 0,
    sample,
    rerunsFixed: sum(commits.map((commit) => commit.rerunsFixed)),
    lostMs: sum(commits.flatMap((commit) => commit.failedThenPassed).flatMap((attempt) => getDuration(attempt) ?? [])),
  };
}

/** What one workflow's attempts on one commit came to. */
export interface CommitOutcome {
  workflowId: number;
  headSha: string;
  /** Conclusive attempts in the order they began. */
  attempts: MeasuredRun[];
  /** Failed attempts with a later pass on the same commit. */
  failedThenPassed: MeasuredRun[];
  flaky: boolean;
  rerunsFixed: number;
}

/** Every commit of the window, by (workflow, commit). Give all attempts, not only the latest of each run. */
export function commitOutcomes(attempts: readonly MeasuredRun[], now: Instant, days = flakyDays): CommitOutcome[] {
  const from = now - days * 86_400_000;
  const inWindow = distinctAttempts(attempts).filter((run) => run.createdAt >= from && run.createdAt <= now);
  const commits = Map.groupBy(inWindow, (run) => `${run.workflowId} ${run.headSha}`);
  return [...commits.values()].flatMap((group) => commitOutcome(group) ?? []);
}

function commitOutcome(group: readonly MeasuredRun[]): CommitOutcome | null {
  const [first] = group;
  if (first === undefined) return null;
  const attempts = group.filter(isConclusive).toSorted(byBeginning);
  // A pull request's builds test the merge and a branch's builds the branch, so the two are not compared.
  const byEvent = [...Map.groupBy(attempts, (run) => run.event).values()];
  const failedThenPassed = byEvent.flatMap(failsBeforeLastPass);
  return {
    workflowId: first.workflowId,
    headSha: first.headSha,
    attempts,
    failedThenPassed,
    flaky: failedThenPassed.length > 0,
    rerunsFixed: rerunsFixed(attempts),
  };
}

function rerunsFixed(attempts: readonly MeasuredRun[]): number {
  const runs = [...Map.groupBy(attempts, (run) => run.id).values()];
  const fixed = runs.filter((run) => failsBeforeLastPass(run.toSorted((a, b) => a.attempt - b.attempt)).length > 0);
  return fixed.length;
}

function failsBeforeLastPass(ordered: readonly MeasuredRun[]): MeasuredRun[] {
  const lastPass = ordered.findLastIndex((run) => getOutcome(run) === 'pass');
  return ordered.slice(0, Math.max(lastPass, 0)).filter((run) => getOutcome(run) === 'fail');
}

function byBeginning(a: MeasuredRun, b: MeasuredRun): number {
  return (a.startedAt ?? a.createdAt) - (b.startedAt ?? b.createdAt) || a.id - b.id || a.attempt - b.attempt;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
