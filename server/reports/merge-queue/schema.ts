import { z } from 'zod';
import { reasonGroups } from '../../domain/queue-reasons.ts';
import { etaReasons } from '../../metrics/merge-queue/eta.ts';
import { Coverage } from '../kernel/coverage.ts';
import { instant, provenance } from '../kernel/instants.ts';

const minutes = z.number().nullable();
const limit = z.int().nullable();

const QueueFigure = z
  .object({
    value: z.number().nullable().meta({ description: 'null below the minimum sample of the figure.' }),
    sample: z.int(),
    low_sample: z.boolean().meta({ description: 'Fewer than 20: a quantile of 0.9 is unreliable.' }),
  })
  .meta({ id: 'QueueFigure' });

const QueueFigures = z
  .object({
    queue_time_p50: QueueFigure,
    queue_time_p90: QueueFigure,
    queue_total_p50: QueueFigure,
    queue_total_p90: QueueFigure,
    queue_gap_p50: QueueFigure,
    attempts_per_merge: QueueFigure,
    multiple_attempts_share: QueueFigure,
    ejection_rate: QueueFigure,
    innocent_rebuilds: QueueFigure,
    flaky_ejection_share: QueueFigure,
    batch_size_p50: QueueFigure,
    batch_size_max: QueueFigure,
    queue_ci_minutes_per_merge: QueueFigure,
    queue_wasted_minutes_per_merge: QueueFigure,
    queue_length: QueueFigure,
    throughput_per_hour: QueueFigure,
    checks_time_p50: QueueFigure,
    checks_time_p90: QueueFigure,
    bypass_share: QueueFigure,
    queue_to_production_p50: QueueFigure,
    queue_to_production_p90: QueueFigure,
    train_wait_p50: QueueFigure,
    batches_per_train: QueueFigure,
  })
  .meta({
    id: 'QueueFigures',
    description: 'As `GET /api/explain` defines them. Times in minutes, shares in percent.',
  });

const job = z
  .string()
  .nullable()
  .meta({ description: 'null: of the workflow as a whole, as its jobs are not stored.' });

const bucket = {
  arrivals: z.int(),
  merged: z.int(),
  ejected: z.int(),
  length_mean: z.number().nullable().meta({ description: 'Weighted by time.' }),
  length_max: limit,
};

const QueueRun = z
  .object({
    id: z.int(),
    attempt: z.int(),
    number: z.int(),
    workflow: z.string().nullable(),
    event: z.string(),
    head_branch: z.string().nullable(),
    head_sha: z.string(),
    started_at: instant.nullable(),
    html_url: z.string().nullable(),
  })
  .meta({ id: 'QueueRun' });

/** The merge queue of a branch; contract of the three answers, section 2.8. */
export const MergeQueueReport = z
  .object({
    supported: z.boolean().meta({ description: 'false where the host knows no merge queues.' }),
    used: z.boolean().meta({ description: 'Whether the branch has a queue, or had one that is known of.' }),
    kind: z.literal('platform').meta({ description: 'A queue of GitHub itself.' }),
    branch: z.string().nullable(),
    branches: z.array(z.string()).meta({ description: 'Branches with a queue, the busiest first.' }),
    url: z.string().nullable(),
    config: z
      .object({
        checks_timeout_minutes: limit,
        max_builds: limit,
        max_merge: limit,
        min_merge: limit,
        min_wait_minutes: limit,
        strategy: z.string().nullable(),
        method: z.string().nullable(),
      })
      .nullable(),
    now: z
      .object({
        length: z.int(),
        by_state: z.object({
          queued: z.int(),
          awaiting_checks: z.int(),
          mergeable: z.int(),
          unmergeable: z.int(),
          locked: z.int(),
        }),
        oldest_minutes: minutes,
        paused_hint: z.boolean().meta({
          description: 'Something waits, and nothing has left for longer than at any time of 28 days.',
        }),
        as_of: instant,
      })
      .nullable()
      .meta({ description: 'null where the queue could not be read.' }),
    entries: z
      .array(
        z.object({
          number: z.int(),
          html_url: z.string(),
          title: z.string().nullable(),
          position: z.int(),
          state: z.enum(['queued', 'awaiting_checks', 'mergeable', 'unmergeable', 'locked']),
          entered_at: instant,
          minutes: z.number().meta({ description: 'In the queue so far.' }),
          ahead: z.int(),
          eta: z
            .object({
              at: instant,
              low: instant,
              high: instant,
              chance_pct: z.number().meta({ description: 'Of entries that waited as long, how many merged.' }),
              chance_interval: z.object({ low: z.number(), high: z.number() }).meta({ description: '90 %.' }),
            })
            .nullable()
            .meta({ description: 'When it merges, if it merges in this stay, with a band of 80 %.' }),
          eta_reason: z
            .enum(etaReasons)
            .nullable()
            .meta({
              description:
                'Why there is no estimate. few_samples: fewer than 50 merged in 90 days. outside_experience: far more ' +
                'ahead than ever. outwaited: it waits longer than any before. stalled: nothing left for longer than in 28 days. unreliable: fewer than 65 % of the ' +
                'last estimates were right. settings_changed: fewer than 20 merged since the configuration changed.',
            }),
          platform_eta: instant
            .nullable()
            .meta({ description: 'When GitHub expects the merge: a point without a band.' }),
          checks: z.object({
            run: QueueRun.nullable(),
            failed_so_far: z.int(),
          }),
        }),
      )
      .meta({ description: 'In the queue now, in the order of the queue, at most 100.' }),
    figures: QueueFigures.nullable().meta({ description: 'Of stays that ended in the window; null without a queue.' }),
    previous: QueueFigures.nullable().meta({ description: 'Of the window before; null where it is not stored.' }),
    reasons: z.array(
      z.object({
        group: z.enum(reasonGroups),
        label: z.string(),
        count: z.int(),
        share_pct: z.number().nullable(),
      }),
    ),
    batch_sizes: z.array(z.object({ size: z.int(), batches: z.int() })),
    hours: z.array(z.object({ hour: instant, ...bucket })).meta({ description: 'With `days=7`, in UTC; else empty.' }),
    days: z
      .array(z.object({ day: z.string(), ...bucket }))
      .meta({ description: 'With `days=30` and `days=90`, in the zone of the team; else empty.' }),
    slowest_checks: z.array(
      z.object({
        workflow: z.string(),
        job,
        minutes_p50: minutes,
        minutes_p90: minutes,
        last_to_finish_pct: z.number().nullable().meta({ description: 'Of the builds, in how many it ended last.' }),
      }),
    ),
    top_failing_checks: z.array(
      z.object({
        workflow: z.string(),
        job,
        ejections: z.int(),
        then_passed: z.int().meta({ description: 'Merged later with the same head.' }),
      }),
    ),
    estimates: z.object({
      judged: z.int().meta({ description: 'The newest estimates that were given on entry, at most 300.' }),
      covered_pct: z.number().nullable().meta({ description: 'How many of these were right; 80 are intended.' }),
    }),
    window_days: z.int(),
    runs_stored: z
      .boolean()
      .meta({ description: 'Whether runs for merge groups are stored; figures of checks need them.' }),
    pull_requests_unread: z
      .int()
      .meta({ description: 'Of the window, those that were read before queues were, and are in no figure.' }),
    coverage: Coverage,
    ...provenance,
  })
  .meta({ id: 'MergeQueueReport' });
