import { z } from 'zod';
import { feature } from '../access/rules.ts';
import { securityAlerts } from '../reports/security-alerts.ts';
import { SecurityAlertsReport } from '../reports/security-alerts-schema.ts';
import { ChangeOutcomesReport, workflowChangeOutcomes } from '../reports/workflow-change-outcomes.ts';
import { WorkflowChangeItem, workflowChanges } from '../reports/workflow-changes.ts';
import { operation } from './operation.ts';
import { clamped, repository } from './parameters.ts';

export const getSecurityAlerts = operation({
  method: 'GET',
  path: '/api/codehost/security-alerts',
  summary: "The platform's alerts about dependencies, code and secrets, each source by itself; CSV: the alerts",
  access: feature('securityAlerts'),
  input: z.object(repository),
  output: SecurityAlertsReport,
  rows: ({ alerts }) => alerts,
  run: securityAlerts,
});

const commits = clamped(1, 100, 30).meta({ description: 'Commits, 1 to 100; what is above is taken as 100.' });

export const getWorkflowChanges = operation({
  method: 'GET',
  path: '/api/codehost/audit-log',
  summary: 'Commits of the default branch that changed workflow files, newest first',
  access: feature('auditTrail'),
  input: z.object({ ...repository, limit: commits }),
  output: z.array(WorkflowChangeItem),
  rows: (changes) => changes,
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
  run: workflowChangeOutcomes,
});
