import { z } from 'zod';
import { member } from '../access/rules.ts';
import {
  myOrganizations,
  myRepositories,
  OrgItem,
  organizationRepositories,
  RateLimitReport,
  RepoItem,
  rateLimitReport,
} from '../reports/repositories.ts';
import { RepositorySummary, repositorySummary } from '../reports/repository-summary.ts';
import { JobItem, runDetails } from '../reports/run-details.ts';
import { WorkflowHealth, workflowHealth } from '../reports/workflow-health.ts';
import { RunItem, workflowRuns } from '../reports/workflow-runs.ts';
import { repositoryOverview, WorkflowItem, WorkflowOverview, workflows } from '../reports/workflows.ts';
import { operation } from './operation.ts';
import { clamped, identifier, org, repository } from './parameters.ts';

const nothing = z.object({});

export const getRepositories = operation({
  method: 'GET',
  path: '/api/codehost/repos',
  summary: 'Repositories that the token can see',
  access: member,
  input: nothing,
  output: z.array(RepoItem),
  rows: (items) => items,
  run: myRepositories,
});

export const getOrganizationRepositories = operation({
  method: 'GET',
  path: '/api/codehost/org-repos',
  summary: 'Repositories of an organization that the token can see',
  access: member,
  input: z.object({ org }),
  output: z.array(RepoItem),
  rows: (items) => items,
  run: organizationRepositories,
});

export const getOrganizations = operation({
  method: 'GET',
  path: '/api/codehost/orgs',
  summary: 'Organizations of the account',
  access: member,
  headers: ['X-Orgs-Hint'],
  input: nothing,
  output: z.array(OrgItem),
  rows: (items) => items,
  run: myOrganizations,
});

export const getRepositorySummary = operation({
  method: 'GET',
  path: '/api/codehost/repo-summary',
  summary: 'Default branch, latest run, counts and health of a repository',
  access: member,
  input: z.object(repository),
  output: RepositorySummary,
  run: repositorySummary,
});

export const getRepositoryOverview = operation({
  method: 'GET',
  path: '/api/codehost/repo-overview',
  summary: 'Status, health, history and durations of every workflow of a repository',
  access: member,
  input: z.object(repository),
  output: z.array(WorkflowOverview),
  rows: (items) => items,
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
  run: workflows,
});

export const getRuns = operation({
  method: 'GET',
  path: '/api/codehost/runs',
  summary: 'Newest runs of a workflow',
  access: member,
  input: z.object({ ...repository, workflow_id: identifier, per_page: clamped(1, 100, 50) }),
  output: z.array(RunItem),
  rows: (items) => items,
  run: workflowRuns,
});

export const getWorkflowHealth = operation({
  method: 'GET',
  path: '/api/codehost/workflow-health',
  summary: "Headline numbers of a workflow's newest runs, with what they count and leave out",
  access: member,
  input: z.object({ ...repository, workflow_id: identifier, per_page: clamped(1, 100, 50) }),
  output: WorkflowHealth,
  run: workflowHealth,
});

export const getRunDetails = operation({
  method: 'GET',
  path: '/api/codehost/run-details',
  summary: 'Jobs and steps of a run',
  access: member,
  input: z.object({ ...repository, run_id: identifier, attempt: identifier.optional() }),
  output: z.array(JobItem),
  rows: (items) => items,
  run: runDetails,
});

export const getRateLimit = operation({
  method: 'GET',
  path: '/api/codehost/rate-limit',
  summary: "What is left of the account's platform quota",
  access: member,
  input: nothing,
  output: RateLimitReport,
  run: rateLimitReport,
});
