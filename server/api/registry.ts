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
import { getContributorProfile } from './contributor.ts';
import { getContributors, getTeamRuns } from './contributors.ts';
import { getBilling, getCostAnalysis, getWorkflowCost } from './cost.ts';
import { getDelivery, getDeployments } from './delivery.ts';
import { getDemo } from './demo.ts';
import { explain } from './explain.ts';
import { getStoredRuns, getTrends, syncNow } from './history.ts';
import { fileIssue } from './issue.ts';
import { getJobStats, getRunnerStats } from './jobs.ts';
import { describeOperations } from './openapi.ts';
import type { Operation } from './operation.ts';
import { getOrgContributors, getOrgHealthScorecard, getOrgOverview } from './organization.ts';
import { getIssues, getOpenPullRequests } from './planning.ts';
import { getWorkflowReliability } from './reliability.ts';
import { getSecurityScan } from './security.ts';
import { getSecurityAlerts, getWorkflowChangeOutcomes, getWorkflowChanges } from './security-alerts.ts';
import { getHealth } from './service.ts';
import { getMe, logOut, setUp, signOut } from './session.ts';
import { getTeamSettings, getWorkingHabitsSettings } from './settings.ts';
import { getBusFactor, getTeamWorkloadRisk } from './workload.ts';

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
  getWorkflowReliability,
  getRunDetails,
  getJobStats,
  getRunnerStats,
  getContributorProfile,
  getContributors,
  getTeamRuns,
  getRateLimit,
  getBusFactor,
  getTeamWorkloadRisk,
  getDelivery,
  getDeployments,
  getOpenPullRequests,
  getIssues,
  getSecurityScan,
  getSecurityAlerts,
  getWorkflowChanges,
  getWorkflowChangeOutcomes,
  explain,
  getOrgOverview,
  getOrgHealthScorecard,
  getOrgContributors,
  getBilling,
  getCostAnalysis,
  getWorkflowCost,
  fileIssue,
  syncNow,
  getStoredRuns,
  getTrends,
  getTeamSettings,
  getWorkingHabitsSettings,
] as unknown as readonly Operation[];

/** Every operation there is: what is not in this list does not exist. */
export const operations: readonly Operation[] = [...declared, describeOperations(declared) as unknown as Operation];
