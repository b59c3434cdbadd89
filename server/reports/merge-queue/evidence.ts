import type { Context, Reply } from '../../access/context.ts';
import { reasonLabels } from '../../domain/queue-reasons.ts';
import type { Metric } from '../../metrics/kernel/metric.ts';
import { lastDaysWindow } from '../../metrics/kernel/window.ts';
import {
  attemptsPerMerge,
  minutesBetween,
  minutesToMerge,
  multipleAttemptsShare,
  queueGap,
  queueTotal,
} from '../../metrics/merge-queue/attempts.ts';
import type { Batch } from '../../metrics/merge-queue/batches.ts';
import { queueLength, type Waiting } from '../../metrics/merge-queue/buckets.ts';
import {
  type CheckRun,
  checksTime,
  ciMinutesPerMerge,
  innocentRebuilds,
  listCheckRuns,
  minutesOfChecks,
  minutesOfRun,
} from '../../metrics/merge-queue/checks.ts';
import { minutesInQueue, type QueuedPullRequest } from '../../metrics/merge-queue/entries.ts';
import {
  batchSize,
  bypassShare,
  ejectionRate,
  flakyEjectionShare,
  type QueueScope,
  queueTime,
  throughput,
} from '../../metrics/merge-queue/figures.ts';
import type { QueueHistory, Stay } from '../../metrics/merge-queue/history.ts';
import {
  batchesPerTrain,
  minutesOfWaiting,
  minutesToProduction,
  queueToProduction,
  type Train,
  type TrainScope,
  trainWait,
} from '../../metrics/merge-queue/trains.ts';
import { type ExplainInput, type Explanation, explainMetric } from '../kernel/evidence.ts';
import { repositoryFacts } from '../repositories/facts.ts';
import { listWaiting, toLengthSource } from './present-length.ts';
import { countUnread, toQueueCoverage } from './report.ts';
import { type QueueReading, readQueueOf } from './source.ts';

/** How a figure of the queue opens: over which facts it is measured, and how one of them is shown. */
interface Figure<Fact> {
  key: string;
  metric(scope: TrainScope, reading: QueueReading): Metric<Fact>;
  facts(history: QueueHistory, reading: QueueReading): readonly Fact[];
  item(fact: Fact, reading: QueueReading): Item;
}

type Item = ReturnType<Parameters<typeof explainMetric>[2]['item']>;

const explainFigure = <Fact>({ key, metric, facts, item }: Figure<Fact>): Explanation => ({
  key,
  feature: 'mergeQueue',
  needs: ['owner', 'repo'],
  anyDays: true,
  async explain({ owner = '', repo = '', branch, days = 30 }: ExplainInput, context: Context, reply: Reply) {
    const reading = await readQueueOf(
      await repositoryFacts({ owner, repo }, context, reply),
      { branch, jobsOf: null },
      context,
    );
    const { history, runsFrom, trains, set } = reading;
    const window = lastDaysWindow(days, set.asOf);
    return explainMetric(metric({ history, window, runsFrom, trains }, reading), facts(history, reading), {
      window,
      partial: !toQueueCoverage(reading, countUnread(reading, window) > 0).complete,
      asOf: set.asOf,
      source: set.source,
      item: (fact) => item(fact, reading),
    });
  },
});

const stayFigure = (
  key: string,
  metric: (scope: QueueScope) => Metric<Stay>,
  value: (stay: Stay) => number | null = () => null,
): Explanation =>
  explainFigure({
    key,
    metric,
    facts: ({ stays }) => stays,
    item: (stay) => stayItem(stay, value(stay)),
  });

const stayItem = (stay: Waiting, value: number | null): Item => ({
  label: `#${stay.number}`,
  url: stay.htmlUrl,
  at: stay.leftAt ?? stay.enteredAt,
  value,
  note: describeEnd(stay),
});

/** A reason that is new is shown in the platform's words. */
function describeEnd({ group, reason, isInferred }: Waiting): string {
  if (group === null) return 'In queue';
  const label = group === 'unknown' && reason !== null ? `${reasonLabels.unknown}: ${reason}` : reasonLabels[group];
  return isInferred ? `${label}, inferred from the pull request` : label;
}

