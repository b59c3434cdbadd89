import { mean } from '../../kernel/statistics.ts';
import { clusterMean } from './cluster-mean.ts';
import { type ComparedPullRequest, cellOf } from './compared-pull-request.ts';
import { scoreOf, whyTooFew } from './examine.ts';
import { passHolm } from './holm.ts';
import type { MatchedSet } from './matching.ts';
import { outcomes, toEffect, toScale } from './outcomes.ts';
import { setDifferences } from './set-differences.ts';

export type ContextCheck = 'pass' | 'fail' | 'not_run';

const key = 'first_review_hours';

/**
 * Compares what the class cannot cause: how long the pull request without a mark waited for its first review that was
 * opened last before each of a set. Where that differs, both sides met other circumstances (negative control outcomes:
 * Lipsitch, Tchetgen Tchetgen, Cohen, Epidemiology 21 (2010) 383–388).
 */
export function checkContext(pullRequests: readonly ComparedPullRequest[], sets: readonly MatchedSet[]): ContextCheck {
  const before = waitsBefore(pullRequests);
  const differences = setDifferences(sets, (one) => before.get(one) ?? null);
  const comparable = mean(differences.map((one) => one.comparableMean));
  if (comparable === null || whyTooFew(differences).length > 0) return 'not_run';
  const estimate = clusterMean(differences);
  const isLarge = Math.abs(toEffect(key, estimate.mean, comparable)) >= outcomes[key].leastEffect;
  return isLarge && passHolm(new Map([[key, scoreOf(estimate)]])).has(key) ? 'fail' : 'pass';
}

/**
 * Of each, how long the one without a mark waited that was opened before it in the same repository and month: what a
 * month shows must not depend on whether the month before it is compared as well.
 */
function waitsBefore(pullRequests: readonly ComparedPullRequest[]): Map<ComparedPullRequest, number | null> {
  const waits = new Map<ComparedPullRequest, number | null>();
  for (const own of Map.groupBy(pullRequests, cellOf).values()) {
    let last: number | null = null;
    for (const one of own.toSorted((a, b) => a.createdAt - b.createdAt || a.number - b.number)) {
      waits.set(one, last);
      const wait = one.outcomes[key];
      if (!one.isMarked) last = wait === null ? null : toScale(key, wait);
    }
  }
  return waits;
}
