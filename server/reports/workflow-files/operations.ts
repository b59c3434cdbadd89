import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { clamped, repository } from '../../api/parameters.ts';
import { dependOnReadings } from '../kernel/dependencies.ts';
import { ChangeOutcomesReport, workflowChangeOutcomes } from './outcomes.ts';
import { WorkflowChangeItem, workflowChanges } from './report.ts';

const commits = clamped(1, 100, 30).meta({ description: 'Commits, 1 to 100; what is above is taken as 100.' });

export const getWorkflowChanges = operation({
  method: 'GET',
  path: '/api/codehost/audit-log',
  summary: 'Commits of the default branch that changed workflow files, newest first',
  access: feature('auditTrail'),
  input: z.object({ ...repository, limit: commits }),
  output: z.array(WorkflowChangeItem),
  rows: (changes) => changes,
  dependsOn: dependOnReadings,
  run: workflowChanges,
});

export const getWorkflowChangeOutcomes = operation({
  method: 'GET',
  path: '/api/codehost/workflow-change-outcomes',
  summary: 'After which changes of workflow files the runs of their workflows failed; as a table the changes',
  access: feature('auditTrail'),
  input: z.object({ ...repository, limit: commits }),
  output: ChangeOutcomesReport,
  rows: ({ changes }) => changes,
  dependsOn: dependOnReadings,
  run: workflowChangeOutcomes,
});
