import { z } from 'zod';
import { DeploymentVerdicts } from '../deployments/verdicts.ts';
import { instant, provenance } from '../kernel/instants.ts';
import { partialDay } from '../kernel/period.ts';
import { coveredRepositories } from '../kernel/repository-coverage.ts';

const count = z.int().nullable();

const figures = {
  deployments: count.meta({ description: 'Of production, with any outcome.' }),
  deploys_per_day: z.number().nullable().meta({ description: 'Successful ones.' }),
  finished: count.meta({ description: 'Succeeded or failed; null where the statuses of any could not be read.' }),
  failed: count,
  change_failure_rate_pct: z.int().nullable(),
  time_to_restore_hours: z.number().nullable().meta({ description: 'Median.' }),
  restore_sample: z.int(),
};

const days = z.array(
  z.object({
    date: z.iso.date(),
    deployments: count.meta({
      description: 'Of production, with any outcome; null for a day that was not read of an included repository.',
    }),
    success: count.meta({ description: 'null also where the statuses of any of the day could not be read.' }),
    failed: count,
    partial: partialDay,
  }),
);

/** Production deployments of the repositories of a scope in 30 days, from stored facts. */
export const ScopeDeployments = z
  .object({
    org: z.string().nullable(),
    totals: z.object(figures).meta({ description: 'All repositories of the scope together.' }),
    totals_before: z
      .object(figures)
      .nullable()
      .meta({ description: 'Of the previous 30 days; null unless they are known of every included repository.' }),
    verdicts: DeploymentVerdicts.meta({ description: 'What `totals` are, compared with `totals_before`.' }),
    days: days.meta({
      description: 'Of 30 days up to the newest reading, oldest first; empty where no repository is included.',
    }),
    days_before: days.nullable().meta({
      description: 'Of the previous 30 days, as `days`; null where `totals_before` is.',
    }),
    repositories: z
      .array(
        z
          .object({
            repo: z.string(),
            environment: z
              .string()
              .nullable()
              .meta({ description: 'Production; null where none is known, or nothing was deployed.' }),
            ...figures,
            failing_since: instant.nullable().meta({ description: 'First failure of an unresolved streak.' }),
            newest_deployment_at: instant.nullable(),
            as_of: instant.nullable().meta({ description: 'null where deployments were not read.' }),
            partial: z.boolean(),
          })
          .meta({ id: 'RepositoryDeployments' }),
      )
      .meta({ description: 'Stored repositories: failing ones first, then by number of deployments.' }),
    failing: z.int().meta({ description: 'Repositories whose production is failing.' }),
    period_days: z.literal(30),
    covered: z.object(coveredRepositories).meta({ description: 'Of which repositories the figures are.' }),
    repos_included: z.int().meta({ description: 'Repositories of the scope of which anything is stored.' }),
    repos_visible: count.meta({ description: 'null where the list of repositories is incomplete.' }),
    as_of: instant.nullable().meta({ description: 'Of the repository that is least up to date.' }),
    partial: z.boolean(),
    timezone: z.string(),
    ...provenance,
  })
  .meta({ id: 'ScopeDeployments' });
