import { z } from 'zod';
import { feature } from '../access/rules.ts';
import { deliveryReport } from '../reports/delivery-report.ts';
import { DeliveryReport } from '../reports/delivery-schema.ts';
import { deploymentsReport } from '../reports/deployments-report.ts';
import { DeploymentsReport } from '../reports/deployments-schema.ts';
import { operation } from './operation.ts';
import { repository } from './parameters.ts';

export const getDelivery = operation({
  method: 'GET',
  path: '/api/codehost/repo-dora',
  summary:
    'Four delivery keys estimated from pull requests and releases, with what stands behind them; CSV: the scatter',
  access: feature('dora'),
  input: z.object(repository),
  output: DeliveryReport,
  rows: ({ pr_scatter }) => pr_scatter,
  run: deliveryReport,
});

export const getDeployments = operation({
  method: 'GET',
  path: '/api/codehost/deployments',
  summary: 'Deployments of 30 days by environment: frequency, failures, time to restore; CSV: the environments',
  access: feature('deployments'),
  input: z.object(repository),
  output: DeploymentsReport,
  rows: ({ by_environment }) => by_environment,
  run: deploymentsReport,
});
