import type { Context } from '../access/context.ts';
import { mayUse } from '../access/decision.ts';
import type { FeatureKey } from '../access/features.ts';
import type { Listing } from '../codehost/client/client.ts';
import type { Instant, LiveWorkflowRun, RepositoryName } from '../metrics/kernel/facts.ts';
import { getOutcome } from '../metrics/kernel/outcome.ts';
import { roundTo } from '../metrics/kernel/statistics.ts';
import type { Tier } from '../metrics/kernel/tiers.ts';
import { dayMs, hourMs } from '../metrics/kernel/window.ts';
import { successRate } from '../metrics/runs/workflow-runs.ts';
import { computeBusFactor, type RepositoryBusFactor } from '../reports/bus-factor/report.ts';
import { type Delivery, readDelivery } from '../reports/delivery/facts.ts';
import { teamCalendar } from '../reports/kernel/calendar.ts';
import { ifReadable } from '../reports/kernel/coverage.ts';
import { iso } from '../reports/kernel/instants.ts';
import { type RepositoryFacts, repositoryFacts } from '../reports/repositories/facts.ts';
import { computeLevel } from '../reports/scorecard/row.ts';
import { workflowChanges } from '../reports/workflow-files/report.ts';
import { cleanRepository } from './names.ts';
import { discardedReply } from './snapshot-reading.ts';

/**
 * All that is sent about a repository; contract of the service, section 5.4. A section that the caller was not granted is
 * absent, one that could not be read is null.
 */
export interface RepositorySnapshot {
  surface: 'repository';
  scope: string;
  period_days: 30;
  dora?: DeliverySection | null;
  ci: CiSection | null;
  bus_factor?: { overall: number | null; critical_modules: number | null; total_contributors: number | null } | null;
  recent_workflow_changes?: { date: string }[] | null;
  /** Not everything in the period was read. */
  partial: boolean;
}

/**
 * `source` distinguishes measured deployments, of `period_days`, from an estimate of 90 days by pull requests and
 * releases.
 */
interface DeliverySection {
  deployments_per_day: number | null;
  lead_time_p50_hours: number | null;
  change_failure_rate_pct: number | null;
  mttr_mean_hours: number | null;
  benchmark: Tier | null;
  source: 'deployments' | 'repo_dora';
}

interface CiSection {
  /** Runs of two periods that these figures rest on; null where not all of them were read. */
  total_runs: number | null;
  success_rate_pct: number | null;
  /** null where the period before was not read completely. */
  success_rate_prev_period_pct: number | null;
  runs_last_30d: number;
  failures_last_30d: number;
}

/** What was read of a repository for its snapshot: a section is absent when not granted, null when rejected. */
export interface RepositoryReading {
  name: RepositoryName;
  ci: { section: CiSection; partial: boolean } | null;
  delivery?: Delivery | null;
  /** Whether measured deployments may be included too. */
  hasDeployments: boolean;
  busFactor?: RepositoryBusFactor | null;
  changes?: { committedAt: Instant }[] | null;
}

const periodDays = 30;
const maxChanges = 10;
/** Of 100 runs. */
const maxRunPages = 5;

/** Reads a repository that the caller can see. Throws the problems of the platform about the repository itself. */
export async function readRepository(name: RepositoryName, context: Context): Promise<RepositorySnapshot> {
  const facts = await repositoryFacts(name, context, discardedReply());
  const granted = async <T>(key: FeatureKey, read: () => Promise<T>) =>
    (await mayUse(key, context)) ? ifReadable(read()) : undefined;
  const { owner, repo } = facts.repository;
  const [ci, delivery, busFactor, changes] = await Promise.all([
    ifReadable(readCi(facts)),
    granted('dora', async () => readDelivery(facts, await teamCalendar(context))),
    granted('busFactor', () => computeBusFactor(facts, context)),
    granted('auditTrail', () => workflowChanges({ owner, repo, limit: maxChanges }, context, discardedReply())),
  ]);
  return repositorySnapshot({
    name: { owner, repo },
    ci,
    ...(delivery !== undefined && { delivery }),
    ...(busFactor !== undefined && { busFactor }),
    ...(changes !== undefined && { changes }),
    hasDeployments: await mayUse('deployments', context),
  });
}

