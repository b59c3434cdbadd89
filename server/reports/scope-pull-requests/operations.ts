import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { bots, org } from '../../api/parameters.ts';
import { dependOnScope } from '../kernel/dependencies.ts';
import { comparisons, range } from '../kernel/period.ts';
import { scopePullRequests } from './report.ts';
import { ScopePullRequests } from './schema.ts';

export const getScopePullRequests = operation({
  method: 'GET',
  path: '/api/db/pull-requests',
  summary:
    'Pull requests of a scope from stored facts: open ones, the longest wait for a review and time to merge; as a table the repositories',
  access: feature('prLifecycle'),
  input: z.object({
    org: org.optional().meta({ description: 'Organization or user; without it every repository the caller can see.' }),
    range: range.default('30'),
    compare: z.enum(comparisons).default('previous'),
    bots,
  }),
  output: ScopePullRequests,
  rows: ({ repositories }) =>
    repositories.map(({ longest_wait: wait, ...row }) => ({
      ...row,
      longest_wait_number: wait?.number ?? null,
      longest_wait_hours: wait?.hours ?? null,
      longest_wait_url: wait?.html_url ?? null,
    })),
  dependsOn: dependOnScope,
  run: scopePullRequests,
});
