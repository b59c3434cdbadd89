import { mean } from '../../kernel/statistics.ts';
import { type Balance, balanceOf } from './balance.ts';
import { setsByRepository } from './by-repository.ts';
import { type ClusterMean, clusterMean, countClusters, minClusters } from './cluster-mean.ts';
import type { ComparedPullRequest } from './compared-pull-request.ts';
import { hodgesLehmann } from './hodges-lehmann.ts';
import { passHolm } from './holm.ts';
import { mantelHaenszel } from './mantel-haenszel.ts';
import { type MatchedSet, matchSets } from './matching.ts';
import { isBinary, type OutcomeKey, outcomeKeys, outcomes, toEffect, toScale } from './outcomes.ts';
import { type SetDifference, setDifferences } from './set-differences.ts';

/** Why two sides cannot be compared, in the order in which it is looked at. */
export const incomparableReasons = [
  'few_sets',
  'few_clusters',
  'few_repositories',
  'in_one_repository',
  'low_matched_share',
  'not_balanced',
] as const;
export type Incomparable = (typeof incomparableReasons)[number];

/** Why no difference is claimed of two sides that can be compared. */
export const unclaimedReasons = [
  'not_significant',
  'below_least_effect',
  'methods_disagree',
  'differs_between_repositories',
] as const;
export type Unclaimed = (typeof unclaimedReasons)[number];

/** One outcome of matched sets. Differences and means are on the scale on which they are taken. */
export interface ExaminedOutcome {
  key: OutcomeKey;
  differences: readonly SetDifference[];
  estimate: ClusterMean;
  markedMean: number;
  comparableMean: number;
  effect: number;
  incomparable: Incomparable[];
  /** Empty where a difference is claimed, as far as placebos do not withhold it. */
  unclaimed: Unclaimed[];
}

/** How well both sides are matched. */
interface Matching {
  /** Of the marked ones, from 0 to 1. */
  matchedShare: number;
  balance: Balance[];
}

export interface Examined extends Matching {
  sets: readonly MatchedSet[];
  /** Those of which at least one set is known. */
  outcomes: ExaminedOutcome[];
}

const minSets = 30;
const minRepositories = 3;
const minSetsOfOne = 60;
const minMatchedShare = 0.25;

/** Matches and compares, with all conditions of a claim but placebos; contract of the three answers, section 3.5. */
export function examine(pullRequests: readonly ComparedPullRequest[]): Examined {
  const { sets, estimated, significant } = estimate(pullRequests);
  return {
    sets,
    ...describeMatching(pullRequests, sets),
    outcomes: estimated.map(withMeans).map((one) => ({
      ...one,
      incomparable: whyIncomparable(one, pullRequests),
      unclaimed: whyUnclaimed(one, significant.has(one.key), pullRequests),
    })),
  };
}

/** Whether a difference is claimed of any outcome, as far as placebos do not withhold it. */
export function isAnythingClaimed(pullRequests: readonly ComparedPullRequest[]): boolean {
  const { estimated, significant } = estimate(pullRequests);
  return estimated
    .filter(({ key }) => significant.has(key))
    .some(
      (one) =>
        whyUnclaimed(withMeans(one), true, pullRequests).length === 0 &&
        whyIncomparable(one, pullRequests).length === 0,
    );
}

function estimate(pullRequests: readonly ComparedPullRequest[]) {
  const sets = matchSets(pullRequests);
  const estimated = outcomeKeys.flatMap((key) => estimateOutcome(key, sets));
  // What is of too few says nothing, and takes nothing from the others.
  const tested = estimated.filter(({ differences }) => whyTooFew(differences).length === 0);
  const significant = passHolm(new Map(tested.map((one) => [one.key, scoreOf(one.estimate)])));
  return { sets, estimated, significant };
}

/** How well both sides are matched by some sets. */
export function describeMatching(pullRequests: readonly ComparedPullRequest[], sets: readonly MatchedSet[]): Matching {
  const marked = pullRequests.filter(({ isMarked }) => isMarked).length;
  return { matchedShare: marked === 0 ? 0 : sets.length / marked, balance: balanceOf(pullRequests, sets) };
}

/** Whether a difference is claimed, as far as placebos do not withhold it. */
export const isClaim = ({ incomparable, unclaimed }: Pick<ExaminedOutcome, 'incomparable' | 'unclaimed'>): boolean =>
  incomparable.length === 0 && unclaimed.length === 0;

type EstimatedOutcome = Omit<ExaminedOutcome, 'incomparable' | 'unclaimed'>;
/** As far as all outcomes are tested together. */
type TestedOutcome = Pick<ExaminedOutcome, 'key' | 'differences' | 'estimate'>;

function estimateOutcome(key: OutcomeKey, sets: readonly MatchedSet[]): TestedOutcome[] {
  const differences = setDifferences(sets, ({ outcomes: known }) => {
    const value = known[key];
    return value === null ? null : toScale(key, value);
  });
  return differences.length === 0 ? [] : [{ key, differences, estimate: clusterMean(differences) }];
}

