import { mean } from '../../kernel/statistics.ts';
import { type Balance, balanceOf } from './balance.ts';
import { type ClusterMean, clusterMean } from './cluster-mean.ts';
import type { ComparedPullRequest } from './compared-pull-request.ts';
import { hodgesLehmann } from './hodges-lehmann.ts';
import { passHolm } from './holm.ts';
import { mantelHaenszel } from './mantel-haenszel.ts';
import { type MatchedSet, matchSets } from './matching.ts';
import { isBinary, type OutcomeKey, outcomeKeys, outcomes, toEffect, toScale } from './outcomes.ts';
import { type SetDifference, setDifferences } from './set-differences.ts';

/** Why two sides cannot be compared, in the order in which it is looked at. */
export type Incomparable = 'few_sets' | 'few_clusters' | 'few_repositories' | 'low_matched_share' | 'not_balanced';

/** Why no difference is claimed of two sides that can be compared. */
export type Unclaimed = 'not_significant' | 'below_least_effect' | 'methods_disagree' | 'differs_between_repositories';

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

export interface Examined {
  sets: readonly MatchedSet[];
  /** Of the marked ones, from 0 to 1. */
  matchedShare: number;
  balance: Balance[];
  /** Those of which at least one set is known. */
  outcomes: ExaminedOutcome[];
}

const minSets = 30;
const minClusters = 10;
const minRepositories = 3;
const minSetsOfOne = 60;
const minMatchedShare = 0.25;

/** Matches and compares, with all conditions of a claim but placebos; contract of the three answers, section 3.5. */
export function examine(pullRequests: readonly ComparedPullRequest[]): Examined {
  const sets = matchSets(pullRequests);
  const marked = pullRequests.filter(({ isMarked }) => isMarked).length;
  const matchedShare = marked === 0 ? 0 : sets.length / marked;
  const balance = balanceOf(pullRequests, sets);
  const compared = outcomeKeys.flatMap((key) => estimateOutcome(key, sets));
  const significant = passHolm(new Map(compared.map(({ key, estimate }) => [key, scoreOf(estimate)])));
  return {
    sets,
    matchedShare,
    balance,
    outcomes: compared.map((one) => ({
      ...one,
      incomparable: whyIncomparable(one, { matchedShare, balance }),
      unclaimed: whyUnclaimed(one, significant.has(one.key), pullRequests),
    })),
  };
}

/** Whether a difference is claimed, as far as placebos do not withhold it. */
export const isClaim = ({ incomparable, unclaimed }: Pick<ExaminedOutcome, 'incomparable' | 'unclaimed'>): boolean =>
  incomparable.length === 0 && unclaimed.length === 0;

type EstimatedOutcome = Omit<ExaminedOutcome, 'incomparable' | 'unclaimed'>;

function estimateOutcome(key: OutcomeKey, sets: readonly MatchedSet[]): EstimatedOutcome[] {
  const differences = setDifferences(sets, ({ outcomes: known }) => {
    const value = known[key];
    return value === null ? null : toScale(key, value);
  });
  const markedMean = mean(differences.map(({ marked }) => marked));
  const comparableMean = mean(differences.map((one) => one.comparableMean));
  if (markedMean === null || comparableMean === null) return [];
  const estimate = clusterMean(differences);
  const effect = toEffect(key, estimate.mean, comparableMean);
  return [{ key, differences, estimate, markedMean, comparableMean, effect }];
}

/** How many standard errors a mean is off 0; none where nothing differs. */
export const scoreOf = ({ mean: value, error }: ClusterMean): number =>
  error === null || error === 0 ? 0 : value / error;

/** Too few sets to say anything of; contract, section 3.5, point 8. */
export function whyTooFew(differences: readonly SetDifference[]): Incomparable[] {
  const clusters = new Set(differences.map(({ cluster }) => cluster)).size;
  const repositories = new Set(differences.map(({ repository }) => repository)).size;
  const isOneLarge = repositories === 1 && differences.length >= minSetsOfOne;
  return [
    ...(differences.length < minSets ? (['few_sets'] as const) : []),
    ...(clusters < minClusters ? (['few_clusters'] as const) : []),
    ...(repositories < minRepositories && !isOneLarge ? (['few_repositories'] as const) : []),
  ];
}

const whyIncomparable = (
  { differences }: EstimatedOutcome,
  { matchedShare, balance }: Pick<Examined, 'matchedShare' | 'balance'>,
): Incomparable[] => [
  ...whyTooFew(differences),
  ...(matchedShare < minMatchedShare ? (['low_matched_share'] as const) : []),
  ...(balance.every(({ ok }) => ok) ? [] : (['not_balanced'] as const)),
];

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

const minSetsOfRepository = 10;
/** Two-sided, 2 %. */
const significantScore = 2.326348;

function doRepositoriesAgree({ differences }: EstimatedOutcome): boolean {
  const scores = estimateRepositories(differences).map(({ estimate }) => scoreOf(estimate));
  return !(scores.some((score) => score > significantScore) && scores.some((score) => score < -significantScore));
}

/** The same estimate of each repository that has enough sets. */
export function estimateRepositories(
  differences: readonly SetDifference[],
): { repository: string; sets: number; estimate: ClusterMean }[] {
  return [...Map.groupBy(differences, ({ repository }) => repository)]
    .filter(([, own]) => own.length >= minSetsOfRepository)
    .map(([repository, own]) => ({ repository, sets: own.length, estimate: clusterMean(own) }));
}
