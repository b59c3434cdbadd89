import { getRepositoryAttention } from './attention.ts';
import {
  getOrganizationRepositories,
  getOrganizations,
  getRateLimit,
  getRepositories,
  getRepositoryOverview,
  getRepositorySummary,
  getRunDetails,
  getRuns,
  getWorkflowHealth,
  getWorkflows,
} from './codehost.ts';
import { getDemo } from './demo.ts';
import { getStoredRuns, getTrends, syncNow } from './history.ts';
import { describeOperations } from './openapi.ts';
import type { Operation } from './operation.ts';
import { getHealth } from './service.ts';
import { getMe, logOut, setUp, signOut } from './session.ts';
import { getTeamSettings } from './settings.ts';

const declared = [
  getHealth,
  getDemo,
  setUp,
  signOut,
  logOut,
  getMe,
  getRepositories,
  getOrganizationRepositories,
  getOrganizations,
  getRepositoryAttention,
  getRepositorySummary,
  getRepositoryOverview,
  getWorkflows,
  getRuns,
  getWorkflowHealth,
  getRunDetails,
  getRateLimit,
  syncNow,
  getStoredRuns,
  getTrends,
  getTeamSettings,
] as unknown as readonly Operation[];

/** Every operation there is: what is not in this list does not exist. */
export const operations: readonly Operation[] = [...declared, describeOperations(declared) as unknown as Operation];
