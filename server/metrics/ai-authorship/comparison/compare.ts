import type { Interval } from '../../kernel/intervals.ts';
import type { Balance } from './balance.ts';
import { compareByRepository, type RepositoryEffect } from './by-repository.ts';
import { clusterInterval, countClusters } from './cluster-mean.ts';
import { type ComparedCost, compareCost } from './compare-cost.ts';
import type { ComparedPullRequest } from './compared-pull-request.ts';
import { type ContextCheck, checkContext } from './context.ts';
import { eValue } from './e-value.ts';
import {
  centreOf,
  doRepositoriesAgree,
  type ExaminedOutcome,
  examine,
  type Incomparable,
  incomparableReasons,
  isClaim,
  isOfOneRepository,
  overStrata,
  type Unclaimed,
  unclaimedReasons,
} from './examine.ts';
import { isBinary, type OutcomeKey, outcomes, toEffect, toValue } from './outcomes.ts';
import { claimsByChance } from './placebo.ts';

export const comparisonVerdicts = [
  'higher',
  'lower',
  'no_relevant_difference',
  'no_difference_shown',
  'not_comparable',
] as const;
export type ComparisonVerdict = (typeof comparisonVerdicts)[number];

/** Why a claim is withheld although all else speaks for it. */
const withheldReasons = ['placebo_failed', 'context_differs', 'context_not_known'] as const;
type Withheld = (typeof withheldReasons)[number];

/** Why nothing is claimed. */
export const comparisonReasons = [...incomparableReasons, ...unclaimedReasons, ...withheldReasons] as const;
export type ComparisonReason = Incomparable | Unclaimed | Withheld;

/** One side of the matched sets of an outcome. */
export interface ComparedSide {
  /** In the unit of the outcome. */
  value: number;
  /** One without a mark counts as often as it is compared, so that answers differ by whole sets. */
  prs: number;
}

export interface ComparedOutcome {
  key: OutcomeKey;
  sets: number;
  clusters: number;
  repositories: number;
  marked: ComparedSide;
  comparable: ComparedSide;
  /** In the unit of effects, as are all others. */
  effect: number;
  /** 95 %. */
  interval: Interval;
  centre: number | null;
  mantelHaenszel: number | null;
  verdict: ComparisonVerdict;
  reasons: ComparisonReason[];
  eValue: number | null;
  byRepository: RepositoryEffect[];
}

export interface ComparisonFigures {
  outcomes: ComparedOutcome[];
  balance: Balance[];
  matchedSharePct: number;
  placebo: { claimsPct: number; context: ContextCheck };
  /** null where no cost is known of both sides. */
  cost: ComparedCost | null;
}

/** More claims where there is nothing to find, in percent, and none is made. */
const mostClaimsByChance = 2;

/**
 * Compares marked pull requests with those without a mark that are like them; contract of the three answers, section 3.5.
 * The same pull requests in any order and the same seed give the same figures.
 */
export function comparePullRequests(
  pullRequests: readonly ComparedPullRequest[],
  seed: readonly (string | number)[],
): ComparisonFigures {
  const ordered = pullRequests.toSorted(
    (a, b) => Number(a.repository > b.repository) - Number(a.repository < b.repository) || a.number - b.number,
  );
  const examined = examine(ordered);
  const placebo = {
    claimsPct: claimsByChance(ordered, [...seed, 'placebo']),
    context: checkContext(ordered, examined.sets),
  };
  return {
    outcomes: examined.outcomes.map((one) => conclude(one, { pullRequests: ordered, placebo, seed })),
    balance: examined.balance,
    matchedSharePct: 100 * examined.matchedShare,
    placebo,
    cost: compareCost(examined.sets, seed),
  };
}

interface Surroundings {
  pullRequests: readonly ComparedPullRequest[];
  placebo: ComparisonFigures['placebo'];
  seed: readonly (string | number)[];
}

function conclude(outcome: ExaminedOutcome, { pullRequests, placebo, seed }: Surroundings): ComparedOutcome {
  const { key, differences, markedMean, comparableMean, effect } = outcome;
  const onScale = clusterInterval(differences, [...seed, key]);
  const interval = {
    low: toEffect(key, onScale.low, comparableMean),
    high: toEffect(key, onScale.high, comparableMean),
  };
  const centre = centreOf(outcome);
  const overall = overStrata(key, pullRequests);
  const isEqual = isNoRelevantDifference(outcome, interval, [centre, overall]);
  const withheld = isEqual || isClaim(outcome) ? whyWithheld(placebo) : [];
  const verdict = judge(outcome, isEqual, withheld);
  const isReported = verdict === 'higher' || verdict === 'lower';
  const isLimited = (isReported || verdict === 'no_relevant_difference') && isOfOneRepository(outcome);
  return {
    key,
    sets: differences.length,
    clusters: countClusters(differences),
    repositories: new Set(differences.map(({ repository }) => repository)).size,
    marked: { value: toValue(key, markedMean), prs: differences.length },
    comparable: {
      value: toValue(key, comparableMean),
      prs: differences.reduce((sum, { comparable }) => sum + comparable.length, 0),
    },
    effect,
    interval,
    centre,
    mantelHaenszel: overall,
    verdict,
    reasons: [
      ...outcome.incomparable,
      ...outcome.unclaimed,
      ...withheld,
      ...(isLimited ? (['in_one_repository'] as const) : []),
    ],
    eValue: isReported && isBinary(key) ? eValue(markedMean, comparableMean) : null,
    byRepository: compareByRepository(key, differences, seed),
  };
}

function whyWithheld({ claimsPct, context }: ComparisonFigures['placebo']): Withheld[] {
  if (claimsPct > mostClaimsByChance) return ['placebo_failed'];
  if (context === 'fail') return ['context_differs'];
  return context === 'not_run' ? ['context_not_known'] : [];
}

/** That there is none is a claim as well: every method has to find it, and repositories not to differ. */
function isNoRelevantDifference(
  outcome: ExaminedOutcome,
  { low, high }: Interval,
  otherMethods: readonly (number | null)[],
): boolean {
  const { leastEffect } = outcomes[outcome.key];
  return (
    outcome.incomparable.length === 0 &&
    couldDiffer(outcome) &&
    [low, high, ...otherMethods].every((value) => value === null || Math.abs(value) < leastEffect) &&
    doRepositoriesAgree(outcome)
  );
}

/** Without them, that both sides are equal says only that what is rare did not happen. */
const minEvents = 5;

/** Whether a risk happened, and did not, often enough that a difference could have been seen. */
function couldDiffer({ key, differences, estimate }: ExaminedOutcome): boolean {
  if (!isBinary(key)) return true;
  const values = new Map<ComparedPullRequest, number>();
  for (const { pullRequest, marked, comparable } of differences) {
    values.set(pullRequest, marked);
    for (const one of comparable) values.set(one.pullRequest, one.value);
  }
  const events = [...values.values()].filter((value) => value > 0).length;
  return estimate.error !== null && estimate.error > 0 && Math.min(events, values.size - events) >= minEvents;
}

function judge(outcome: ExaminedOutcome, isEqual: boolean, withheld: readonly Withheld[]): ComparisonVerdict {
  if (outcome.incomparable.length > 0 || withheld.length > 0) return 'not_comparable';
  if (isClaim(outcome)) return outcome.effect > 0 ? 'higher' : 'lower';
  return isEqual ? 'no_relevant_difference' : 'no_difference_shown';
}