function withMeans({ key, differences, estimate: found }: TestedOutcome): EstimatedOutcome {
  const markedMean = mean(differences.map(({ marked }) => marked)) ?? 0;
  const comparableMean = mean(differences.map((one) => one.comparableMean)) ?? 0;
  const effect = toEffect(key, found.mean, comparableMean);
  return { key, differences, estimate: found, markedMean, comparableMean, effect };
}

/** How many standard errors a mean is off 0; none where nothing differs. */
export const scoreOf = ({ mean: value, error }: ClusterMean): number =>
  error === null || error === 0 ? 0 : value / error;

/** Too few sets to say anything of; contract, section 3.5, point 8. */
export function whyTooFew(differences: readonly SetDifference[]): Incomparable[] {
  const repositories = [...Map.groupBy(differences, ({ repository }) => repository).values()];
  const isOneLarge = repositories.some((own) => own.length >= minSetsOfOne);
  return [
    ...(differences.length < minSets ? (['few_sets'] as const) : []),
    ...(countClusters(differences) < minClusters ? (['few_clusters'] as const) : []),
    ...(repositories.length < minRepositories && !isOneLarge ? [whichRepositories(repositories.length)] : []),
  ];
}

const whichRepositories = (count: number): Incomparable => (count === 1 ? 'in_one_repository' : 'few_repositories');

/** Whether what is found rests on one large repository, for there are too few of them. */
export const isOfOneRepository = ({ differences }: Pick<ExaminedOutcome, 'differences'>): boolean =>
  new Set(differences.map(({ repository }) => repository)).size < minRepositories;

/** Judged by those of which the outcome is known. */
function whyIncomparable(
  { key, differences }: TestedOutcome,
  pullRequests: readonly ComparedPullRequest[],
): Incomparable[] {
  const known = pullRequests.filter(({ outcomes: measured }) => measured[key] !== null);
  const sets = differences.map(({ pullRequest, comparable }) => ({
    marked: pullRequest,
    comparable: comparable.map((one) => one.pullRequest),
  }));
  const { matchedShare, balance } = describeMatching(known, sets);
  return [
    ...whyTooFew(differences),
    ...(matchedShare < minMatchedShare ? (['low_matched_share'] as const) : []),
    ...(balance.every(({ ok }) => ok) ? [] : (['not_balanced'] as const)),
  ];
}

/** What takes long is looked at last, and only where nothing else speaks against a claim. */
function whyUnclaimed(
  outcome: EstimatedOutcome,
  isSignificant: boolean,
  pullRequests: readonly ComparedPullRequest[],
): Unclaimed[] {
  if (!isSignificant) return ['not_significant'];
  if (Math.abs(outcome.effect) < outcomes[outcome.key].leastEffect) return ['below_least_effect'];
  if (!doMethodsAgree(outcome, pullRequests)) return ['methods_disagree'];
  return doRepositoriesAgree(outcome) ? [] : ['differs_between_repositories'];
}

/** Those that have another sign than the estimate are no further away from it than the least effect. */
function doMethodsAgree(outcome: EstimatedOutcome, pullRequests: readonly ComparedPullRequest[]): boolean {
  const { key, effect } = outcome;
  return [centreOf(outcome), overStrata(key, pullRequests)].every(
    (other) => other === null || other * effect >= 0 || Math.abs(other - effect) <= outcomes[key].leastEffect,
  );
}

/** The centre of the differences by Hodges and Lehmann, in the unit of effects. */
export function centreOf({ key, differences, comparableMean }: EstimatedOutcome): number | null {
  const centre = hodgesLehmann(differences.map(({ difference }) => difference));
  return centre === null ? null : toEffect(key, centre, comparableMean);
}

/** The risk difference by Mantel and Haenszel of all in the strata, in points; null of what is no risk. */
export function overStrata(key: OutcomeKey, pullRequests: readonly ComparedPullRequest[]): number | null {
  if (!isBinary(key)) return null;
  const strata = Map.groupBy(pullRequests, ({ stratum }) => stratum);
  const count = (stratum: readonly ComparedPullRequest[], isMarked: boolean) => {
    const values = stratum.flatMap((one) => (one.isMarked === isMarked ? (one.outcomes[key] ?? []) : []));
    return { events: values.reduce((sum, value) => sum + value, 0), n: values.length };
  };
  const counts = [...strata.values()].map((stratum) => ({
    marked: count(stratum, true),
    unmarked: count(stratum, false),
  }));
  const found = mantelHaenszel(counts.filter(({ marked, unmarked }) => marked.n > 0 && unmarked.n > 0));
  return found && 100 * found.difference;
}

/** Two-sided, 2 %. */
const significantScore = 2.326348;

/** Whether no two repositories have a significant difference of different signs. */
export function doRepositoriesAgree({ differences }: EstimatedOutcome): boolean {
  const scores = setsByRepository(differences).map(([, own]) => scoreOf(clusterMean(own)));
  return !(scores.some((score) => score > significantScore) && scores.some((score) => score < -significantScore));
}
