import type { PullRequest, Release } from '../kernel/delivery-facts.ts';
import type { Instant } from '../kernel/facts.ts';
import { type Metric, metric, type Verdict } from '../kernel/metric.ts';
import { computePercent, isLowSample, mean, median, quantile, roundTo } from '../kernel/statistics.ts';
import {
  changeFailureTier,
  frequencyTier,
  isOldEnough,
  leadTimeTier,
  overallTier,
  restoreTier,
  type Tier,
  tierLevels,
  workdaysIn,
} from '../kernel/tiers.ts';
import { isWithin } from '../kernel/window.ts';
import type { Calendar } from '../people/workday-hours.ts';
import { describeQuantile, type Scope, timeToMerge, withoutNulls } from '../pull-requests/pull-requests.ts';
import { isDelivered, isDeliveredByHuman } from './delivered.ts';
import { isFailureFix, unreadLabels } from './failure-fixes.ts';
import { isLongEnough, livedWindow, periodDays } from './known-window.ts';

/** What a delivery estimate is made in. */
export interface DeliveryScope extends Scope {
  calendar: Calendar;
  defaultBranch: string | null;
  /** null when unknown; then the window counts in full. */
  repositoryCreatedAt: Instant | null;
  /** true when deployments are recorded too. */
  hasDeployments: boolean;
  /** Where a cap ended a reading, or another branch was the default, since when all are known. */
  knownFrom?: Readonly<Record<Counted, Instant | null>>;
  /** The first merge since another branch was the default; null where none is known to have been. */
  switchedAt?: Instant | null;
}

/** What a frequency is counted of. */
export type Counted = 'releases' | 'merges';

export interface DeliveryEstimate {
  /** `failures` is null while it is unknown of any pull request whether it is one. */
  changeFailureRate: { failures: number | null; total: number; rate: number | null; level: Tier | null };
  /** null while it is unknown of any release when it was published; `perDay` of merges also soon after a branch switch. */
  deploymentFrequency: { total: number | null; periodDays: number; perDay: number | null; level: Tier | null };
  leadTime: {
    medianMs: number | null;
    p95Ms: number | null;
    sampleSize: number;
    lowSample: boolean;
    level: Tier | null;
  };
  mttr: { meanMs: number | null; medianMs: number | null; recoveries: number; fewSamples: boolean; level: Tier | null };
  overallLevel: Tier | null;
  basis: {
    changeFailureRate: 'revert_or_hotfix_prs';
    deploymentFrequency: 'releases' | 'merged_prs';
    leadTime: 'first_commit_to_merge';
    mttr: 'fix_pr_cycle';
  };
}

/** The four keys, estimated from pull requests merged into the default branch and from releases. */
export function deliveryEstimate(
  pullRequests: readonly PullRequest[],
  releases: readonly Release[],
  scope: DeliveryScope,
): DeliveryEstimate {
  const { frequency, basis } = estimatedFrequency(pullRequests, releases, scope);
  const lead = estimatedLeadTime(pullRequests, scope);
  const failure = estimatedFailureRate(pullRequests, scope);
  const restore = estimatedRestore(pullRequests, scope);
  return {
    changeFailureRate: failure,
    deploymentFrequency: frequency,
    leadTime: lead,
    mttr: restore,
    overallLevel: overallTier([frequency.level, lead.level, failure.level, restore.level]),
    basis: {
      changeFailureRate: 'revert_or_hotfix_prs',
      deploymentFrequency: basis,
      leadTime: 'first_commit_to_merge',
      mttr: 'fix_pr_cycle',
    },
  };
}

/** Published releases per day of the window. */
export function releaseFrequency(scope: DeliveryScope): Metric<Release> {
  return metric({
    ...frequencyShape,
    key: 'deployment_frequency',
    label: 'Release frequency',
    source: 'published releases',
    definition:
      'Releases published in the window, drafts and pre-releases excluded, per day; where a limit ended the reading, per day of what was read.',
    needsAll: true,
    counts: ({ isDraft, isPrerelease, publishedAt }) => {
      if (isDraft) return 'a draft';
      if (isPrerelease) return 'a pre-release';
      if (publishedAt === null) return { unknown: 'when it was published could not be read' };
      return isWithin(publishedAt, scope.window) || 'published outside the window';
    },
    value: (releases) => releases.length / periodDays(scope, 'releases'),
  });
}

/** Merges into the default branch per day: the fallback for releases where there are none. */
export function mergeFrequency(scope: DeliveryScope): Metric<PullRequest> {
  return metric({
    ...frequencyShape,
    key: 'merge_frequency',
    label: 'Merge frequency',
    source: 'pull requests merged into the default branch',
    definition:
      'Pull requests merged into the default branch in the window, per day; where a limit ended the reading, per day of what was read. Used where there are no releases.',
    counts: (pullRequest) => isDelivered(pullRequest, scope),
    value: (merged) => (isLongEnough(scope, 'merges') ? merged.length / periodDays(scope, 'merges') : null),
  });
}

/** First commit to merge, quantile `q`. */
export function leadTime(scope: DeliveryScope, q = 0.5): Metric<PullRequest> {
  return metric({
    key: q === 0.5 ? 'lead_time' : `lead_time_p${100 * q}`,
    label: q === 0.5 ? 'Lead time to merge' : `Lead time to merge, p${100 * q}`,
    unit: 'milliseconds',
    better: 'lower',
    source: 'merged pull requests of people',
    definition: `${describeQuantile(q)} from the first commit of a pull request to its merge into the default branch, excluding bots.`,
    levels: q === 0.5 ? tierLevels.leadTime : undefined,
    counts: (pullRequest) => {
      const verdict = isDeliveredByHuman(pullRequest, scope);
      if (verdict !== true) return verdict;
      return computeLeadTime(pullRequest) !== null || 'first commit unknown or after the merge';
    },
    value: (merged) => quantile(withoutNulls(merged.map(computeLeadTime)), q),
  });
}