/** The figures of a repository. */
export function repositorySnapshot(reading: RepositoryReading): RepositorySnapshot {
  const { name, ci, delivery, busFactor, changes } = reading;
  const sections = [ci, delivery, busFactor, changes];
  return {
    surface: 'repository',
    scope: cleanRepository(`${name.owner}/${name.repo}`),
    period_days: periodDays,
    ...(delivery !== undefined && { dora: delivery && deliverySection(delivery, reading.hasDeployments) }),
    ci: ci?.section ?? null,
    ...(busFactor !== undefined && { bus_factor: busFactor && busFactorSection(busFactor) }),
    ...(changes !== undefined && {
      recent_workflow_changes: changes?.slice(0, maxChanges).map((one) => ({ date: iso(one.committedAt) })) ?? null,
    }),
    partial:
      sections.includes(null) ||
      [ci, delivery?.pullRequests, delivery?.releases, busFactor].some((one) => one?.partial === true),
  };
}

/** As the page of the repository shows it: measured where enough was deployed to production, else estimated. */
function deliverySection(delivery: Delivery, hasDeployments: boolean): DeliverySection {
  const { estimate, deployments } = delivery;
  const known = computeLevel(hasDeployments ? delivery : { ...delivery, deployments: null });
  const lead_time_p50_hours = toHours(estimate.leadTime.medianMs);
  const measured = known.source === 'deployments' ? deployments?.figures.production : null;
  if (measured)
    return {
      deployments_per_day: rounded(measured.deploysPerDay),
      lead_time_p50_hours,
      change_failure_rate_pct: rounded(measured.failureRatePct),
      mttr_mean_hours: rounded(measured.mttrHours),
      benchmark: known.level,
      source: known.source,
    };
  return {
    deployments_per_day: rounded(estimate.deploymentFrequency.perDay),
    lead_time_p50_hours,
    change_failure_rate_pct: rounded(estimate.changeFailureRate.rate),
    mttr_mean_hours: toHours(estimate.mttr.meanMs),
    benchmark: known.level,
    source: known.source,
  };
}

const rounded = (value: number | null) => (value === null ? null : roundTo(value, 2));
const toHours = (ms: number | null) => rounded(ms === null ? null : ms / hourMs);

const busFactorSection = ({ factor }: RepositoryBusFactor) => ({
  overall: factor.totalCommits === 0 ? null : factor.overallBusFactor,
  critical_modules: factor.criticalModules,
  total_contributors: factor.totalContributors,
});

async function readCi({ codehost, repository, now }: RepositoryFacts) {
  // Complete days, as requested from the platform.
  const since = Math.floor((now - 2 * periodDays * dayMs) / dayMs) * dayMs;
  const listing = await codehost.runs.recent(repository, since, maxRunPages);
  const coveredFrom = coveredSince(listing, { since, now });
  const section = ciSection(listing.items, now, coveredFrom);
  return { section, partial: listing.stale || coveredFrom > now - periodDays * dayMs };
}

/** Since when all runs are known: a list that was cut has all since its oldest, one that lacks some in between none. */
function coveredSince(
  { items, partial, partialReason }: Listing<LiveWorkflowRun>,
  { since, now }: { since: Instant; now: Instant },
): Instant {
  if (!partial) return since;
  return partialReason ? now : (items.at(-1)?.createdAt ?? now);
}

/** Runs of two periods by the one they were created in; `coveredFrom` is the instant since which all are known. */
export function ciSection(runs: readonly LiveWorkflowRun[], now: number, coveredFrom: number): CiSection {
  const [start, earlier] = [now - periodDays * dayMs, now - 2 * periodDays * dayMs];
  const recent = runs.filter(({ createdAt }) => createdAt >= start && createdAt <= now);
  const before = runs.filter(({ createdAt }) => createdAt >= earlier && createdAt < start);
  return {
    total_runs: coveredFrom <= earlier ? recent.length + before.length : null,
    success_rate_pct: successRate(recent).value,
    success_rate_prev_period_pct: coveredFrom <= earlier ? successRate(before).value : null,
    runs_last_30d: recent.length,
    failures_last_30d: recent.filter((run) => getOutcome(run) === 'fail').length,
  };
}
