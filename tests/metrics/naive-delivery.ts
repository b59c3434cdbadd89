/** Delivery and deployments a second time, straight from the words. */
import type { Deployment, PullRequest } from '../../server/metrics/kernel/delivery-facts.ts';
import type { DeliveryWorld } from './delivery-worlds.ts';
import {
  distinct,
  naiveBefore,
  naiveClock,
  naiveFraction,
  naiveIsBot,
  naiveMean,
  naiveRound,
  naiveTenths,
  sortedBy,
} from './naive-people.ts';
import { day, hour } from './worlds.ts';

type Level = 'elite' | 'high' | 'medium' | 'low' | null;
const levels: Level[] = ['elite', 'high', 'medium', 'low'];

export function naiveEstimate(
  world: DeliveryWorld,
  createdAt: number | null,
  hasDeployments: boolean,
  knownSince = { releases: 0, merges: 0 },
) {
  const { now, releases, timezone } = world;
  const all = naiveDelivered(world, now - 90 * day, now);
  const human = all.filter((pr) => !naiveIsBot(pr.author));
  const published = releases.filter((r) => !r.isDraft && !r.isPrerelease && (r.publishedAt ?? 0) >= now - 90 * day);
  const count = published.length > 0 ? published.length : all.length;
  const since = published.length > 0 ? knownSince.releases : knownSince.merges;
  const age = Math.min(90 * day, now - (createdAt ?? 0), now - since);
  const days = Math.max(1, Math.floor(age / day) + (age % day > 0 ? 1 : 0));
  const leads = human.flatMap((pr) => {
    const lead = Number(pr.mergedAt) - (pr.firstCommitAt ?? Infinity);
    return lead >= 0 ? [lead] : [];
  });
  const fixes = human.filter(naiveIsFix);
  const fixTimes = fixes.map((pr) => Number(pr.mergedAt) - pr.createdAt);
  const workdays = naiveWorkdays(now, days, timezone);
  const isYoung = createdAt !== null && now - createdAt < 14 * day;
  const reported = human.length >= 10 && (fixes.length > 0 || hasDeployments);
  const found: Level[] = [
    isYoung ? null : naiveFrequencyLevel(count, workdays),
    leads.length < 5 ? null : naiveTimeLevel(naiveTenths(leads, 5, 1, 1), [day, 7 * day, 30 * day]),
    reported ? naiveFailureLevel(fixes.length, human.length) : null,
    naiveTimeLevel(naiveTenths(fixTimes, 5, 1, 1), [hour, day, 7 * day]),
  ];
  const [frequency, lead, failure, restore] = found;
  const known = found.filter((level) => level !== null);
  const overall = known.length < 2 ? null : levels[Math.max(...known.map((level) => levels.indexOf(level)))];
  return {
    deploymentFrequency: { total: count, periodDays: days, perDay: naiveRound(count, days, 2), level: frequency },
    leadTime: {
      medianMs: naiveTenths(leads, 5, 1, 0),
      p95Ms: naiveFraction(leads, 19, 20, 1, 0),
      sampleSize: leads.length,
      lowSample: leads.length < 20,
      level: lead,
    },
    changeFailureRate: {
      failures: fixes.length,
      total: human.length,
      rate: naiveRound(100 * fixes.length, human.length, 1),
      level: failure,
    },
    mttr: {
      meanMs: naiveMean(fixTimes, 1, 0),
      medianMs: naiveTenths(fixTimes, 5, 1, 0),
      recoveries: fixes.length,
      fewSamples: fixes.length === 1 || fixes.length === 2,
      level: restore,
    },
    overallLevel: overall,
    basis: { deploymentFrequency: published.length > 0 ? 'releases' : 'merged_prs' },
  };
}

export function naiveDelivered({ pullRequests }: DeliveryWorld, from: number, to: number): PullRequest[] {
  return pullRequests.filter(
    (pr) =>
      pr.baseBranch === 'main' &&
      pr.mergedAt !== null &&
      from <= pr.mergedAt &&
      pr.mergedAt <= to &&
      pr.createdAt <= pr.mergedAt,
  );
}

