import { z } from 'zod';
import { member } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { org, repository } from '../../api/parameters.ts';
import { dependOnReadings } from '../kernel/dependencies.ts';
import {
  myOrganizations,
  myRepositories,
  OrgItem,
  organizationRepositories,
  RateLimitReport,
  RepoItem,
  rateLimitReport,
} from './list.ts';
import { RepositorySummary, repositorySummary } from './summary.ts';

export const getRepositories = operation({
  method: 'GET',
  path: '/api/codehost/repos',
  summary: 'Repositories that the token can see',
  access: member,
  input: z.object({}),
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
  input: z.object({}),
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
  dependsOn: dependOnReadings,
  run: repositorySummary,
});

export const getRateLimit = operation({
  method: 'GET',
  path: '/api/codehost/rate-limit',
  summary: 'What is left of the GitHub API rate limit of the account',
  access: member,
  input: z.object({}),
  output: RateLimitReport,
  run: rateLimitReport,
});
