import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { org, repositoryName } from '../../api/parameters.ts';
import { nameFilter } from '../ci/schema.ts';
import { dependOnScope } from '../kernel/dependencies.ts';
import { comparisons, range } from '../kernel/period.ts';
import { spendReport } from './report.ts';
import { SpendReport, spendGroups } from './schema.ts';

export const getSpend = operation({
  method: 'GET',
  path: '/api/db/cost',
  summary:
    'What CI of a scope costs, estimated from stored jobs, with a forecast of the month; as a table what `by` names',
  access: feature('costAnalytics'),
  input: z.object({
    org: org.optional().meta({ description: 'Organization or user; without it every repository the caller can see.' }),
    repo: repositoryName.optional().meta({ description: 'One repository, as owner/name.' }),
    range: range.default('30'),
    compare: z.enum(comparisons).default('previous'),
    by: z.enum(spendGroups).default('workflow'),
    q: nameFilter,
  }),
  output: SpendReport,
  rows: ({ rows }) => rows,
  dependsOn: dependOnScope,
  run: spendReport,
});
