import type { WorkflowRun } from '../kernel/facts.ts';
import { metric } from '../kernel/metric.ts';
import { getOutcome } from '../kernel/outcome.ts';
import { freeBesideUnknown } from './known-cost.ts';
import { type AttemptCost, type Cost, sumCosts } from './run-cost.ts';

export const wasteClasses = ['superseded', 'rerun_after_flake', 'cancelled_in_queue'] as const;
export type WasteClass = (typeof wasteClasses)[number];

export const wasteDefinitions: Record<WasteClass, string> = {
  superseded:
    'Superseded: cancelled after starting, because a newer run of the same workflow, branch and event was created.',
  rerun_after_flake:
    'Flaky: failed attempts of a run that passed in a later attempt, at most: jobs that were not run again count too.',
  cancelled_in_queue: 'Cancelled before any job started: no minutes used.',
};

/** An attempt, and what it was wasted by; null for one that was not. */
export interface JudgedAttempt {
  attempt: AttemptCost;
  waste: WasteClass | null;
}

/** Judges completed attempts by all runs of their workflow that are known, also those under way. */
export function judgeAttempts(attempts: readonly AttemptCost[], runs: readonly WorkflowRun[]): JudgedAttempt[] {
  const byRun = Map.groupBy(attempts, ({ run }) => run.id);
  const byBranch = Map.groupBy(runs, toBranchKey);
  return attempts.map((attempt) => ({
    attempt,
    waste: classifyWaste(attempt, byRun.get(attempt.run.id) ?? [], byBranch.get(toBranchKey(attempt.run)) ?? []),
  }));
}

export interface Waste extends Cost {
  class: WasteClass;
  attempts: number;
}

/** What each class of waste comes to, classes without an attempt included. */
export function wasteByClass(judged: readonly JudgedAttempt[]): Waste[] {
  return wasteClasses.map((name) => {
    const attempts = judged.filter(({ waste }) => waste === name).map(({ attempt }) => attempt);
    return { class: name, attempts: attempts.length, ...sumCosts(attempts) };
  });
}

export const wastedMinutes = metric<JudgedAttempt>({
  key: 'wasted_minutes',
  label: 'Wasted minutes',
  unit: 'minutes',
  better: 'lower',
  source: 'wasted attempts',
  definition: `Minutes of attempts whose result was not used. ${Object.values(wasteDefinitions).join(' ')}`,
  valueWhenEmpty: 0,
  counts: ({ waste }) => waste !== null || 'not wasted',
  value: (judged) => judged.reduce((sum, { attempt }) => sum + attempt.minutes, 0),
});

export const wastedCost = metric<JudgedAttempt>({
  key: 'wasted_cost',
  label: 'Wasted cost',
  unit: 'usd',
  better: 'lower',
  source: 'wasted attempts with a known price',
  definition: `Estimated cost of attempts whose result was not used. ${Object.values(wasteDefinitions).join(' ')}`,
  countsAmong(judged) {
    const isKnown = sumAttempts(judged.filter(({ waste }) => waste !== null)).estCost !== null;
    return ({ attempt, waste }) => {
      if (waste === null) return 'not wasted';
      return attempt.estCost === null ? 'unknown cost' : isKnown || freeBesideUnknown;
    };
  },
  value: (judged) => sumAttempts(judged).estCost,
});

const sumAttempts = (judged: readonly JudgedAttempt[]) => sumCosts(judged.map(({ attempt }) => attempt));

const toBranchKey = ({ workflowId, headBranch, event }: WorkflowRun) => JSON.stringify([workflowId, headBranch, event]);

function classifyWaste(
  attempt: AttemptCost,
  ofRun: readonly AttemptCost[],
  onBranch: readonly WorkflowRun[],
): WasteClass | null {
  const { run, began } = attempt;
  if (run.status === 'completed' && run.conclusion === 'cancelled') {
    if (!began) return 'cancelled_in_queue';
    return run.headBranch !== null && onBranch.some((other) => supersedes(other, attempt)) ? 'superseded' : null;
  }
  const isFixed = ofRun.some((other) => other.run.attempt > run.attempt && getOutcome(other.run) === 'pass');
  return isFixed && getOutcome(run) === 'fail' ? 'rerun_after_flake' : null;
}

const supersedes = (newer: WorkflowRun, { run, endedAt }: AttemptCost): boolean =>
  newer.id > run.id && newer.createdAt >= (run.startedAt ?? run.createdAt) && newer.createdAt <= endedAt;
