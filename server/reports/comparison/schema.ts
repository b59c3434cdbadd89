import { z } from 'zod';
import { verdicts } from '../../domain/verdict.ts';
import { instant, provenance } from '../kernel/instants.ts';
import { coveredRepositories } from '../kernel/repository-coverage.ts';
import { comparedMetrics, comparedUnits } from './metrics.ts';

const Interval = z.object({ low: z.number(), high: z.number(), level: z.literal(0.95) });

const ComparedSide = z
  .object({
    value: z
      .number()
      .nullable()
      .meta({ description: 'null where nothing of the period is stored, or nothing counts.' }),
    unit: z.enum(comparedUnits),
    n: z.int().meta({ description: 'Runs or pull requests that the value is made of.' }),
    low_sample: z.boolean().meta({ description: 'Below 20.' }),
    interval: Interval.nullable().meta({
      description:
        'Of shares Wilson’s score interval, of medians and percentiles the percentile bootstrap, of counts a score interval as wide as days differ among each other. null for a 95th percentile of fewer than 20.',
    }),
    missing: z.enum(['not_stored', 'no_items']).nullable().meta({ description: 'Why there is no value.' }),
    window: z.object({ from: instant, to: instant }),
    coverage: coveredRepositories.coverage.meta({
      description:
        'Counted in repositories that the caller can see. Only those count of which all of the period is stored; expected is null where their list is incomplete.',
    }),
    as_of: instant.nullable().meta({
      description: 'Up to when the repository that is least up to date was read; null where none counts.',
    }),
  })
  .meta({ id: 'ComparedSide' });

const ComparedMetric = z
  .object({
    metric: z.enum(comparedMetrics),
    label: z.string(),
    better: z.enum(['higher', 'lower', 'neither']),
    a: ComparedSide,
    b: ComparedSide,
    difference: z
      .object({
        absolute: z.number().nullable().meta({
          description:
            'b less a, in the unit of both, of shares in points. Where periods of counts differ in length, a is multiplied first to be as long as b.',
        }),
        relative_pct: z.number().nullable().meta({ description: 'The same in percent of a; null also where a is 0.' }),
        interval: Interval.nullable(),
      })
      .meta({ description: 'All null where there is not enough data.' }),
    verdict: z.enum(verdicts).meta({
      description:
        'What b is compared with a. no_difference_shown: the interval of the difference holds 0. not_enough_data: fewer than 5 items on a side, of 95th percentiles 20, of counts 5 in the larger one, or a synchronized repository of which not all of both periods is stored. Neither says what is better.',
    }),
  })
  .meta({ id: 'ComparedMetric' });

export const ComparisonReport = z
  .object({
    owner: z.string(),
    repo: z.string().nullable(),
    metrics: z.array(ComparedMetric).meta({ description: 'In the order in which they were requested.' }),
    repos_included: z.int().meta({ description: 'Synchronized repositories of the scope.' }),
    repos_visible: z.int().nullable().meta({
      description: 'All that the caller can see; null where their list is incomplete. Others do not count.',
    }),
    timezone: z.string(),
    ...provenance,
  })
  .meta({ id: 'ComparisonReport' });
