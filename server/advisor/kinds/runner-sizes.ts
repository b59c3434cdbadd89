import { duration, figures } from '../../domain/quantity.ts';
import { findMinutePrice } from '../../metrics/cost/job-cost.ts';
import { findPrice, findSku } from '../../metrics/cost/runner-prices.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { getOutcome } from '../../metrics/kernel/outcome.ts';
import { median } from '../../metrics/kernel/statistics.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { type Job, valueIn } from '../../scan/workflow.ts';
import type { RecordedAttempt, RecordedJob } from '../history.ts';
import { createJobFinder } from '../job-names.ts';
import { type AdvisedFile, type Counterfactual, type Finding, kind } from '../kind.ts';
import { reasonsWhere } from '../reasons.ts';
import type { Band } from '../replay/band.ts';
import { isContended } from '../replay/contention.ts';
import { dayOf } from '../replay/days.ts';
import { startedRuns } from '../replay/demand.ts';
import { durationRatio } from '../replay/duration-ratio.ts';
import { onOtherRunner } from '../replay/other-runner.ts';

/** Contract of the advisor, section 2.11. */
export const runnerSizes = kind({
  id: 'ADV-09',
  title: 'Use another runner size',
  certainty: 'compared',
  saves: 'cost',
  definition:
    'Passing jobs of the last 60 days, each with 30 or more on two sizes of hosted runners of the same system, by their median time and the price of a minute.',
  *find(file) {
    const passing = readPassing(file);
    for (const job of file.workflow.jobs) {
      const ofJob = passing.filter((one) => one.job === job);
      const sizes = compareSizes(ofJob, file);
      const present = sizes.find(({ sku }) => sku === presentSku(job, ofJob, file));
      const best = present && findBest(sizes.filter(({ sku }) => systemOf(sku, file) === systemOf(present.sku, file)));
      if (!best || best === present) continue;
      yield describe({ job, ofJob, present, best }, file);
    }
  },
});

const comparedDays = 60;
const minPassing = 30;

interface Passing {
  job: Job;
  attempt: RecordedAttempt;
  recorded: RecordedJob;
  sku: string;
  seconds: number;
}

function readPassing({ workflow, attempts, now, largerRunners }: AdvisedFile): Passing[] {
  const findJob = createJobFinder(workflow);
  const recent = (attempts ?? []).filter(({ arrivedAt }) => arrivedAt >= now - comparedDays * dayMs);
  return recent.flatMap((attempt) =>
    (attempt.jobs ?? []).flatMap((recorded): Passing[] => {
      const { name, labels, startedAt, completedAt } = recorded;
      const job = findJob(name);
      const sku = findSku(labels, largerRunners);
      if (job === null || sku === null || startedAt === null || completedAt === null) return [];
      const hasPassed = recorded.isTaken && getOutcome(recorded) === 'pass';
      return hasPassed ? [{ job, attempt, recorded, sku, seconds: (completedAt - startedAt) / 1000 }] : [];
    }),
  );
}

/** A size of runners that every compared cell passed on. */
interface Size {
  sku: string;
  /** As jobs requested it last; null where they named several. */
  label: string | null;
  /** Passing jobs by name. */
  cells: ReadonlyMap<string, readonly Passing[]>;
  /** Of one run of each cell as often as it ran anywhere. */
  seconds: number;
  /** USD of as many. */
  cost: number;
}

/** The sizes that can be compared: of one system, each with a known price and enough of every cell. */
function compareSizes(passing: readonly Passing[], file: AdvisedFile): Size[] {
  const bySku = Map.groupBy(passing, ({ sku }) => sku);
  const byCell = Map.groupBy(passing, ({ recorded }) => recorded.name);
  const isEnough = (jobs: readonly Passing[] = []) => jobs.length >= minPassing;
  const compared = [...byCell].filter(
    ([, jobs]) => [...Map.groupBy(jobs, ({ sku }) => sku).values()].filter(isEnough).length > 1,
  );
  if (compared.length === 0) return [];
  return [...bySku].flatMap(([sku, jobs]): Size[] => {
    const cells = Map.groupBy(jobs, ({ recorded }) => recorded.name);
    const usdPerMinute = priceOf(jobs, file);
    if (usdPerMinute === null || !compared.every(([name]) => isEnough(cells.get(name)))) return [];
    const seconds = compared.reduce(
      (sum, [name, all]) => sum + all.length * (median((cells.get(name) ?? []).map((one) => one.seconds)) ?? 0),
      0,
    );
    return [{ sku, label: lastLabel(jobs), cells, seconds, cost: (seconds / 60) * usdPerMinute }];
  });
}

const priceOf = ([one]: readonly Passing[], { around, largerRunners, now }: AdvisedFile): number | null =>
  one
    ? findMinutePrice(
        { labels: one.recorded.labels, startedAt: now },
        { isPublic: around.visibility === 'public', largerRunnerLabels: largerRunners },
      ).usdPerMinute
    : null;

const newest = (jobs: readonly Passing[]): Passing | null =>
  jobs.toSorted((one, other) => other.attempt.arrivedAt - one.attempt.arrivedAt)[0] ?? null;

function lastLabel(jobs: readonly Passing[]): string | null {
  const [label = null, ...others] = newest(jobs)?.recorded.labels ?? [];
  return others.length === 0 ? label : null;
}

/** Runs the same programs in the same way: only then is it a size alone. */
const systemOf = (sku: string, { now }: AdvisedFile): string => {
  const price = findPrice(sku, now);
  return price === null ? sku : [price.os, price.arch, price.gpu].join(' ');
};

