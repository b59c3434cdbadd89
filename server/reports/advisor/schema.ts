import { z } from 'zod';
import { dismissalReasons } from '../../advisor/dismissal.ts';
import { certainties } from '../../advisor/kind.ts';
import { reasonTexts } from '../../advisor/reasons.ts';
import { ShortVerdict } from '../advisor-results/schema.ts';
import { instant, provenance } from '../kernel/instants.ts';
import { Effect } from './effect.ts';
import { PlanTotal } from './plan-schema.ts';

const reasonCodes = Object.keys(reasonTexts) as [keyof typeof reasonTexts, ...(keyof typeof reasonTexts)[]];

const Reason = z.object({ code: z.enum(reasonCodes), text: z.string() });

export const Dismissal = z
  .object({
    reason: z.enum(dismissalReasons),
    note: z.string().nullable(),
    until: z.iso.date().nullable().meta({ description: 'The last day of it, in UTC; null without an end.' }),
    by: z.string().meta({ description: 'Login of whoever dismissed it.' }),
    at: instant,
  })
  .meta({ id: 'AdvisorDismissal' });

const Recommendation = z
  .object({
    id: z.string().meta({ description: '16 hexadecimal digits; the same while the file changes elsewhere.' }),
    kind: z.string().meta({ description: 'Such as ADV-01.' }),
    title: z.string(),
    certainty: z.enum(certainties).meta({
      description:
        'recorded: its effect is arithmetic on recorded times. modelled: it needs a model of queues. compared: it needs two groups of runs. risk: about security, which saves nothing.',
    }),
    workflow_path: z.string(),
    workflow_name: z.string(),
    workflow_id: z.int().nullable().meta({ description: 'null where GitHub does not list the workflow.' }),
    anchor: z.string().meta({ description: 'The node of the file, such as jobs.test.strategy.' }),
    line: z.int(),
    html_url: z.string().nullable().meta({ description: 'The line on GitHub; null where the repository has no page.' }),
    blob: z.string().meta({ description: 'Id of the content that was looked at.' }),
    finding: z.object({
      text: z.string(),
      sample: z.int().meta({ description: 'Runs or jobs looked at; 0 without history.' }),
      facts: z.array(z.object({ label: z.string(), value: z.string(), unit: z.string().nullable() })),
    }),
    effect: Effect,
    lost_runs: z
      .int()
      .meta({ description: 'Recorded runs that would be missing, without another one of the same commit.' }),
    unmapped_jobs_pct: z
      .number()
      .nullable()
      .meta({ description: 'Of the recorded jobs of the workflow those that fit no job of the file, or several.' }),
    risks: z.array(z.object({ text: z.string(), count: z.int(), of: z.int() })),
    state: z.enum(['open', 'not_offered', 'dismissed', 'in_pull_request', 'merged']).meta({
      description:
        'One whose pull request was closed without a merge is open, as is one that is found in a file read after the merge.',
    }),
    pull_request: z
      .object({
        number: z.int(),
        html_url: z.string(),
        state: z.enum(['open', 'closed', 'merged']).meta({ description: 'As of the last night.' }),
        opened_at: instant,
        merged_at: instant.nullable(),
      })
      .nullable()
      .meta({ description: 'The newest that was opened from here.' }),
    verdict: ShortVerdict.nullable().meta({
      description:
        'What came of the change when it was merged last; null where it was not, or nothing is known of it yet.',
    }),
    dismissal: Dismissal.nullable().meta({ description: 'null where it is not dismissed, or no longer.' }),
    reasons: z.array(Reason).meta({ description: 'Why it is not offered; empty where it is.' }),
  })
  .meta({ id: 'Recommendation' });

