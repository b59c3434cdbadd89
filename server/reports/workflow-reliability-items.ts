import type { z } from 'zod';
import type { Anomaly } from '../metrics/anomalies.ts';
import { type RedPeriod, recoveryTimeOf } from '../metrics/ci-recovery.ts';
import type { CommitOutcome } from '../metrics/flaky.ts';
import type { LevelShift } from '../metrics/level-shifts.ts';
import { lostTimeOf } from '../metrics/reruns.ts';
import type { MeasuredRun } from '../metrics/workflow-runs.ts';
import { iso, isoOrNull } from './instants.ts';
import type { WorkflowReliabilityReport } from './workflow-reliability-schema.ts';

type Answer = z.input<typeof WorkflowReliabilityReport>;

export const runRef = ({ id, runNumber, attempt, htmlUrl }: MeasuredRun) => ({
  ...{ id, number: runNumber, attempt, url: htmlUrl },
});

export const recoveryItem = (period: RedPeriod): Answer['recoveries'][number] => ({
  failed: runRef(period.failed),
  failed_at: iso(period.failedAt),
  failures: period.failures,
  recovered: period.recovered && runRef(period.recovered),
  recovered_at: isoOrNull(period.recoveredAt),
  duration_ms: recoveryTimeOf(period)[0] ?? null,
  may_be_longer: period.isCut,
});

/** The flaky ones among the commits, newest first. */
export function flakyCommitItems(commits: readonly CommitOutcome[]): Answer['flaky_commits'] {
  return commits
    .flatMap((commit) => {
      const { attempts, failedThenPassed, headSha, flaky } = commit;
      const [first, last] = [attempts[0], attempts.at(-1)];
      if (!flaky || !first || !last) return [];
      return [
        {
          ...{ head_sha: headSha, head_branch: last.headBranch, failed_attempts: failedThenPassed.length },
          lost_ms: lostTimeOf(commit),
          run: runRef(last),
          at: iso(first.startedAt ?? first.createdAt),
        },
      ];
    })
    .sort((a, b) => Number(a.at < b.at) - Number(a.at > b.at));
}

export const anomalyItem = (one: Anomaly<MeasuredRun>): Answer['anomalies'][number] => ({
  run: runRef(one.run),
  at: iso(one.run.createdAt),
  ...{ metric: one.metric, direction: one.direction, severity: one.severity, score: one.score },
  value_ms: one.valueMs,
  expected_ms: one.baseline.medianMs,
  limit_ms: one.direction === 'high' ? one.baseline.highMs : one.baseline.lowMs,
  sample: one.baseline.sample,
  event: one.run.event,
  head_branch: one.run.headBranch,
});

export const shiftItem = (one: LevelShift<MeasuredRun>): Answer['level_shifts'][number] => ({
  since: runRef(one.since),
  at: iso(one.since.createdAt),
  ...{ metric: one.metric, direction: one.direction, series: one.series, from_ms: one.fromMs, to_ms: one.toMs },
  change_pct: one.changePercent,
  change_low_pct: one.changeInterval?.low ?? null,
  change_high_pct: one.changeInterval?.high ?? null,
  runs_before: one.before.length,
  runs_after: one.after.length,
});
