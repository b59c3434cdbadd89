import { clusterInterval } from '../../server/metrics/ai-authorship/comparison/cluster-mean.ts';
import { type ComparedOutcome, comparePullRequests } from '../../server/metrics/ai-authorship/comparison/compare.ts';
import { examine, isClaim } from '../../server/metrics/ai-authorship/comparison/examine.ts';
import { outcomeKeys } from '../../server/metrics/ai-authorship/comparison/outcomes.ts';
import { type AuthorshipWorld, doesPlainTestClaim, drawPullRequests } from './authorship-worlds.ts';

/** What is said of a world in which it is known what a mark does. */
export interface Trial {
  /** Whether a plain test of the shares that are merged tells both sides apart. */
  isPlainClaim: boolean;
  sets: number;
  claims: ComparedOutcome[];
  /** Outcomes whose interval holds what a mark does. */
  covered: Set<string>;
}

/** Placebos only take claims back, so that they are not run where none would be made. */
export function tryWorld(world: AuthorshipWorld): Trial {
  const pullRequests = drawPullRequests(world);
  const { sets, outcomes } = examine(pullRequests);
  const compared = outcomes.some(isClaim) ? comparePullRequests(pullRequests, [world.seed]).outcomes : [];
  const covered = outcomes.filter(({ key, differences }) => {
    const truth = key === 'merged_30d' ? world.effect / 100 : 0;
    const { low, high } = clusterInterval(differences, [world.seed, key]);
    return low <= truth && truth <= high;
  });
  return {
    isPlainClaim: doesPlainTestClaim(pullRequests),
    sets: sets.length,
    claims: compared.filter(({ verdict }) => verdict === 'higher' || verdict === 'lower'),
    covered: new Set(covered.map(({ key }) => key)),
  };
}

/** Worlds in which a mark does nothing, but all that drives marks drives what comes of pull requests as well. */
export const worldWithoutEffect = (seed: number): AuthorshipWorld => ({
  seed,
  effect: 0,
  size: [60, 260],
  isAssisted: seed % 2 === 0,
  commonShock: 0.3,
});

/** Worlds in which marked ones are merged 15 points less often, and nothing hidden drives both. */
export const worldWithEffect = (seed: number, size: readonly [number, number] = [250, 700]): AuthorshipWorld => ({
  seed,
  effect: -15,
  size,
  isAssisted: seed % 2 === 0,
  commonShock: 0,
});

/** What is found in many worlds. */
export function summarizeTrials(trials: readonly Trial[]) {
  const merged = trials.map(({ claims }) => claims.find(({ key }) => key === 'merged_30d')?.verdict);
  const share = (matches: (trial: Trial) => boolean) => (100 * trials.filter(matches).length) / trials.length;
  return {
    worlds: trials.length,
    plainClaimsPct: share(({ isPlainClaim }) => isPlainClaim),
    anyClaims: trials.filter(({ claims }) => claims.length > 0).length,
    mergedLower: merged.filter((verdict) => verdict === 'lower').length,
    mergedHigher: merged.filter((verdict) => verdict === 'higher').length,
    coveragePct: Object.fromEntries(outcomeKeys.map((key) => [key, share(({ covered }) => covered.has(key))])),
  };
}