/** Reverts and hotfixes ÷ merged pull requests of people. */
export function changeFailureEstimate(scope: DeliveryScope): Metric<PullRequest> {
  return metric({
    key: 'change_failure_rate',
    label: 'Reverts and hotfixes',
    unit: 'percent',
    digits: 1,
    better: 'lower',
    source: 'merged pull requests of people',
    definition:
      'Share of merged pull requests, excluding bots, that are reverts or hotfixes by title, label or branch.',
    levels: `${tierLevels.changeFailure} None with fewer than 10 pull requests, and none for 0 % where no deployments are recorded.`,
    counts: (pullRequest) => isJudged(pullRequest, scope),
    share: isFix,
  });
}

/** Median time from creation to merge of reverts and hotfixes. */
export function restoreEstimate(scope: DeliveryScope): Metric<PullRequest> {
  return metric({
    key: 'fix_cycle_time',
    label: 'Time to merge a fix',
    unit: 'milliseconds',
    better: 'lower',
    source: 'merged reverts and hotfixes of people',
    definition: 'Median time from the creation of a revert or hotfix to its merge. The failure may have begun earlier.',
    levels: tierLevels.restore,
    counts: (pullRequest) => {
      const verdict = isJudged(pullRequest, scope);
      return verdict === true ? isFix(pullRequest) || 'neither a revert nor a hotfix' : verdict;
    },
    value: (fixes) => median(withoutNulls(fixes.map(timeToMerge))),
  });
}

/** Known to be a fix, or to be none. */
function isJudged(pullRequest: PullRequest, scope: DeliveryScope): Verdict {
  const verdict = isDeliveredByHuman(pullRequest, scope);
  return verdict === true && isFailureFix(pullRequest) === null ? unreadLabels : verdict;
}

const isFix = (pullRequest: PullRequest) => isFailureFix(pullRequest) === true;

const frequencyShape = {
  unit: 'per_day',
  better: 'higher',
  levels: tierLevels.frequency,
  valueWhenEmpty: 0,
} as const;

function estimatedFrequency(pullRequests: readonly PullRequest[], releases: readonly Release[], scope: DeliveryScope) {
  const released = releaseFrequency(scope)(releases);
  const isUnknown = released.value === null;
  const basis: 'releases' | 'merged_prs' = isUnknown || released.sample > 0 ? 'releases' : 'merged_prs';
  const of = basis === 'releases' ? 'releases' : 'merges';
  const { value, sample } = of === 'releases' ? released : mergeFrequency(scope)(pullRequests);
  const level =
    !isUnknown && isOldEnough(scope.repositoryCreatedAt, scope.window) && isLongEnough(scope, of)
      ? frequencyTier(sample, workdaysIn(livedWindow(scope, of), scope.calendar))
      : null;
  const total = isUnknown ? null : sample;
  return { basis, frequency: { total, periodDays: periodDays(scope, of), perDay: value, level } };
}

function estimatedLeadTime(pullRequests: readonly PullRequest[], scope: DeliveryScope): DeliveryEstimate['leadTime'] {
  const { value: medianMs, sample: sampleSize } = leadTime(scope)(pullRequests);
  const { value: p95Ms } = leadTime(scope, 0.95)(pullRequests);
  const exact = median(withoutNulls(leadTime(scope).evidence(pullRequests).counted.map(computeLeadTime)));
  const level = sampleSize < 5 ? null : leadTimeTier(exact);
  return { medianMs, p95Ms, sampleSize, lowSample: isLowSample(sampleSize), level };
}

/**
 * A team that never names a pull request a revert or hotfix would read as perfect, so a rate of 0 has a tier only
 * where deployments are recorded.
 */
function estimatedFailureRate(
  pullRequests: readonly PullRequest[],
  scope: DeliveryScope,
): DeliveryEstimate['changeFailureRate'] {
  const measure = changeFailureEstimate(scope);
  const { counted } = measure.evidence(pullRequests);
  const known = counted.filter(isFix).length;
  const isReported = counted.length >= 10 && (known > 0 || scope.hasDeployments);
  const level = isReported ? changeFailureTier(computePercent(counted, isFix)) : null;
  const isAnyUnknown = pullRequests.some((each) => typeof isJudged(each, scope) === 'object');
  return { failures: isAnyUnknown ? null : known, total: counted.length, rate: measure.reduce(counted), level };
}

function estimatedRestore(pullRequests: readonly PullRequest[], scope: DeliveryScope): DeliveryEstimate['mttr'] {
  const times = withoutNulls(restoreEstimate(scope).evidence(pullRequests).counted.map(timeToMerge));
  const [average, middle] = [mean(times), median(times)];
  return {
    meanMs: average === null ? null : roundTo(average, 0),
    medianMs: middle === null ? null : roundTo(middle, 0),
    recoveries: times.length,
    fewSamples: times.length > 0 && times.length < 3,
    level: restoreTier(middle),
  };
}

/** First commit to merge, in ms; null when one is unknown, or the other way round. */
export function computeLeadTime({ firstCommitAt, mergedAt }: PullRequest): number | null {
  if (firstCommitAt === null || mergedAt === null || mergedAt < firstCommitAt) return null;
  return mergedAt - firstCommitAt;
}
