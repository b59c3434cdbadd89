import type { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import { toWire } from '../../domain/wire.ts';
import { withTitles } from '../../facts/titles.ts';
import {
  corroboratedFailureRate,
  findAftermath,
  isCorroboratedFailure,
  isRework,
  reworkRate,
} from '../../metrics/delivery/corroborated-failures.ts';
import { leadTime, mergeFrequency, releaseFrequency } from '../../metrics/delivery/delivery.ts';
import { areStatusesKnown } from '../../metrics/delivery/deployments.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { medianInterval, rateInterval } from '../../metrics/kernel/intervals.ts';
import { dayMs, isWithin, type Window } from '../../metrics/kernel/window.ts';
import { cycleBreakdown, scatterPoints, weeksUpTo } from '../../metrics/pull-requests/cycle.ts';
import { shownAuthor } from '../../metrics/pull-requests/pull-requests.ts';
import type { Deployments } from '../deployments/facts.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { toCoverage } from '../kernel/coverage.ts';
import { type RepositoryFacts, repositoryFacts } from '../repositories/facts.ts';
import { type Delivery, deliveryGaps, readDelivery } from './facts.ts';
import { frequencyLabel, rateLabel, roundedInterval, timeLabel } from './labels.ts';
import type { DeliveryReport } from './schema.ts';

type Answer = z.input<typeof DeliveryReport>;

/** The four keys estimated from pull requests and releases, and their evidence. */
export async function deliveryReport(input: RepositoryName, context: Context, reply: Reply): Promise<Answer> {
  const [facts, calendar] = await Promise.all([repositoryFacts(input, context, reply), teamCalendar(context)]);
  const delivery = await readDelivery(facts, calendar);
  const { pullRequests, releases, deployments, scope, weeks } = delivery;
  const sets = [pullRequests, releases, ...(deployments ? [deployments.set] : [])];
  const corroborated = corroboration(delivery);
  if (deliveryGaps(delivery).length > 0) reply.headers.set('X-Partial', 'true');
  return {
    ...fourKeys(delivery),
    overall_level: delivery.overallLevel,
    cycle_breakdown: computeCycle(delivery),
    pr_scatter: await computeScatter(facts, delivery, context),
    lead_time_by_week: weeklyLeadTimes(delivery),
    lead_time_change: leadTimeChange(delivery),
    throughput_by_week: toWire(weeks),
    last_7_days: lastWeek(delivery),
    corroborated_failures: corroborated?.failures ?? null,
    rework_rate: corroborated?.rework ?? null,
    basis: { ...toWire(delivery.estimate.basis), corroborated_failures: corroborated?.rules ?? [] },
    ...counts(delivery),
    timezone: scope.calendar.timezone,
    window_days: 90,
    generated_at: Math.min(...sets.map(({ asOf }) => asOf)),
    data_source: sets.every(({ source }) => source === 'live') ? 'live' : 'mixed',
  };
}

function fourKeys(delivery: Delivery) {
  const { estimate, pullRequests, scope } = delivery;
  const { changeFailureRate: failure, deploymentFrequency: frequency, leadTime: lead, mttr } = estimate;
  return {
    change_failure_rate: {
      ...toWire(failure),
      label: rateLabel(failure.rate),
      rate_interval: roundedInterval(failureInterval(delivery), 1),
    },
    deployment_frequency: {
      ...toWire(frequency),
      label: frequencyLabel(frequency.perDay, frequency.total, frequency.periodDays),
    },
    lead_time: {
      ...toWire(lead),
      label: timeLabel(lead.medianMs),
      median_interval_ms: roundedInterval(leadTimeInterval({ pullRequests, scope }), 0),
    },
    mttr: { ...toWire(mttr), label: timeLabel(mttr.medianMs) },
  };
}

/** null while it is unknown how many failed. */
export const failureInterval = ({ estimate: { changeFailureRate } }: Pick<Delivery, 'estimate'>) =>
  changeFailureRate.failures === null ? null : rateInterval(changeFailureRate.failures, changeFailureRate.total);

/** Between which of the lead times the median lies. */
export function leadTimeInterval({ pullRequests, scope }: Pick<Delivery, 'pullRequests' | 'scope'>) {
  const measure = leadTime(scope);
  const { counted } = measure.evidence(pullRequests.items);
  return medianInterval(counted.flatMap((each) => measure.reduce([each]) ?? []));
}

function leadTimeIn({ pullRequests, scope }: Delivery, window: Window) {
  const { value, sample } = leadTime({ ...scope, window })(pullRequests.items);
  return { median_ms: value, sample };
}

const weeklyLeadTimes = (delivery: Delivery): Answer['lead_time_by_week'] =>
  weeksUpTo(delivery.scope.window.to, delivery.scope.calendar).map(({ weekStart, from, to }) => ({
    week_start: weekStart,
    ...leadTimeIn(delivery, { from: Math.max(from, delivery.scope.window.from), to }),
  }));

/** Below five merges one of them decides too much. */
const minMerges = 5;

function leadTimeChange(delivery: Delivery): Answer['lead_time_change'] {
  const { to } = delivery.scope.window;
  const monthAgo = to - 30 * dayMs;
  const recent = leadTimeIn(delivery, { from: monthAgo, to });
  const before = leadTimeIn(delivery, { from: monthAgo - 30 * dayMs, to: monthAgo - 1 });
  if (delivery.pullRequests.partial || Math.min(recent.sample, before.sample) < minMerges) return null;
  if (recent.median_ms === null || before.median_ms === null) return null;
  return {
    median_ms: recent.median_ms,
    sample: recent.sample,
    median_ms_before: before.median_ms,
    sample_before: before.sample,
  };
}

function computeCycle({ pullRequests, scope }: Delivery): Answer['cycle_breakdown'] {
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

async function computeScatter(
  { codehost, repository }: RepositoryFacts,
  { pullRequests, scope }: Delivery,
  { services }: Context,
): Promise<Answer['pr_scatter']> {
  const shown = new Set(scatterPoints(pullRequests.items, scope).map(({ number }) => number));
  const newest = pullRequests.items.filter(({ number }) => shown.has(number));
  const titled = await withTitles({ codehost, factRepository: services.facts }, repository, newest);
  return scatterPoints(titled, scope).map((point) => ({
    ...toWire(point),
    author: shownAuthor(point),
    is_bot: point.isAuthorUnread ? null : point.isBot,
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

function counts(delivery: Delivery) {
  const { pullRequests, delivered, releases, scope } = delivery;
  const { items, partial, capped } = pullRequests;
  const ended = items.filter(({ mergedAt, closedAt }) => isWithin(mergedAt ?? closedAt, scope.window));
  const reasons = deliveryGaps(delivery);
  const released = releaseFrequency(scope)(releases.items);
  return {
    fetched_prs: ended.length,
    total_prs_attempted: ended.filter(({ mergedAt }) => mergedAt !== null).length,
    prs_analysed: delivered.length,
    releases_analysed: released.value === null ? null : released.sample,
    partial: reasons.length > 0,
    coverage: toCoverage({
      read: ended.length,
      expected: partial ? null : ended.length,
      cap: capped ? maxPullRequests : null,
      reasons,
    }),
  };
}

const maxPullRequests = 2000;

/** What speaks against deployments that count as successes; null where deployments are not known. */
function corroboration(delivery: Delivery) {
  const { deployments } = delivery;
  const environment = deployments?.figures.productionEnvironment ?? null;
  if (deployments === null || environment === null) return null;
  // A failure, or the success that a rollback goes back to, may be among what could not be read.
  if (!areStatusesKnown(deployments.set.items.filter((each) => each.environment === environment))) return null;
  const reverts = delivery.delivered.flatMap(({ isRevert, mergedAt }) =>
    isRevert && mergedAt !== null ? mergedAt : [],
  );
  return corroborated(deployments, environment, reverts);
}

function corroborated({ set, scope, recent }: Deployments, environment: string, reverts: number[]) {
  const aftermath = findAftermath(set.items, reverts);
  const where = { ...scope, environment };
  const [failure, rework] = [corroboratedFailureRate(where, aftermath), reworkRate(where, aftermath)];
  const { counted } = failure.evidence(recent);
  const [failureRate, reworked] = [failure.reduce(counted), rework.reduce(counted)];
  return {
    failures: {
      failures: counted.filter((each) => isCorroboratedFailure(each, aftermath)).length,
      total: counted.length,
      rate_pct: failureRate,
      label: rateLabel(failureRate),
    },
    rework: {
      rework: counted.filter((each) => isRework(each, aftermath)).length,
      total: counted.length,
      rate_pct: reworked,
      label: rateLabel(reworked),
    },
    rules: [...new Set(counted.flatMap(({ id }) => aftermath.contradictions.get(id) ?? []))],
  };
}