const isComputed = ({ runsOn }: Job): boolean => runsOn.some(({ value }) => value.includes('${{'));

/** What the file names; of what it computes, what ran last. */
function presentSku(job: Job, passing: readonly Passing[], { largerRunners }: AdvisedFile): string | null {
  if (isComputed(job) || job.runsOn.length === 0) return newest(passing)?.sku ?? null;
  return findSku(
    job.runsOn.map(({ value }) => value),
    largerRunners,
  );
}

/** Costs that are as good as the lowest. */
const sameCost = 1.05;

/** The fastest of those that cost least, or hardly more. The same whichever is in use, so that two do not take turns. */
function findBest(sizes: readonly Size[]): Size | null {
  const least = Math.min(...sizes.map(({ cost }) => cost));
  const [best = null] = sizes
    .filter(({ cost }) => cost <= sameCost * least)
    .sort((one, other) => one.seconds - other.seconds || one.cost - other.cost || (one.sku < other.sku ? -1 : 1));
  return best;
}

interface Comparison {
  job: Job;
  ofJob: readonly Passing[];
  present: Size;
  best: Size;
}

function describe({ job, ofJob, present, best }: Comparison, file: AdvisedFile): Finding {
  const runsOn = valueIn(job.node, 'runs-on');
  const ratios = ratiosOf(present, best);
  const change =
    best.label === null ? [] : [{ do: 'replace' as const, at: ['jobs', job.id, 'runs-on'], value: best.label }];
  const isWhole = [...ratios.values()].every((ratio) => ratio !== null);
  return {
    anchor: ['jobs', job.id, 'runs-on'],
    offset: runsOn?.offset ?? job.offset,
    ...tell({ job, ofJob, present, best }),
    reasons: reasonsWhere({
      expression: isComputed(job),
      unusual_yaml: runsOn?.kind !== 'scalar' || best.label === null,
      sample_too_small: !isWhole,
    }),
    changes: change,
    counterfactual: isWhole
      ? {
          ...worlds({ present, best, ratios }, file),
          demand: startedRuns(file.workflowId),
          from: presentFrom(job, present, file),
          isContended: isContended(file.attempts ?? []),
        }
      : null,
  };
}

/** The day after the last on which the job ran elsewhere: days before tell less of what the change does. */
function presentFrom(job: Job, { sku }: Size, { workflow, attempts, largerRunners }: AdvisedFile): Instant {
  const findJob = createJobFinder(workflow);
  const isElsewhere = ({ name, labels, isTaken }: RecordedJob) =>
    isTaken && findSku(labels, largerRunners) !== sku && findJob(name) === job;
  const last = (attempts ?? []).findLast(({ jobs }) => jobs?.some(isElsewhere));
  return last === undefined ? 0 : dayOf(last) + dayMs;
}

/** Of each cell that runs on the present size; null where there is too little to compare it. */
function ratiosOf(present: Size, best: Size): Map<string, Band | null> {
  const timed = (jobs: readonly Passing[] = []) =>
    jobs.map(({ attempt, seconds }) => ({ day: dayOf(attempt), seconds }));
  return new Map(
    [...present.cells].map(([name, jobs]) => {
      const others = best.cells.get(name) ?? [];
      const isEnough = jobs.length >= minPassing && others.length >= minPassing;
      return [name, isEnough ? durationRatio(timed(jobs), timed(others), [name, present.sku, best.sku]) : null];
    }),
  );
}

/** As if the cells had run on the other size: as long as they most likely would, and at both ends of that. */
function worlds(
  { present, best, ratios }: Pick<Comparison, 'present' | 'best'> & { ratios: ReadonlyMap<string, Band | null> },
  { workflow, largerRunners }: AdvisedFile,
): Pick<Counterfactual, 'change' | 'bounds'> {
  const world = (end: 'low' | 'mid' | 'high') =>
    onOtherRunner({
      workflow,
      label: best.label ?? '',
      ratioOf: ({ name, labels }) =>
        findSku(labels, largerRunners) === present.sku ? (ratios.get(name)?.[end] ?? null) : null,
    });
  return { change: world('mid'), bounds: [world('low'), world('high')] };
}

function tell({ job, ofJob, present, best }: Comparison) {
  const [name, cells = []] = [...present.cells].sort(([, some], [, more]) => more.length - some.length)[0] ?? [job.id];
  const others = best.cells.get(name) ?? [];
  const timeOf = (jobs: readonly Passing[]) => duration(1000 * (median(jobs.map(({ seconds }) => seconds)) ?? 0));
  const [here, there] = [present, best].map(({ label, sku }) => label ?? sku);
  return {
    text: `“${name}” takes ${timeOf(others)} on “${there}” and ${timeOf(cells)} on “${here}” (medians of ${others.length} and ${cells.length} passing jobs).`,
    sample: ofJob.length,
    facts: [
      { label: `Passing jobs on “${there}”`, value: figures(count(best)), unit: null },
      { label: `Passing jobs on “${here}”`, value: figures(count(present)), unit: null },
    ],
    evidence: [...new Set([...best.cells.values()].flat().map(({ attempt }) => attempt))].map((attempt) => ({
      attempt,
      why: `ran on “${there}”`,
    })),
    risks: [],
  } satisfies Partial<Finding>;
}

const count = ({ cells }: Size): number => [...cells.values()].reduce((sum, jobs) => sum + jobs.length, 0);
