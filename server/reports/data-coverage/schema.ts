import { z } from 'zod';
import { instant } from '../kernel/instants.ts';

/** What is read of a repository, each kind by itself, in the order in which they are shown. */
export const resources = [
  'workflow_runs',
  'pull_requests',
  'pull_request_commits',
  'branch_commits',
  'issues',
  'deployments',
  'releases',
  'workflow_jobs',
] as const;

export type Resource = (typeof resources)[number];

/** How a kind comes into the database: by a person's synchronization, every night, by opening a page, by events. */
const fillings = ['sync_now', 'nightly', 'page', 'webhook'] as const;

export type Filling = (typeof fillings)[number];

export const Reading = z
  .object({
    repo: z.string(),
    resource: z.enum(resources),
    title: z.string(),
    about: z.string().meta({ description: 'What it is, as text.' }),
    state: z.enum(['never', 'partial', 'complete', 'unreachable']).meta({
      description:
        '`complete`: everything from `from` to `through` is stored. `partial`: `missing` states what is not. `unreachable`: the platform does not give the repository; what was read before stays stored.',
    }),
    from: instant.nullable().meta({ description: 'The earliest instant from which on it was read; null: unknown.' }),
    through: instant.nullable().meta({ description: 'What the platform held then was read; null: unknown.' }),
    missing: z.string().nullable().meta({ description: 'What has not been read, as text with numbers.' }),
    missing_count: z.int().nullable().meta({ description: 'How many items are known to be missing; null: unknown.' }),
    expected_count: z.int().nullable().meta({ description: 'Of how many.' }),
    last_read_at: instant.nullable().meta({
      description: 'When the last reading ended, well or not; at the earliest, where its end was not stored.',
    }),
    last_error: z.string().nullable().meta({ description: 'Code of the error that ended the last reading.' }),
    filled_by: z.array(z.enum(fillings)).meta({ description: 'The ways that are open here; none: nothing fills it.' }),
  })
  .meta({ id: 'Reading' });

export const CollectionReport = z
  .object({
    owner: z.string(),
    repo: z.string().nullable(),
    readings: z.array(Reading).meta({ description: 'Eight of each repository, repositories by name.' }),
    repos_known: z.int().meta({ description: 'Repositories of which something was read, visible to the caller.' }),
    repos_visible: z
      .int()
      .nullable()
      .meta({ description: 'Repositories that the caller can see; null: the list was truncated.' }),
    limit: z.int().meta({ description: 'Most repositories in one answer.' }),
    offset: z.int(),
    summary: z.array(
      z.object({
        resource: z.enum(resources),
        title: z.string(),
        complete: z.int(),
        partial: z.int(),
        never: z.int(),
        unreachable: z.int(),
        through: instant.nullable().meta({ description: 'The earliest of those that were read; null: none was.' }),
      }),
    ),
    timezone: z.string().meta({ description: 'In which the days in `missing` are given.' }),
  })
  .meta({ id: 'CollectionReport' });
