import type { z } from 'zod';
import type { Context, Reply } from '../access/context.ts';
import { withTitles } from '../facts/titles.ts';
import {
  aftermathOf,
  corroboratedFailureRate,
  isCorroboratedFailure,
  isRework,
  reworkRate,
} from '../metrics/corroborated-failures.ts';
import { cycleBreakdown, scatterPoints } from '../metrics/cycle.ts';
import { leadTime, mergeFrequency, releaseFrequency } from '../metrics/delivery.ts';
import type { RepositoryName } from '../metrics/facts.ts';
import { medianInterval, rateInterval } from '../metrics/intervals.ts';
import { ghostLogin } from '../metrics/people.ts';
import { dayMs, isWithin } from '../metrics/window.ts';
import { teamCalendar } from './calendar.ts';
import { coverageOf } from './coverage.ts';
import { type Delivery, deliveryOf } from './delivery.ts';
import { frequencyLabel, rateLabel, roundedInterval, timeLabel } from './delivery-labels.ts';
import type { DeliveryReport } from './delivery-schema.ts';
import type { Deployments } from './deployments.ts';
import { iso } from './instants.ts';
import { type RepositoryFacts, repositoryFacts } from './repository-facts.ts';

type Answer = z.input<typeof DeliveryReport>;

/** The four keys estimated from pull requests and releases, and what stands behind them. */
export async function deliveryReport(input: RepositoryName, context: Context, reply: Reply): Promise<Answer> {
  const [facts, calendar] = await Promise.all([repositoryFacts(input, context, reply), teamCalendar(context)]);
  const delivery = await deliveryOf(facts, calendar);
  const { pullRequests, releases, deployments, scope, weeks } = delivery;
  const sets = [pullRequests, releases, ...(deployments ? [deployments.set] : [])];
  const corroborated = corroboration(delivery);
  if (pullRequests.partial || releases.partial || deployments?.partial !== false)
    reply.headers.set('X-Partial', 'true');
  return {
    ...fourKeys(delivery),
    overall_level: delivery.overallLevel,
    cycle_breakdown: cycleOf(delivery),
    pr_scatter: await scatterOf(facts, delivery, context),
    throughput_by_week: weeks.map(({ weekStart, count, partial }) => ({ week_start: weekStart, count, partial })),
    last_7_days: lastWeek(delivery),
    corroborated_failures: corroborated?.failures ?? null,
    rework_rate: corroborated?.rework ?? null,
    basis: { ...basisOf(delivery), corroborated_failures: corroborated?.rules ?? [] },
    ...counts(delivery),
    timezone: scope.calendar.timezone,
    window_days: 90,
    generated_at: iso(Math.min(...sets.map(({ asOf }) => asOf))),
    data_source: sets.every(({ source }) => source === 'live') ? 'live' : 'mixed',
  };
}

function fourKeys({ estimate, pullRequests, scope }: Delivery) {
  const { changeFailureRate: failure, deploymentFrequency: frequency, leadTime: lead, mttr } = estimate;
  return {
    change_failure_rate: {
      ...{ label: rateLabel(failure.rate), level: failure.level, failures: failure.failures, rate: failure.rate },
      rate_interval: roundedInterval(rateInterval(failure.failures, failure.total), 1),
      total: failure.total,
    },
    deployment_frequency: {
      label: frequencyLabel(frequency.perDay, frequency.total, frequency.periodDays),
      ...{
        level: frequency.level,
        per_day: frequency.perDay,
        period_days: frequency.periodDays,
        total: frequency.total,
      },
    },
    lead_time: {
      ...{ label: timeLabel(lead.medianMs), level: lead.level, median_ms: lead.medianMs, p95_ms: lead.p95Ms },
      median_interval_ms: roundedInterval(leadTimeInterval({ pullRequests, scope }), 0),
      ...{ sample_size: lead.sample, low_sample: lead.lowSample },
    },
    mttr: {
      ...{ label: timeLabel(mttr.medianMs), level: mttr.level, mean_ms: mttr.meanMs, median_ms: mttr.medianMs },
      recoveries: mttr.recoveries,
    },
  };
}

/** Between which of the lead times the middle one lies. */
export function leadTimeInterval({ pullRequests, scope }: Pick<Delivery, 'pullRequests' | 'scope'>) {
  const measure = leadTime(scope);
  const { counted } = measure.evidence(pullRequests.items);
  return medianInterval(counted.flatMap((each) => measure.reduce([each]) ?? []));
}

function basisOf({ estimate: { basis } }: Delivery) {
  const { changeFailureRate, deploymentFrequency, leadTime: lead, mttr } = basis;
  return { change_failure_rate: changeFailureRate, deployment_frequency: deploymentFrequency, lead_time: lead, mttr };
}

