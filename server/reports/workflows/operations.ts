import { z } from 'zod';
import { member } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { clamped, identifier, repository } from '../../api/parameters.ts';
import { dependOnReadings } from '../kernel/dependencies.ts';
import { WorkflowHealth, workflowHealth } from './health.ts';
import { repositoryOverview, WorkflowItem, WorkflowOverview, workflows } from './report.ts';

export const getRepositoryOverview = operation({
  method: 'GET',
  path: '/api/codehost/repo-overview',
  summary: 'Status, health, history and durations of every workflow of a repository',
  access: member,
  input: z.object(repository),
  output: z.array(WorkflowOverview),
  rows: (items) => items,
  dependsOn: dependOnReadings,
  run: repositoryOverview,
});

export const getWorkflows = operation({
  method: 'GET',
  path: '/api/codehost/workflows',
  summary: 'Workflows of a repository',
  access: member,
  input: z.object(repository),
  output: z.array(WorkflowItem),
  rows: (items) => items,
  dependsOn: dependOnReadings,
  run: workflows,
});

export const getWorkflowHealth = operation({
  method: 'GET',
  path: '/api/codehost/workflow-health',
  summary: "Headline numbers of a workflow's newest runs, with what they count and leave out",
  access: member,
  input: z.object({ ...repository, workflow_id: identifier, per_page: clamped(1, 100, 50) }),
  output: WorkflowHealth,
  dependsOn: dependOnReadings,
  run: workflowHealth,
});
