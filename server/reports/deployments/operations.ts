import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { repository } from '../../api/parameters.ts';
import { dependOnReadings } from '../kernel/dependencies.ts';
import { deploymentsReport } from './report.ts';
import { DeploymentsReport } from './schema.ts';

export const getDeployments = operation({
  method: 'GET',
  path: '/api/codehost/deployments',
  summary: 'Deployments of 30 days by environment: frequency, failures, time to restore; CSV: the environments',
  access: feature('deployments'),
  input: z.object(repository),
  output: DeploymentsReport,
  rows: ({ by_environment }) => by_environment,
  dependsOn: dependOnReadings,
  run: deploymentsReport,
});
