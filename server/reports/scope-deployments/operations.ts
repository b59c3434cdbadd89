import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { org } from '../../api/parameters.ts';
import { dependOnScope } from '../kernel/dependencies.ts';
import { scopeDeploymentsReport } from './report.ts';
import { ScopeDeployments } from './schema.ts';

export const getScopeDeployments = operation({
  method: 'GET',
  path: '/api/db/deployments',
  summary:
    'Production deployments of a scope in 30 days from stored facts: frequency, failures, time to restore; as a table the repositories',
  access: feature('deployments'),
  input: z.object({
    org: org.optional().meta({ description: 'Organization or user; without it every repository the caller can see.' }),
  }),
  output: ScopeDeployments,
  rows: ({ repositories }) => repositories,
  dependsOn: dependOnScope,
  run: scopeDeploymentsReport,
});