export function naiveCycle(world: DeliveryWorld) {
  const human = naiveDelivered(world, world.now - 90 * day, world.now).filter((pr) => !naiveIsBot(pr.author));
  const times = { timeToOpen: [] as number[], pickup: [] as number[], review: [] as number[], merge: [] as number[] };
  for (const pr of human) {
    const ahead = pr.createdAt - (pr.firstCommitAt ?? Infinity);
    if (pr.firstCommitAt !== null && ahead <= 180 * day) times.timeToOpen.push(ahead < 0 ? 0 : ahead);
    const reviews = naiveBefore(pr, world.links);
    const [first] = reviews;
    if (first === undefined) continue;
    const approvals = reviews.filter((review) => review.state === 'approved');
    const wait = first.submittedAt - naiveClock(pr, first, world.links);
    if (wait >= 0) times.pickup.push(wait);
    if (pr.reviewsTruncated) continue;
    if (approvals.length > 0) times.review.push(Math.max(...approvals.map((r) => r.submittedAt)) - first.submittedAt);
    const last = approvals[approvals.length - 1] ?? first;
    times.merge.push(Number(pr.mergedAt) - last.submittedAt);
  }
  const phase = (values: number[]) => ({
    avgMs: naiveMean(values, 1, 0),
    medianMs: naiveTenths(values, 5, 1, 0),
    sample: values.length,
  });
  return {
    timeToOpen: phase(times.timeToOpen),
    pickup: phase(times.pickup),
    review: phase(times.review),
    merge: phase(times.merge),
    sample: human.length,
  };
}

export function naiveWeeks(world: DeliveryWorld) {
  const dayOf = naiveDayOf(world.timezone);
  const mondayOf = (date: string) => {
    const time = Date.parse(date);
    return new Date(time - ((new Date(time).getUTCDay() + 6) % 7) * day).toISOString().slice(0, 10);
  };
  const running = mondayOf(dayOf(world.now));
  const merged = naiveDelivered(world, 0, world.now).map((pr) => mondayOf(dayOf(Number(pr.mergedAt))));
  return Array.from({ length: 13 }, (_, index) => {
    const weekStart = new Date(Date.parse(running) - (12 - index) * 7 * day).toISOString().slice(0, 10);
    return { weekStart, count: merged.filter((each) => each === weekStart).length, partial: weekStart === running };
  });
}

