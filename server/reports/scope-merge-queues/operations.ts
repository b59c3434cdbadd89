import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { org } from '../../api/parameters.ts';
import { dependOnScope } from '../kernel/dependencies.ts';
import { queueDays } from '../merge-queue/operations.ts';
import { scopeMergeQueues } from './report.ts';
import { ScopeMergeQueues } from './schema.ts';

export const getScopeMergeQueues = operation({
  method: 'GET',
  path: '/api/codehost/org-merge-queues',
  summary: 'The merge queues of an organization side by side, from stored facts; as a table the queues',
  access: feature('mergeQueue'),
  input: z.object({ org, days: queueDays }),
  output: ScopeMergeQueues,
  rows: ({ queues }) => queues,
  dependsOn: dependOnScope,
  run: scopeMergeQueues,
});
