import { computeLeadTime, leadTime } from '../../metrics/delivery/delivery.ts';
import { tallyValues, type ValueTally } from '../../metrics/kernel/bootstrap.ts';
import {
  type Comparison,
  type Conclusion,
  compareCounts,
  compareQuantiles,
  compareShares,
  digitsOf,
  type Share,
} from '../../metrics/kernel/comparison.ts';
import type { CountedDay } from '../../metrics/kernel/counts.ts';
import type { Better } from '../../metrics/kernel/metric.ts';
import type { People } from '../../metrics/people/people.ts';
import { scopeMerges } from '../../metrics/pull-requests/merges.ts';
import {
  firstReviewWait,
  type Scope,
  timeToFirstReview,
  withoutNulls,
} from '../../metrics/pull-requests/pull-requests.ts';
import { slowQueueWait } from '../../metrics/runs/queue-delays.ts';
import { medianDuration, slowDuration } from '../../metrics/runs/times.ts';
import { scopeRuns, successRate } from '../../metrics/runs/workflow-runs.ts';
import type { StoredScope } from '../ci/reading.ts';
import { countByDay, type Period, toDays } from './periods.ts';
import type { ComparedKind, ComparisonSource } from './source.ts';

export const comparedMetrics = [
  'success_rate',
  'duration_p50',
  'duration_p95',
  'queue_p95',
  'runs',
  'lead_time',
  'merged',
  'first_review',
] as const;
export type ComparedMetric = (typeof comparedMetrics)[number];

export const comparedUnits = ['percent', 'milliseconds', 'count'] as const;

/** A period with the repositories that count in it. */
export interface ComparedSide {
  period: Period;
  repoIds: readonly number[];
}

/** What both sides are read from, and who is who. */
export interface Comparing {
  source: ComparisonSource;
  scope: Pick<StoredScope, 'repositories' | 'calendar'>;
  people: People;
  /** Equal for equal questions, so that the same is drawn. */
  seed: string;
}

/** How one metric is compared; its words are those of the metric of the same facts. */
export interface Compared {
  kind: ComparedKind;
  label: string;
  unit: (typeof comparedUnits)[number];
  better: Better;
  digits: Conclusion['digits'];
  compare(a: ComparedSide, b: ComparedSide, comparing: Comparing): Promise<Comparison>;
}

/** A read of one side, for both of them. */
const both = <Read>([a, b]: [ComparedSide, ComparedSide], read: (side: ComparedSide) => Promise<Read>) =>
  Promise.all([read(a), read(b)]);

const times = { unit: 'milliseconds', better: 'lower', digits: digitsOf.milliseconds } as const;
const numbers = { unit: 'count', better: 'neither', digits: digitsOf.count } as const;

const ofQuantile = (
  q: number,
  read: (side: ComparedSide, comparing: Comparing) => Promise<ValueTally>,
): Compared['compare'] => {
  return async (a, b, comparing) => {
    const [before, after] = await both([a, b], (side) => read(side, comparing));
    return compareQuantiles(before, after, q, comparing.seed);
  };
};

const readDurations = async ({ repoIds, period }: ComparedSide, { source }: Comparing) =>
  tallyValues((await source.durations(repoIds, period.window)).map(({ value, count }) => [value, count]));

const readWaits = async ({ repoIds, period }: ComparedSide, { source }: Comparing) =>
  tallyValues((await source.waits(repoIds, period.window)).map(({ value, count }) => [value, count]));

const tallyEach = (values: readonly number[]) => tallyValues(values.map((value) => [value, 1]));

const toScope = ({ period }: ComparedSide, { people }: Comparing): Scope => ({ window: period.window, people });

/** Each repository by its own default branch. */
async function readLeadTimes(side: ComparedSide, comparing: Comparing): Promise<ValueTally> {
  const { source, scope } = comparing;
  const ended = await source.ended(side.repoIds, side.period.window);
  const counted = [...Map.groupBy(ended, ({ repoId }) => repoId)].flatMap(([repoId, own]) => {
    const defaultBranch = scope.repositories.get(repoId)?.defaultBranch ?? null;
    const unused = { repositoryCreatedAt: null, hasDeployments: false };
    const delivery = { ...toScope(side, comparing), calendar: scope.calendar, defaultBranch, ...unused };
    return leadTime(delivery).evidence(own).counted;
  });
  return tallyEach(withoutNulls(counted.map(computeLeadTime)));
}

async function readFirstReviews(side: ComparedSide, comparing: Comparing): Promise<ValueTally> {
  const ended = await comparing.source.ended(side.repoIds, side.period.window);
  const { counted } = timeToFirstReview(toScope(side, comparing)).evidence(ended);
  return tallyEach(withoutNulls(counted.map((one) => firstReviewWait(one, comparing.people))));
}

async function readShare({ repoIds, period }: ComparedSide, { source }: Comparing): Promise<Share> {
  const days = await source.outcomes(repoIds, period);
  const part = days.reduce((sum, { passed }) => sum + passed, 0);
  return { part, n: days.reduce((sum, { failed }) => sum + failed, part) };
}

async function readRuns({ repoIds, period }: ComparedSide, { source, scope }: Comparing): Promise<CountedDay[]> {
  const byDay = new Map((await source.outcomes(repoIds, period)).map(({ day, runs }) => [day, runs]));
  return toDays(byDay, period, scope.calendar);
}

async function readMerges(side: ComparedSide, comparing: Comparing): Promise<CountedDay[]> {
  const { repoIds, period } = side;
  const merged = await comparing.source.merges(repoIds, period.window);
  const { counted } = scopeMerges(toScope(side, comparing)).evidence(merged);
  const instants = counted.map(({ mergedAt }) => mergedAt ?? period.window.from);
  return countByDay(instants, period, comparing.scope.calendar);
}

export const comparedBy: Readonly<Record<ComparedMetric, Compared>> = {
  success_rate: {
    kind: 'runs',
    label: successRate.label,
    unit: 'percent',
    better: 'higher',
    digits: digitsOf.percent,
    compare: async (a, b, comparing) => {
      const [before, after] = await both([a, b], (side) => readShare(side, comparing));
      return compareShares(before, after);
    },
  },
  duration_p50: { ...times, kind: 'runs', label: medianDuration.label, compare: ofQuantile(0.5, readDurations) },
  duration_p95: { ...times, kind: 'runs', label: slowDuration.label, compare: ofQuantile(0.95, readDurations) },
  queue_p95: { ...times, kind: 'runs', label: slowQueueWait.label, compare: ofQuantile(0.95, readWaits) },
  runs: {
    ...numbers,
    kind: 'runs',
    label: scopeRuns.label,
    compare: async (a, b, comparing) => {
      const [before, after] = await both([a, b], (side) => readRuns(side, comparing));
      return compareCounts(before, after);
    },
  },
  lead_time: { ...times, kind: 'pull_requests', label: 'Lead time to merge', compare: ofQuantile(0.5, readLeadTimes) },
  merged: {
    ...numbers,
    kind: 'pull_requests',
    label: 'Merged pull requests',
    compare: async (a, b, comparing) => {
      const [before, after] = await both([a, b], (side) => readMerges(side, comparing));
      return compareCounts(before, after);
    },
  },
  first_review: {
    ...times,
    kind: 'pull_requests',
    label: 'Time to first review',
    compare: ofQuantile(0.5, readFirstReviews),
  },
};
