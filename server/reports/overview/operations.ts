import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { org } from '../../api/parameters.ts';
import { dependOnScope } from '../kernel/dependencies.ts';
import { comparisons, range } from '../kernel/period.ts';
import { scopeOverview } from './report.ts';
import { ScopeOverview } from './schema.ts';

export const getOverview = operation({
  method: 'GET',
  path: '/api/db/overview',
  summary:
    'Four figures of a scope from stored facts, and 90 days of each of its repositories; as a table the repositories by day',
  access: feature('reports'),
  input: z.object({
    org: org.optional().meta({ description: 'Organization or user; without it every repository the caller can see.' }),
    range: range.default('30'),
    compare: z.enum(comparisons).default('previous'),
  }),
  output: ScopeOverview,
  rows: ({ dates, repositories }) =>
    repositories.flatMap(({ repo, days }) =>
      days.map((day, index) => ({
        repo,
        date: dates[index],
        passed: day?.passed ?? null,
        failed: day?.failed ?? null,
      })),
    ),
  dependsOn: dependOnScope,
  run: scopeOverview,
});
