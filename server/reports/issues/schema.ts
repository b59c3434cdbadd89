import { z } from 'zod';
import { Coverage } from '../kernel/coverage.ts';
import { provenance } from '../kernel/instants.ts';
import { verdict } from '../kernel/verdict.ts';

const IssueReference = z
  .object({
    number: z.int(),
    title: z.string().nullable().meta({ description: 'null where GitHub could not be reached.' }),
    age_days: z.number(),
    comments: z.int().nullable().meta({ description: 'null where they could not be read.' }),
    html_url: z.string(),
  })
  .meta({ id: 'IssueReference' });

const days = z.number().nullable();

/** An issue that is closed as a duplicate is not worked on either. */
export const notPlannedReasons = ['not_planned', 'duplicate'] as const;

/** How the backlog of a repository's tracker moves; contract of the platform half, section 2.25. */
export const IssuesReport = z
  .object({
    repo: z.string().meta({ description: 'owner/name' }),
    period_days: z.int(),
    open_count: z.int(),
    opened_in_period: z.int().meta({ description: 'Created in the period, whatever became of them.' }),
    closed_in_period: z.int().meta({ description: 'Closed in the period, and closed still.' }),
    backlog_delta: z.int().meta({ description: 'Opened less closed.' }),
    closed_not_planned: z.int().nullable().meta({
      description:
        'Of those closed in the period, for `closed_not_planned_reasons`; null where the reason of one could not be read.',
    }),
    closed_not_planned_reasons: z
      .array(z.enum(notPlannedReasons))
      .meta({ description: 'GitHub close reasons that count as not planned.' }),
    closed_by_bot: z.int().nullable().meta({
      description: 'Of those closed in the period; null where it could not be read who closed one of them.',
    }),
    reopened_in_period: z
      .int()
      .nullable()
      .meta({ description: 'null: GitHub reports only the current state of issues.' }),
    median_days_to_close: days,
    p90_days_to_close: days,
    days_to_close_sample: z.int().meta({ description: 'Closed issues behind the two.' }),
    period_before: z
      .object({
        opened_in_period: z.int(),
        closed_in_period: z.int(),
        backlog_delta: z.int(),
        median_days_to_close: days,
        p90_days_to_close: days,
        days_to_close_sample: z.int(),
        median_verdict: verdict,
        p90_verdict: verdict,
      })
      .nullable()
      .meta({
        description: 'The previous period, equally long; null when it is not known completely, as beyond a quarter.',
      }),
    stale_count: z.int().meta({ description: 'Open, without an update for 30 days.' }),
    unlabelled_count: z
      .int()
      .nullable()
      .meta({ description: 'null where the labels of an open one could not be read.' }),
    unassigned_count: z
      .int()
      .nullable()
      .meta({ description: 'null where the assignees of an open one could not be read.' }),
    unanswered_count: z.int().nullable().meta({
      description: 'Open for two weeks without a comment; null where the comments of such an issue could not be read.',
    }),
    age_buckets: z.array(z.object({ label: z.string(), count: z.int() })).meta({ description: 'Open ones by age.' }),
    top_labels: z
      .array(z.object({ label: z.string(), color: z.string(), count: z.int() }))
      .nullable()
      .meta({ description: 'Of open ones, at most 8; null where the labels of one could not be read.' }),
    assignee_load: z
      .array(z.object({ login: z.string(), open: z.int() }))
      .nullable()
      .meta({
        description:
          'At most 6 people, an issue of two people counted for both; null where the assignees of one could not be read.',
      }),
    neglected: z.array(IssueReference).meta({ description: 'Unanswered ones, oldest first, at most 8.' }),
    oldest_open: IssueReference.nullable(),
    total_analysed: z.int().meta({ description: 'Issues that were read: open ones and those closed in the period.' }),
    exact: z.array(z.string()).meta({
      description: 'Names of the fields that are exact; the others are computed from the issues that were read.',
    }),
    partial: z.boolean(),
    coverage: Coverage,
    ...provenance,
  })
  .meta({ id: 'IssuesReport' });
