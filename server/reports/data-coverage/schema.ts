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
    about: z.string().meta({ description: 'Name of the data type.' }),
    state: z.enum(['never', 'partial', 'complete', 'unreachable']).meta({
      description:
        '`complete`: everything from `from` to `through` is stored. `partial`: `missing` says what is not. `unreachable`: GitHub does not return the repository; data stored before is kept.',
    }),
    from: instant.nullable().meta({ description: 'Start of the synced range; null: unknown.' }),
    through: instant.nullable().meta({ description: 'End of the synced range; null: unknown.' }),
    missing: z.string().nullable().meta({ description: 'What has not been synced, as text.' }),
    missing_count: z.int().nullable().meta({ description: 'How many items are known to be missing; null: unknown.' }),
    expected_count: z.int().nullable().meta({ description: 'Of how many.' }),
    last_read_at: instant.nullable().meta({
      description: 'When the last sync ended, successfully or not; a lower bound where the end was not stored.',
    }),
    last_error: z.string().nullable().meta({ description: 'Error code of the last sync.' }),
    filled_by: z.array(z.enum(fillings)).meta({ description: 'Sources available here; empty: none.' }),
  })
  .meta({ id: 'Reading' });

export const CollectionReport = z
  .object({
    owner: z.string(),
    repo: z.string().nullable(),
    readings: z.array(Reading).meta({ description: 'Eight rows for each repository, repositories by name.' }),
    repos_known: z.int().meta({ description: 'Repositories with stored data, visible to the caller.' }),
    repos_visible: z
      .int()
      .nullable()
      .meta({ description: 'Repositories visible to the caller; null: the list was truncated.' }),
    limit: z.int().meta({ description: 'Maximum repositories in one response.' }),
    offset: z.int(),
    summary: z.array(
      z.object({
        resource: z.enum(resources),
        title: z.string(),
        complete: z.int(),
        partial: z.int(),
        never: z.int(),
        unreachable: z.int(),
        through: instant.nullable().meta({ description: 'The earliest of the synced repositories; null: none.' }),
      }),
    ),
    timezone: z.string().meta({ description: 'Time zone of the days in `missing`.' }),
  })
  .meta({ id: 'CollectionReport' });