export function naiveDeployments(world: DeliveryWorld, createdAt: number | null) {
  const { now, timezone } = world;
  const recent = world.deployments.filter((each) => each.createdAt >= now - 30 * day);
  const uses = (name: string) => recent.filter((each) => each.environment === name).length;
  const known = recent.length === 0 ? [] : world.deployments;
  const everUses = (name: string) => known.filter((each) => each.environment === name).length;
  const everNames = sortedBy(distinct(known.map((each) => each.environment)), (name) => [-everUses(name), name]);
  const recentNames = distinct(recent.map((each) => each.environment));
  const isNamed = [(name: string) => /^production/i.test(name), (name: string) => name === 'prod-eu'];
  const production =
    [sortedBy(recentNames, (name) => [-uses(name), name]), everNames]
      .flatMap((names) => isNamed.flatMap((fits) => names.find(fits) ?? []))
      .find(Boolean) ?? everNames[0];
  const names =
    production === undefined || recentNames.includes(production) ? recentNames : [...recentNames, production];
  const rows = sortedBy(names, (name) => [name === production ? 0 : 1, -uses(name), name]).map((environment) => {
    const own = recent.filter((each) => each.environment === environment);
    const ends = own.map(naiveEnd).filter((end) => end !== null);
    const outages = naiveOutages(world.deployments.filter((each) => each.environment === environment))
      .filter(([, to]) => to === null || to >= now - 30 * day)
      .map(([from, to]) => [from, to !== null && to > now ? null : to] as const);
    const times = outages.flatMap(([from, to]) => (to === null ? [] : [to - from]));
    const success = ends.filter((end) => end.isGood).length;
    const finished = ends.length;
    return {
      environment,
      isProduction: environment === production,
      isRest: false,
      total: own.length,
      success,
      failed: finished - success,
      inconclusive: own.length - finished,
      deploysPerDay: finished === 0 ? null : naiveRound(success, 30, 2),
      failureRatePct: naiveRound(100 * (finished - success), finished),
      mttrHours: naiveMean(times, hour, 1),
      mttrMedianHours: naiveTenths(times, 5, hour, 1),
      mttrSamples: times.length,
      openFailureSince: outages.find(([, to]) => to === null)?.[0] ?? null,
      tiers: {
        deploymentFrequency:
          finished === 0 || (createdAt !== null && now - createdAt < 14 * day)
            ? null
            : naiveFrequencyLevel(success, naiveWorkdays(now, 30, timezone)),
        changeFailureRate: finished < 5 ? null : naiveFailureLevel(finished - success, finished),
        mttr: naiveTimeLevel(naiveTenths(times, 5, 1, 1), [hour, day, 7 * day]),
      },
    };
  });
  const nothing = { deploymentFrequency: null, changeFailureRate: null, mttr: null };
  return {
    source: recent.length > 0 ? 'deployments' : world.deployments.length > 0 ? 'stale' : 'none',
    total: recent.length,
    productionEnvironment: production ?? null,
    byEnvironment: rows.map(({ tiers: _, ...row }) => row),
    tiers: rows.find((row) => row.isProduction)?.tiers ?? nothing,
  };
}

export function naiveEnd({ id, statuses }: Deployment): { id: number; at: number; isGood: boolean } | null {
  const order = ['failure', 'error', 'success'];
  const decisive = (statuses ?? []).filter(({ state }) => order.includes(state));
  const [first] = sortedBy(decisive, ({ at, state }) => [at, order.indexOf(state)]);
  return first === undefined ? null : { id, at: first.at, isGood: first.state === 'success' };
}

function naiveOutages(deployments: Deployment[]): [number, number | null][] {
  const ends = sortedBy(
    deployments.map(naiveEnd).filter((end) => end !== null),
    ({ at, id }) => [at, id],
  );
  return ends.flatMap(({ at, isGood }, index): [number, number | null][] => {
    const isFirst = !isGood && (index === 0 || ends[index - 1]?.isGood === true);
    return isFirst ? [[at, ends.slice(index).find((end) => end.isGood)?.at ?? null]] : [];
  });
}

function naiveIsFix({ isRevert, labels, headBranch }: PullRequest): boolean {
  if (isRevert) return true;
  if (labels?.some((label) => ['hotfix', 'incident', 'rollback'].includes(label.toLowerCase()))) return true;
  return ['hotfix/a', 'revert-1-b', 'ana/hotfix-c'].includes(headBranch);
}

function naiveFrequencyLevel(count: number, workdays: number): Level {
  if (workdays === 0) return null;
  return levels[[1, 5, 22].findIndex((days) => count * days >= workdays)] ?? 'low';
}

function naiveFailureLevel(failed: number, total: number): Level {
  return levels[[5, 10, 15].findIndex((most) => 100 * failed <= most * total)] ?? 'low';
}

function naiveTimeLevel(time: number | null, bounds: number[]): Level {
  return time === null ? null : (levels[bounds.findIndex((bound) => time < bound)] ?? 'low');
}

function naiveWorkdays(now: number, days: number, timezone: string): number {
  const today = Date.parse(naiveDayOf(timezone)(now));
  let count = 0;
  for (let back = 0; back < days; back++) {
    if (![0, 6].includes(new Date(today - back * day).getUTCDay())) count++;
  }
  return count;
}

export function naiveDayOf(timezone: string): (instant: number) => string {
  const { format } = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' });
  return format;
}
