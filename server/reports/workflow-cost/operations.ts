import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { clamped, identifier, repository } from '../../api/parameters.ts';
import { dependOnReadings } from '../kernel/dependencies.ts';
import { workflowCost } from './report.ts';
import { costTables, WorkflowCostReport } from './schema.ts';

export const getWorkflowCost = operation({
  method: 'GET',
  path: '/api/codehost/workflow-cost',
  summary: "Estimated cost of a workflow's latest runs, per pull request and wasted; CSV: what `table` names",
  access: feature('costAnalytics'),
  input: z.object({
    ...repository,
    workflow_id: identifier,
    per_page: clamped(1, 50, 30),
    table: z.enum(costTables).default('runs'),
  }),
  output: WorkflowCostReport,
  rows: (answer) => answer[answer.table],
  dependsOn: dependOnReadings,
  run: workflowCost,
});
