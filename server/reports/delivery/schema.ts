import { z } from 'zod';
import { Coverage } from '../kernel/coverage.ts';
import { instant, provenance } from '../kernel/instants.ts';
import { verdict } from '../kernel/verdict.ts';

export const TierName = z
  .enum(['elite', 'high', 'medium', 'low'])
  .nullable()
  .meta({ description: 'DORA 2023 clusters, retired by DORA in 2025; null under a floor of samples.' });

export const Interval = z
  .object({ low: z.number(), high: z.number() })
  .nullable()
  .meta({ description: '95 %; null where it is unknown.' });

const Ms = z.int().nullable();
const label = z.string().meta({ description: 'The value as a short label.' });

const keys = {
  change_failure_rate: z.object({
    label,
    level: TierName,
    failures: z.int().nullable().meta({
      description: 'null where the author or the labels of any pull request could not be read.',
    }),
    rate: z.number().nullable().meta({ description: '0–100, one decimal.' }),
    rate_interval: Interval,
    total: z.int(),
  }),
  deployment_frequency: z.object({
    label,
    level: TierName,
    per_day: z.number().nullable().meta({ description: 'null where the time of any release could not be read.' }),
    period_days: z.int().meta({
      description: '90; fewer where the repository is younger, or a limit ended the reading.',
    }),
    total: z.int().nullable(),
  }),
  lead_time: z.object({
    label,
    level: TierName,
    median_ms: Ms,
    median_interval_ms: Interval,
    p95_ms: Ms,
    sample_size: z.int(),
    low_sample: z.boolean(),
  }),
  mttr: z.object({
    label,
    level: TierName,
    mean_ms: Ms,
    median_ms: Ms,
    recoveries: z.int(),
  }),
};

const cycle = z.object({
  avg_time_to_open_ms: Ms,
  avg_pickup_ms: Ms,
  avg_review_ms: Ms,
  avg_merge_ms: Ms,
  median_time_to_open_ms: Ms,
  median_pickup_ms: Ms,
  median_review_ms: Ms,
  median_merge_ms: Ms,
  sample_size: z.int(),
  samples: z.object({ time_to_open: z.int(), pickup: z.int(), review: z.int(), merge: z.int() }),
});

const ScatterItem = z.object({
  number: z.int(),
  title: z.string().nullable().meta({ description: 'null when GitHub did not report it.' }),
  author: z
    .string()
    .nullable()
    .meta({ description: '`ghost` for a deleted account; null where it could not be read.' }),
  is_bot: z.boolean().nullable(),
  hours_to_merge: z.number().nullable(),
  loc: z.int().meta({ description: 'Lines added and removed.' }),
  merged_at: instant,
  html_url: z.string(),
});

const weeks = z.array(z.object({ week_start: z.iso.date(), count: z.int(), partial: z.boolean() }));

const rules = z.array(z.enum(['rollback', 'revert_within_24h']));

const undecided = z.int().meta({
  description:
    'Further finished ones of which it is not known, because their commit, what a revert took back, or every pull request that was merged after them is not.',
});

const ofDeployments = {
  corroborated_failures: z
    .object({ failures: z.int(), total: z.int(), undecided, rate_pct: z.number().nullable(), label })
    .nullable()
    .meta({
      description:
        'Failed production deployments of 30 days, and successful ones that were rolled back or of which a change was ' +
        'reverted within 24 hours, of all finished ones. Incident issues are not read. The rate is null while any is undecided; null when ' +
        'deployments, or statuses of theirs, cannot be read.',
    }),
  rework_rate: z
    .object({ rework: z.int(), total: z.int(), undecided, rate_pct: z.number().nullable(), label })
    .nullable()
    .meta({
      description:
        'Production deployments of 30 days that roll back or come from a hotfix branch, of all finished ones. The rate ' +
        'is null while any is undecided.',
    }),
};

/** Delivery of a repository over 90 days; contract of the platform half, section 2.3. */
export const DeliveryReport = z
  .object({
    ...keys,
    overall_level: TierName,
    cycle_breakdown: cycle,
    pr_scatter: z.array(ScatterItem).meta({ description: 'The newest 200 merges into the default branch.' }),
    lead_time_by_week: z.array(z.object({ week_start: z.iso.date(), median_ms: Ms, sample: z.int() })).meta({
      description: 'The same weeks as below, by merge; the first one begins with the window.',
    }),
    lead_time_change: z
      .object({
        median_ms: z.number(),
        sample: z.int(),
        median_ms_before: z.number(),
        sample_before: z.int(),
        verdict,
      })
      .nullable()
      .meta({ description: 'Of 30 days and the previous 30; null with fewer than 5 merges in either.' }),
    merge_change: z.object({ merged: z.int(), merged_before: z.int(), verdict }).nullable().meta({
      description:
        'Merges into the default branch in 30 days and in the previous 30; null with fewer than 5 in either, or where not all are known.',
    }),
    release_change: z.object({ released: z.int(), released_before: z.int(), verdict }).nullable().meta({
      description: 'The same of published releases.',
    }),
    change_failure_rate_change: z
      .object({ rate: z.number(), total: z.int(), rate_before: z.number(), total_before: z.int(), verdict })
      .nullable()
      .meta({
        description:
          'Of 30 days and the previous 30, 0–100; null with fewer than 5 pull requests in either, or where not all are known.',
      }),
    mttr_change: z
      .object({
        median_ms: z.number(),
        recoveries: z.int(),
        median_ms_before: z.number(),
        recoveries_before: z.int(),
        verdict,
      })
      .nullable()
      .meta({ description: 'Of 30 days and the previous 30; null with fewer than 5 reverts and hotfixes in either.' }),
    throughput_by_week: weeks,
    releases_by_week: weeks.nullable().meta({ description: 'Published releases; null where not all are known.' }),
    fixes_by_week: weeks.nullable().meta({
      description: 'Merged reverts and hotfixes of people; null where not all are known.',
    }),
    last_7_days: z.object({ merged: z.int(), merged_before: z.int() }).nullable().meta({
      description: 'Merges into the default branch, and those of the previous 7 days; null when not all are known.',
    }),
    ...ofDeployments,
    basis: z.object({
      change_failure_rate: z.literal('revert_or_hotfix_prs'),
      deployment_frequency: z.enum(['releases', 'merged_prs']),
      lead_time: z.literal('first_commit_to_merge'),
      mttr: z.literal('fix_pr_cycle'),
      corroborated_failures: rules.meta({ description: 'The rules that fired.' }),
    }),
    fetched_prs: z.int().meta({ description: 'Pull requests closed or merged in the window that were read.' }),
    total_prs_attempted: z
      .int()
      .nullable()
      .meta({ description: 'Merged ones of all in the window; null where not all were read.' }),
    prs_analysed: z.int().meta({ description: 'Merged into the default branch, of those read.' }),
    releases_analysed: z.int().nullable().meta({ description: 'null where the time of any could not be read.' }),
    partial: z.boolean(),
    coverage: Coverage,
    timezone: z.string(),
    window_days: z.literal(90),
    ...provenance,
  })
  .meta({ id: 'DeliveryReport' });
