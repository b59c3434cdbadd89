import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { clamped, identifier, repository } from '../../api/parameters.ts';
import { dependOnReadings } from '../kernel/dependencies.ts';
import { workflowReliability } from './report.ts';
import { reliabilityTables, WorkflowReliabilityReport } from './schema.ts';

export const getWorkflowReliability = operation({
  method: 'GET',
  path: '/api/codehost/workflow-reliability',
  summary: 'Recovery, flakiness, queue, unusual runs and triggers of a workflow; CSV: the table that `table` names',
  access: feature('reliabilityTab'),
  input: z.object({
    ...repository,
    workflow_id: identifier,
    per_page: clamped(1, 100, 50),
    table: z.enum(reliabilityTables).default('anomalies'),
  }),
  output: WorkflowReliabilityReport,
  rows: (answer) => answer[answer.table],
  dependsOn: dependOnReadings,
  run: workflowReliability,
});