/** What could be changed in the workflow files of a repository; contract of the advisor, section 6.2. */
export const Recommendations = z
  .object({
    repository: z.object({
      owner: z.string(),
      repo: z.string(),
      default_branch: z.string().nullable(),
      visibility: z.enum(['public', 'private', 'internal']),
    }),
    files: z.int().meta({ description: 'Workflow files that were looked at.' }),
    archived: z.boolean().meta({ description: 'true for an archived repository: no file of it can be changed.' }),
    skipped_files: z
      .array(z.object({ path: z.string(), reason: z.enum(['binary', 'too large', 'a link', 'no answer', 'invalid']) }))
      .meta({ description: 'Workflow files in which nothing was looked for.' }),
    period_shortened: z
      .boolean()
      .meta({ description: 'Whether fewer days than requested are looked at, as they have more than 100,000 jobs.' }),
    period_days: z
      .int()
      .meta({ description: 'Days of history looked at: fewer than requested where they have more than 100,000 jobs.' }),
    window: z
      .object({
        from: instant,
        to: instant.meta({ description: 'End of yesterday, UTC.' }),
        covered_days: z.int(),
        attempts: z.int().meta({ description: 'Run attempts that are counted.' }),
        left_out_days: z.array(instant).meta({ description: 'Days whose jobs are not all stored.' }),
      })
      .nullable()
      .meta({ description: 'The days that findings count; null with fewer than 28 covered days.' }),
    history: z.object({
      state: z.enum(['ready', 'reading', 'absent']).meta({
        description: 'reading: jobs of some days are stored, but of fewer than 28 up to yesterday.',
      }),
      covered_days: z.int(),
      attempts_known: z.int().meta({ description: 'Completed run attempts of which all jobs are stored.' }),
      attempts_expected: z.int(),
    }),
    calibration: z
      .object({
        state: z.enum(['ok', 'failed', 'none']).meta({
          description: 'failed: no effect is predicted. none: no window to compare.',
        }),
        minutes_recorded: z.int().nullable().meta({ description: 'As summed when the jobs were stored.' }),
        minutes_replayed: z.int().nullable().meta({ description: 'As the stored jobs add up to.' }),
        queue_model: z.literal('recorded').nullable().meta({ description: 'recorded: waits are taken as they were.' }),
        failures: z
          .array(z.object({ run_id: z.int(), attempt: z.int(), recorded: z.int(), replayed: z.int() }))
          .meta({ description: 'The first 20 run attempts that differ.' }),
      })
      .meta({ description: 'Whether the unchanged replay gives the recorded minutes.' }),
    recommendations: z.array(Recommendation).meta({
      description:
        'Those that save most first, by cost where it is shown; then by certainty. Security last. Dismissed ones with `state=all` alone.',
    }),
    not_offered: z.array(Recommendation),
    total: PlanTotal.nullable().meta({
      description:
        'What those that are open save together, whatever is filtered; null where none is certain to save anything.',
    }),
    dismissed: z.int().meta({ description: 'How many are dismissed, also where they are not listed.' }),
    cost_hidden: z.boolean().meta({ description: 'true without the feature costAnalytics: costs are null.' }),
    hidden_kinds: z.array(z.string()).meta({
      description: 'Kinds not shown because the feature securityScan is not granted.',
    }),
    partial: z.boolean().meta({ description: 'true when files were excluded by GitHub, or could not be read.' }),
    ...provenance,
  })
  .meta({ id: 'Recommendations' });

export const EvidenceRun = z
  .object({
    run_id: z.int(),
    run_number: z.int(),
    attempt: z.int(),
    html_url: z.string(),
    arrived_at: instant,
    event: z.string(),
    conclusion: z.string().nullable(),
    minutes_before: z.int().nullable().meta({ description: 'Billable minutes; null where its jobs are not stored.' }),
    minutes_after: z.int().nullable().meta({ description: 'The same with the change; null without a prediction.' }),
    why: z.string(),
  })
  .meta({ id: 'AdvisorEvidenceRun' });

/** One recommendation with the runs that it rests on. */
export const RecommendationDetail = z
  .object({
    recommendation: Recommendation,
    diff: z.string().nullable().meta({
      description: 'The change as a unified diff; null where none is recommended, or it was not made.',
    }),
    refused: z.string().nullable().meta({ description: 'Why the change was not made; null where it was.' }),
    definition: z.string(),
    method: z.string().meta({ description: 'How the effect is computed.' }),
    days: z
      .array(z.object({ day: instant, before: z.int(), after: z.int() }))
      .meta({ description: 'Billable minutes of the workflow by UTC day, as recorded and with the change.' }),
    cost_hidden: z.boolean(),
    evidence: z.object({
      runs: z.array(EvidenceRun).meta({ description: 'The newest 1,000.' }),
      truncated: z.boolean(),
    }),
    ...provenance,
  })
  .meta({ id: 'RecommendationDetail' });

/** What became of a dismissal: null where it was taken back. */
export const DismissalChange = z.object({
  ok: z.literal(true),
  dismissal: Dismissal.extend({ id: z.string() }).nullable(),
});
