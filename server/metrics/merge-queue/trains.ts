import type { Instant } from '../kernel/facts.ts';
import { type Measurement, type Metric, metric, type Verdict } from '../kernel/metric.ts';
import { mean, median, quantile } from '../kernel/statistics.ts';
import { isWithin, minuteMs } from '../kernel/window.ts';
import type { Batch } from './batches.ts';
import { type Boarding, boardingFinder, type DeployedFacts, type Ride } from './boarding.ts';
import type { Entry, QueuedPullRequest } from './entries.ts';
import { percentile, type QueueScope, quantileLabel, quantileName, timedMergedIn } from './figures.ts';
import type { QueueHistory, Stay } from './history.ts';

/** Batches that reached production by the same deployment. */
export interface Train extends Ride {
  batches: Batch[];
}

/** How the batches of a queue reached production. */
export interface Trains {
  /** The oldest first. */
  trains: Train[];
  ofBatch(batch: Batch): Boarding;
  /** `unknown` also of what was not merged. */
  ofEntry(entry: Entry): Boarding;
}

export function findTrains(
  { branch, batches }: QueueHistory,
  pullRequests: readonly QueuedPullRequest[],
  facts: DeployedFacts | null,
): Trains {
  const find = boardingFinder(branch, pullRequests, facts);
  const boardings = new Map(batches.map((batch) => [batch, find(batch)]));
  const byEntry = new Map(batches.flatMap((batch) => batch.entries.map((entry) => [toPlace(entry), batch] as const)));
  const trains = new Map<number, Train>();
  for (const [batch, boarding] of boardings) {
    if (typeof boarding === 'string') continue;
    const train = trains.get(boarding.deployment.id);
    if (train) train.batches.push(batch);
    else
      trains.set(boarding.deployment.id, {
        deployment: boarding.deployment,
        deployedAt: boarding.deployedAt,
        basis: boarding.basis,
        batches: [batch],
      });
  }
  const ofBatch = (batch: Batch): Boarding => boardings.get(batch) ?? 'unknown';
  return {
    trains: [...trains.values()].sort((a, b) => a.deployedAt - b.deployedAt),
    ofBatch,
    ofEntry(entry) {
      const batch = byEntry.get(toPlace(entry));
      return batch ? ofBatch(batch) : 'unknown';
    },
  };
}

const toPlace = ({ number, leftAt }: Entry): string => `${number} ${leftAt}`;

/** Where figures of trains count. */
export interface TrainScope extends QueueScope {
  trains: Trains;
}

const minutesBetween = (from: Instant, to: Instant): number => Math.max(0, to - from) / minuteMs;

function judge(boarding: Boarding): Verdict {
  if (boarding === 'waiting') return 'not deployed to production yet';
  return boarding !== 'unknown' || 'by which deployment it reached production is not known';
}

/** From entering the queue to production; null where that is not known. */
export function minutesToProduction({ ofEntry }: Trains, stay: Stay): number | null {
  const boarding = ofEntry(stay);
  return typeof boarding === 'string' || stay.enteredAt === null
    ? null
    : minutesBetween(stay.enteredAt, boarding.deployedAt);
}

export const queueToProduction = (scope: TrainScope, q: 0.5 | 0.9): Metric<Stay> =>
  metric({
    key: `queue_to_production_${percentile(q)}`,
    label: quantileLabel('Queue to production', q),
    unit: 'minutes',
    better: 'lower',
    source: 'deployed pull requests of the queue',
    definition: `${quantileName(q)} of the time from entering the queue, in the stay that merged, to the end of the first successful production deployment that has it.`,
    minSample: 5,
    counts(stay) {
      const verdict = timedMergedIn(scope)(stay);
      return verdict === true ? judge(scope.trains.ofEntry(stay)) : verdict;
    },
    value: (stays) =>
      quantile(
        stays.flatMap((stay) => minutesToProduction(scope.trains, stay) ?? []),
        q,
      ),
  });

/** From the merge to production; null where that is not known. */
export function minutesOfWaiting({ ofBatch }: Trains, batch: Batch): number | null {
  const boarding = ofBatch(batch);
  return typeof boarding === 'string' ? null : minutesBetween(batch.leftAt, boarding.deployedAt);
}

export const trainWait = (scope: TrainScope): Metric<Batch> =>
  metric({
    key: 'train_wait_p50',
    label: 'Merged to deployed',
    unit: 'minutes',
    better: 'lower',
    source: 'deployed batches',
    definition:
      'Median of the time from the merge of a batch to the end of the first successful production deployment that has all of it.',
    minSample: 5,
    counts: (batch) => {
      if (!isWithin(batch.leftAt, scope.window)) return 'merged outside the window';
      return judge(scope.trains.ofBatch(batch));
    },
    value: (batches) => median(batches.flatMap((batch) => minutesOfWaiting(scope.trains, batch) ?? [])),
  });

export const batchesPerTrain = ({ window }: TrainScope): Metric<Train> =>
  metric({
    key: 'batches_per_train',
    label: 'Batches per deployment',
    unit: 'count',
    digits: 1,
    better: 'neither',
    source: 'production deployments of batches',
    definition: 'How many batches of the queue a production deployment was the first to have, on average.',
    minSample: 5,
    counts: ({ deployedAt }) => isWithin(deployedAt, window) || 'deployed outside the window',
    value: (trains) => mean(trains.map(({ batches }) => batches.length)),
  });

/** Every figure of trains in a window. */
export function measureTrains(scope: TrainScope) {
  const { stays, batches } = scope.history;
  return {
    queueToProductionP50: queueToProduction(scope, 0.5)(stays),
    queueToProductionP90: queueToProduction(scope, 0.9)(stays),
    trainWaitP50: trainWait(scope)(batches),
    batchesPerTrain: batchesPerTrain(scope)(scope.trains.trains),
  } satisfies Record<string, Measurement>;
}