const runItem = (run: CheckRun): Item => ({
  label: run.workflowName ?? 'Unnamed workflow',
  url: run.htmlUrl,
  at: run.completedAt ?? run.createdAt,
  value: minutesOfRun(run),
  note: run.headBranch,
});

const batchItem = ({ entries, leftAt, basis }: Batch): Item => ({
  label: entries.map(({ number }) => `#${number}`).join(', '),
  url: entries[0]?.htmlUrl ?? null,
  at: leftAt,
  value: entries.length,
  note: basis === 'time' ? 'by time alone' : null,
});

const mergeItem = ({ number, htmlUrl, mergedAt }: QueuedPullRequest): Item => ({
  label: `#${number}`,
  url: htmlUrl,
  at: mergedAt,
  value: null,
  note: null,
});

const trainItem = ({ deployment, deployedAt, batches, basis }: Train): Item => ({
  label: deployment.sha.slice(0, 7),
  url: deployment.url,
  at: deployedAt,
  value: batches.length,
  note: basis === 'time' ? 'by time alone' : null,
});

/** The figures of a merge queue. */
export const mergeQueueExplanations: readonly Explanation[] = [
  ...([0.5, 0.9] as const).flatMap((q) => [
    stayFigure(`queue_time_p${100 * q}`, (scope) => queueTime(scope, q), minutesInQueue),
    stayFigure(`queue_total_p${100 * q}`, (scope) => queueTotal(scope, q), minutesToMerge),
    stayFigure(`checks_time_p${100 * q}`, (scope) => checksTime(scope, q), minutesOfChecks),
  ]),
  stayFigure('attempts_per_merge', attemptsPerMerge, ({ attempts }) => attempts.length),
  stayFigure('multiple_attempts_share', multipleAttemptsShare),
  stayFigure('queue_gap_p50', queueGap, minutesBetween),
  explainFigure({
    key: 'queue_length',
    metric: (scope, reading) => queueLength(scope, toLengthSource(reading)),
    facts: (_, reading) => listWaiting(reading),
    item: (stay) => stayItem(stay, null),
  }),
  stayFigure('ejection_rate', ejectionRate),
  stayFigure('innocent_rebuilds', innocentRebuilds, ({ builds }) => builds.length - 1),
  stayFigure('flaky_ejection_share', flakyEjectionShare),
  stayFigure('throughput_per_hour', throughput),
  ...(['p50', 'max'] as const).map((kind) =>
    explainFigure({
      key: `batch_size_${kind}`,
      metric: (scope) => batchSize(scope, kind),
      facts: ({ batches }) => batches,
      item: batchItem,
    }),
  ),
  ...(['all', 'wasted'] as const).map((part) =>
    explainFigure({
      key: part === 'all' ? 'queue_ci_minutes_per_merge' : 'queue_wasted_minutes_per_merge',
      metric: (scope) => ciMinutesPerMerge(scope, part),
      facts: listCheckRuns,
      item: runItem,
    }),
  ),
  explainFigure({ key: 'bypass_share', metric: bypassShare, facts: ({ merged }) => merged, item: mergeItem }),
  ...([0.5, 0.9] as const).map((q) =>
    explainFigure({
      key: `queue_to_production_p${100 * q}`,
      metric: (scope) => queueToProduction(scope, q),
      facts: ({ stays }) => stays,
      item: (stay, { trains }) => stayItem(stay, minutesToProduction(trains, stay)),
    }),
  ),
  explainFigure({
    key: 'train_wait_p50',
    metric: trainWait,
    facts: ({ batches }) => batches,
    item: (batch, { trains }) => ({ ...batchItem(batch), value: minutesOfWaiting(trains, batch) }),
  }),
  explainFigure({
    key: 'batches_per_train',
    metric: batchesPerTrain,
    facts: (_, { trains: { trains } }) => trains,
    item: trainItem,
  }),
];
