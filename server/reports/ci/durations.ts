import { z } from 'zod';
import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { instant, provenance } from '../kernel/instants.ts';
import { type Comparison, comparisons, findComparison, type Range } from '../kernel/period.ts';
import { findMissing, isComparable } from '../kernel/stored-coverage.ts';
import { sampleCi } from './demo.ts';
import { readScope } from './reading.ts';
import { readDaysBefore, toDays } from './report.ts';
import { daysBefore, durationDays } from './schema.ts';

/** How long the runs of one workflow took, day by day, from stored runs. */
export const WorkflowDurations = z
  .object({
    range: z.string(),
    window: z.object({ from: instant, to: instant }),
    compare: z.enum(comparisons),
    days: durationDays,
    days_before: daysBefore,
    sample: z.int().meta({ description: 'Runs that passed or failed.' }),
    partial: z.boolean().meta({ description: 'Not every run of the window is stored.' }),
    timezone: z.string(),
    ...provenance,
  })
  .meta({ id: 'WorkflowDurations' });

interface DurationsInput {
  owner: string;
  repo: string;
  workflow_id: number;
  range: Range;
  compare: Comparison;
}

/** Median and p90 of each day of the range; nothing of the platform but the proof that the repository may be seen. */
export async function workflowDurations(
  { owner, repo, workflow_id: workflowId, range, compare }: DurationsInput,
  context: Context,
): Promise<Domain<typeof WorkflowDurations>> {
  const scope = await readScope({ repo: `${owner}/${repo}` }, range, context, (items) => sampleCi(items, context));
  const { source, repositories, calendar, window } = scope;
  const repoIds = [...repositories.keys()];
  const [tallies, stored, syncedThrough] = await Promise.all([
    source.days(repoIds, window, calendar.timezone, workflowId),
    source.storedWindows(repoIds),
    source.syncedThrough(repoIds),
  ]);
  const now = context.services.clock.now();
  const compared = findComparison(compare, window, calendar);
  const hasComparison = compared !== null && isComparable(stored, [window, compared], now);
  return {
    range,
    compare,
    window,
    daysBefore: hasComparison ? await readDaysBefore(scope, compared, { stored }, workflowId) : null,
    days: toDays(tallies, scope, stored),
    sample: tallies.reduce((sum, { timed }) => sum + timed, 0),
    partial: findMissing('runs', { stored, repoIds, now }, window).length > 0,
    timezone: calendar.timezone,
    generatedAt: syncedThrough ?? window.to,
    dataSource: 'database',
  };
}
