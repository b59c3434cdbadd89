import { z } from 'zod';
import type { Domain } from '../../api/wire.ts';
import type { Instant, LiveWorkflowRun, WorkflowRun } from '../../metrics/kernel/facts.ts';
import type { Calendar } from '../../metrics/people/workday-hours.ts';
import { computeRunHealth, recentSuccessRate } from '../../metrics/runs/health.ts';
import { runTrend } from '../../metrics/runs/trend.ts';
import { newestFirst, recentRuns } from '../../metrics/runs/workflow-runs.ts';
import { instant } from '../kernel/instants.ts';

const conclusion = z.string().nullable();

export const RunSummary = z.object({
  latest_run_at: instant.nullable(),
  latest_status: z.string().nullable(),
  latest_conclusion: conclusion,
  latest_actor: z.string().nullable(),
  latest_message: z.string().nullable().meta({ description: 'First line of the commit message or title of the run.' }),
  latest_sha: z.string().nullable().meta({ description: 'First seven characters.' }),
  recent_runs: z
    .array(z.object({ id: z.int(), status: z.string().nullable(), conclusion, created_at: instant }))
    .meta({ description: 'At most ten, newest first, whatever their state.' }),
  trend_30d: z
    .array(z.object({ date: z.iso.date(), success: z.int(), total: z.int(), covered: z.boolean() }))
    .meta({ description: 'Thirty days, oldest first; a day that is not covered was not read and is no quiet day.' }),
  success_rate: z.int().nullable().meta({
    description:
      'Percent of the last ten runs that passed or failed on the default branch; on all branches where it has fewer than three. `health` is over the same runs.',
  }),
  success_rate_sample: z.int(),
  health: z.object({
    label: z.enum(['good', 'fair', 'poor', 'unknown']),
    score: z.int().nullable(),
    sample: z.int(),
  }),
  timezone: z.string(),
});

export interface SummaryWindow {
  now: Instant;
  calendar: Calendar;
  defaultBranch: string | null;
  /** true when every run of the last 30 days was read. */
  complete: boolean;
}

/** A run as the platform returns it, or as it was stored without its texts. */
type SummarizedRun = WorkflowRun & Partial<Pick<LiveWorkflowRun, 'headCommit'>>;

/**
 * What a set of runs comes to: its newest run, its recent history, its rate and its health. The latter two look at
 * `judged`, which may reach back further than the history does.
 */
export function summarize(
  runs: readonly SummarizedRun[],
  window: SummaryWindow,
  judged: readonly WorkflowRun[] = runs,
): Domain<typeof RunSummary> {
  const latest = newestFirst(runs)[0];
  const rate = recentSuccessRate(window.defaultBranch)(judged);
  return {
    latestRunAt: latest?.createdAt ?? null,
    latestStatus: latest?.status ?? null,
    latestConclusion: latest?.conclusion ?? null,
    latestActor: latest?.actor?.login ?? null,
    latestMessage: latest?.headCommit?.message ?? latest?.displayTitle ?? null,
    latestSha: latest?.headSha.slice(0, 7) ?? null,
    recentRuns: recentRuns(runs),
    trend30d: runTrend(runs, window),
    successRate: rate.value,
    successRateSample: rate.sample,
    health: computeRunHealth(judged, window.defaultBranch),
    timezone: window.calendar.timezone,
  };
}
