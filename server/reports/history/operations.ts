import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { bounded, clamped, nextOffset, owner, repo, repository } from '../../api/parameters.ts';
import { conclusions } from '../../metrics/kernel/facts.ts';
import { dependOnOwner, dependOnRepository, untilDaysMove } from '../kernel/dependencies.ts';
import { comparisons, range } from '../kernel/period.ts';
import { RunsReport, storedRuns } from './runs.ts';
import { Trends, trends } from './trends.ts';

export const getStoredRuns = operation({
  method: 'GET',
  path: '/api/db/runs',
  summary: 'Runs of a repository from the database, newest first',
  access: feature('reports'),
  input: z.object({
    ...repository,
    limit: clamped(1, 500, 200),
    offset: bounded(0, 100_000, 0),
    conclusion: z.enum(conclusions).optional(),
  }),
  output: RunsReport,
  rows: ({ runs }) => runs,
  nextPage: nextOffset,
  dependsOn: (input, context) => dependOnRepository(input, context, Number.POSITIVE_INFINITY),
  run: storedRuns,
});

export const getTrends = operation({
  method: 'GET',
  path: '/api/db/trends',
  summary: 'Daily, quarterly or organization-wide trends from the database',
  access: feature('reports'),
  input: z
    .object({
      owner,
      repo: repo.optional(),
      type: z.enum(['daily', 'quarterly', 'org']).default('daily'),
      days: bounded(1, 365, 90),
      range: range.optional().meta({
        description: 'Instead of `days`: as many whole days of the zone as the range has, today so far included.',
      }),
      compare: z.enum(comparisons).default('off'),
      quarters: bounded(1, 12, 6),
    })
    .refine(({ type, repo }) => type === 'org' || repo !== undefined, {
      path: ['repo'],
      message: 'is required unless type is org',
    }),
  output: Trends,
  rows: ({ data }) => data,
  dependsOn({ owner, repo, type }, context) {
    const until = untilDaysMove(context.services.clock.now());
    return type === 'org' || !repo
      ? dependOnOwner(owner, context, until)
      : dependOnRepository({ owner, repo }, context, until);
  },
  run: trends,
});
