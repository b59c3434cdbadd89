import type { Metric } from '../../metrics/kernel/metric.ts';
import { ciRecovery, findRedPeriods, getRecoveryTimes, type RedPeriod } from '../../metrics/runs/ci-recovery.ts';
import { type CommitOutcome, flakyRate } from '../../metrics/runs/flaky.ts';
import { delayedRuns, wastedQueue } from '../../metrics/runs/queue-delays.ts';
import { getQueueWait } from '../../metrics/runs/queue-wait.ts';
import { computeLostTime, flakyCost, rerunRate } from '../../metrics/runs/reruns.ts';
import type { MeasuredRun } from '../../metrics/runs/workflow-runs.ts';
import { type Explanation, explainMetric } from '../kernel/evidence.ts';
import { runItem } from '../workflows/health.ts';
import { type ReliabilityReading, readReliability } from './reading.ts';

function explainReliability<Fact>(
  metric: Metric<Fact>,
  getFacts: (reading: ReliabilityReading) => readonly Fact[],
  item: Parameters<typeof explainMetric<Fact>>[2]['item'],
): Explanation {
  return {
    key: metric.key,
    feature: 'reliabilityTab',
    needs: ['owner', 'repo', 'workflow_id'],
    async explain(input, context, reply) {
      const { owner = '', repo = '', workflow_id = 0, per_page = 50 } = input;
      const reading = await readReliability({ owner, repo, workflow_id, per_page }, context, reply);
      const { asOf, source } = reading;
      const partial = reading.earlier.unknown > 0;
      return explainMetric(metric, getFacts(reading), { window: null, partial, asOf, source, item });
    },
  };
}

const periodItem = (period: RedPeriod) => ({
  label: `Failed with run ${period.failed.runNumber}`,
  url: period.failed.htmlUrl,
  at: period.failedAt,
  value: getRecoveryTimes(period)[0] ?? null,
  note: period.recovered ? `passed again with run ${period.recovered.runNumber}` : 'not passed again',
});

const commitItem = (measured: (commit: CommitOutcome) => number | null) => (commit: CommitOutcome) => {
  const [first, last] = [commit.attempts[0], commit.attempts.at(-1)];
  return {
    label: `Commit ${commit.headSha.slice(0, 7)}`,
    url: last?.htmlUrl ?? null,
    at: first ? (first.startedAt ?? first.createdAt) : null,
    value: measured(commit),
    note: commit.flaky ? 'failed, then passed' : null,
  };
};

const waitItem = runItem((run: MeasuredRun) => getQueueWait(run).ms);

/** What each headline number of a workflow's reliability is made of. */
export const reliabilityExplanations: readonly Explanation[] = [
  explainReliability(ciRecovery, ({ onDefault, isComplete }) => findRedPeriods(onDefault, isComplete), periodItem),
  explainReliability(
    flakyRate,
    ({ commits }) => commits,
    commitItem(() => null),
  ),
  explainReliability(flakyCost, ({ commits }) => commits, commitItem(computeLostTime)),
  explainReliability(
    rerunRate,
    ({ runs }) => runs,
    runItem(() => null),
  ),
  explainReliability(delayedRuns, ({ runs }) => runs, waitItem),
  explainReliability(wastedQueue, ({ runs }) => runs, waitItem),
];
