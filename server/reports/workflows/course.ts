import { z } from 'zod';
import type { Domain } from '../../api/wire.ts';
import { type CourseWindow, courseDays, rollingSuccess } from '../../metrics/runs/course.ts';
import { tallyOutcomes } from '../../metrics/runs/triggers.ts';
import { latestAttempts, type MeasuredRun } from '../../metrics/runs/workflow-runs.ts';
import { instant } from '../kernel/instants.ts';

const outcomes = { passed: z.int(), failed: z.int(), cancelled: z.int(), other: z.int(), running: z.int() };

export const WorkflowCourse = z
  .object({
    outcomes: z.object(outcomes).meta({ description: 'What the runs came to, each by its latest attempt.' }),
    rolling: z
      .array(
        z.object({
          run_id: z.int(),
          run_number: z.int(),
          at: instant,
          success_rate: z.int().nullable().meta({
            description: 'Of this run and the six conclusive ones before it; null while there are fewer.',
          }),
        }),
      )
      .meta({ description: 'Runs that passed or failed, oldest first.' }),
    days: z
      .array(
        z.object({
          date: z.string(),
          covered: z.boolean().meta({ description: 'false where runs may be missing.' }),
          ...outcomes,
        }),
      )
      .meta({ description: 'Runs by day of creation in the zone, from the oldest run on, at most 90 days.' }),
    timezone: z.string(),
  })
  .meta({ id: 'WorkflowCourse' });

/** How the runs of a workflow went over time. */
export function computeCourse(attempts: readonly MeasuredRun[], window: CourseWindow): Domain<typeof WorkflowCourse> {
  return {
    outcomes: tallyOutcomes(latestAttempts(attempts)),
    rolling: rollingSuccess(attempts),
    days: courseDays(attempts, window),
    timezone: window.calendar.timezone,
  };
}
