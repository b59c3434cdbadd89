import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { repository } from '../../api/parameters.ts';
import { dependOnReadings } from '../kernel/dependencies.ts';
import { deliveryReport } from './report.ts';
import { DeliveryReport } from './schema.ts';

export const getDelivery = operation({
  method: 'GET',
  path: '/api/codehost/repo-dora',
  summary: 'Four delivery keys estimated from pull requests and releases, with their evidence; CSV: the scatter',
  access: feature('dora'),
  input: z.object(repository),
  output: DeliveryReport,
  rows: ({ pr_scatter }) => pr_scatter,
  dependsOn: dependOnReadings,
  run: deliveryReport,
});