function cycleOf({ pullRequests, scope }: Delivery): Answer['cycle_breakdown'] {
  const { timeToOpen, pickup, review, merge, sample } = cycleBreakdown(pullRequests.items, scope);
  return {
    avg_time_to_open_ms: timeToOpen.avgMs,
    avg_pickup_ms: pickup.avgMs,
    avg_review_ms: review.avgMs,
    avg_merge_ms: merge.avgMs,
    median_time_to_open_ms: timeToOpen.medianMs,
    median_pickup_ms: pickup.medianMs,
    median_review_ms: review.medianMs,
    median_merge_ms: merge.medianMs,
    sample_size: sample,
    samples: {
      time_to_open: timeToOpen.sample,
      pickup: pickup.sample,
      review: review.sample,
      merge: merge.sample,
    },
  };
}

async function scatterOf(
  { codehost, repository }: RepositoryFacts,
  { pullRequests, scope }: Delivery,
  { services }: Context,
): Promise<Answer['pr_scatter']> {
  const shown = new Set(scatterPoints(pullRequests.items, scope).map(({ number }) => number));
  const newest = pullRequests.items.filter(({ number }) => shown.has(number));
  const titled = await withTitles({ codehost, shelf: services.facts }, repository, newest);
  return scatterPoints(titled, scope).map((point) => ({
    ...{ number: point.number, title: point.title, author: point.author?.login ?? ghostLogin, is_bot: point.isBot },
    ...{ hours_to_merge: point.hoursToMerge, loc: point.lines, merged_at: iso(point.mergedAt) },
    html_url: point.htmlUrl,
  }));
}

function lastWeek({ pullRequests, scope }: Delivery): Answer['last_7_days'] {
  if (pullRequests.partial) return null;
  const { to } = scope.window;
  const mergedIn = (from: number, until: number) =>
    mergeFrequency({ ...scope, window: { from, to: until } })(pullRequests.items).sample;
  const weekAgo = to - 7 * dayMs;
  return { merged: mergedIn(weekAgo, to), merged_before: mergedIn(weekAgo - 7 * dayMs, weekAgo - 1) };
}

function counts({ pullRequests, delivered, releases, deployments, scope }: Delivery) {
  const { items, partial, capped } = pullRequests;
  const ended = items.filter(({ mergedAt, closedAt }) => isWithin(mergedAt ?? closedAt, scope.window));
  const isCut = partial || releases.partial;
  // Without them it is not known which changes were rolled back, nor whether any failed.
  const isBlind = deployments?.partial !== false;
  return {
    fetched_prs: ended.length,
    total_prs_attempted: ended.filter(({ mergedAt }) => mergedAt !== null).length,
    prs_analysed: delivered.length,
    releases_analysed: releaseFrequency(scope)(releases.items).sample,
    partial: isCut || isBlind,
    coverage: coverageOf({
      read: ended.length,
      expected: partial ? null : ended.length,
      cap: capped ? mostPullRequests : null,
      reasons: [
        ...(isCut ? [capped ? ('search_cap' as const) : ('upstream_truncated' as const)] : []),
        ...(isBlind ? ['sub_fetch_failed' as const] : []),
      ],
    }),
  };
}

const mostPullRequests = 2000;

/** What speaks against deployments that count as successes; null where deployments are not known. */
function corroboration(delivery: Delivery) {
  const { deployments } = delivery;
  const environment = deployments?.figures.productionEnvironment ?? null;
  if (deployments === null || environment === null) return null;
  const reverts = delivery.delivered.flatMap(({ isRevert, mergedAt }) =>
    isRevert && mergedAt !== null ? mergedAt : [],
  );
  return corroborated(deployments, environment, reverts);
}

function corroborated({ set, scope, recent }: Deployments, environment: string, reverts: number[]) {
  const aftermath = aftermathOf(set.items, reverts);
  const where = { ...scope, environment };
  const [failure, rework] = [corroboratedFailureRate(where, aftermath), reworkRate(where, aftermath)];
  const { counted } = failure.evidence(recent);
  const [failureRate, reworked] = [failure.reduce(counted), rework.reduce(counted)];
  return {
    failures: {
      failures: counted.filter((each) => isCorroboratedFailure(each, aftermath)).length,
      ...{ total: counted.length, rate_pct: failureRate, label: rateLabel(failureRate) },
    },
    rework: {
      rework: counted.filter((each) => isRework(each, aftermath)).length,
      ...{ total: counted.length, rate_pct: reworked, label: rateLabel(reworked) },
    },
    rules: [...new Set(counted.flatMap(({ id }) => aftermath.contradictions.get(id) ?? []))],
  };
}
