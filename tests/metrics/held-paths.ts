import type { WorkflowJob } from '../../server/metrics/kernel/facts.ts';
import { criticalShare, criticalTime, runPaths } from '../../server/metrics/runs/critical-path.ts';
import type { MeasuredRun } from '../../server/metrics/runs/workflow-runs.ts';
import { type HeldMetrics, held } from './held-metrics.ts';
import { latest } from './naive.ts';
import { naiveCriticalPath } from './naive-jobs.ts';
import { aJob, minute, randomOf, type World } from './worlds.ts';

/** The metrics of one job on the critical path. */
export function heldPaths({ attempts }: World): HeldMetrics {
  const known = latest(attempts).map((run) => ({ run, jobs: jobsOf(run) }));
  const { runs, jobs } = naiveCriticalPath(known);
  const test = jobs.get('test');
  return {
    criticalShare: [held(criticalShare('test'), runPaths(known), test?.sharePct ?? (runs === 0 ? null : 0))],
    criticalTime: [held(criticalTime('test'), runPaths(known), test?.medianMs ?? null)],
  };
}

/** Up to four jobs that begin and end at whole minutes; some took no time. */
function jobsOf(run: MeasuredRun): WorkflowJob[] {
  const random = randomOf(run.id * 13 + run.attempt);
  const start = run.startedAt ?? run.createdAt;
  return Array.from({ length: Math.floor(random() * 5) }, (_, index) => {
    const startedAt = start + Math.floor(random() * 4) * minute;
    return aJob({
      id: run.id * 100 + index,
      runId: run.id,
      attempt: run.attempt,
      name: ['build', 'test', 'test', 'ship'][Math.floor(random() * 4)] ?? 'build',
      startedAt,
      completedAt: startedAt + Math.floor(random() * 4) * minute,
    });
  });
}
