import { explainAccess } from './admin-access.ts';
import { getAudit } from './admin-audit.ts';
import { getPermissions, putPermission } from './admin-permissions.ts';
import { endSessionsOfAccounts, getSessionsOfAccounts } from './admin-sessions.ts';
import { getUsers, putUserGroups } from './admin-users.ts';
import { getAnomalyExplanation, getInsights, getRootCause } from './ai.ts';
import { getAiSettings, putAiSettings } from './ai-settings.ts';
import { getAiStatus } from './ai-status.ts';
import { deleteAlert, testAlert, updateAlert } from './alert-changes.ts';
import { previewAlert } from './alert-preview.ts';
import { createAlert, getAlerts } from './alerts.ts';
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
import { getCollection } from './collection.ts';
import { getContributorProfile } from './contributor.ts';
import { getContributors, getTeamRuns } from './contributors.ts';
import { getBilling, getCostAnalysis, getWorkflowCost } from './cost.ts';
import { cronSync, cronSyncCommits, cronSyncPullRequests } from './cron.ts';
import { getDelivery, getDeployments } from './delivery.ts';
import { getDemo } from './demo.ts';
import { getEmailSettings, putEmailSettings, testEmail } from './email-settings.ts';
import { explain } from './explain.ts';
import { getStoredRuns, getSyncProgress, getTrends, syncNow } from './history.ts';
import {
  getIdentityLinks,
  linkIdentity,
  markDistinct,
  previewIdentityLink,
  suggestIdentityLinks,
  unlinkIdentity,
  unmarkDistinct,
} from './identity-links.ts';
import { receiveWebhook } from './inbound.ts';
import { fileIssue } from './issue.ts';
import { getJobStats, getRunnerStats } from './jobs.ts';
import { describeOperations } from './openapi/document.ts';
import type { Operation } from './operation.ts';
import { getOrgContributors, getOrgHealthScorecard, getOrgOverview } from './organization.ts';
import { getIssues, getOpenPullRequests } from './planning.ts';
import { getWorkflowReliability } from './reliability.ts';
import { getScheduledJobs } from './scheduled-jobs.ts';
import { getSecurityScan } from './security.ts';
import { getSecurityAlerts, getWorkflowChangeOutcomes, getWorkflowChanges } from './security-alerts.ts';
import { getHealth } from './service.ts';
import { getAdministrators, getMe, logOut, setUp, signOut } from './session.ts';
import { endSessions, getSessions } from './sessions.ts';
import { getTeamSettings, getWorkingHabitsSettings, putTeamSettings, putWorkingHabitsSettings } from './settings.ts';
import { beginLogin, finishLogin } from './sign-in.ts';
import { previewWorkday } from './workday-preview.ts';
import { getWorkingHabits } from './working-habits.ts';
import { getBusFactor, getTeamWorkloadRisk } from './workload.ts';

const declared = [
  getHealth,
  getDemo,
  setUp,
  signOut,
  logOut,
  beginLogin,
  finishLogin,
  getMe,
  getAdministrators,
  getSessions,
  endSessions,
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
  getSyncProgress,
  syncNow,
  getStoredRuns,
  getTrends,
  getWorkingHabits,
  getCollection,
  getAlerts,
  createAlert,
  updateAlert,
  deleteAlert,
  testAlert,
  previewAlert,
  receiveWebhook,
  cronSync,
  cronSyncPullRequests,
  cronSyncCommits,
  getTeamSettings,
  previewWorkday,
  putTeamSettings,
  getWorkingHabitsSettings,
  putWorkingHabitsSettings,
  getAiStatus,
  getInsights,
  getAnomalyExplanation,
  getRootCause,
  getAiSettings,
  putAiSettings,
  getEmailSettings,
  putEmailSettings,
  testEmail,
  getScheduledJobs,
  getUsers,
  putUserGroups,
  getSessionsOfAccounts,
  endSessionsOfAccounts,
  getPermissions,
  putPermission,
  getAudit,
  getIdentityLinks,
  linkIdentity,
  unlinkIdentity,
  previewIdentityLink,
  suggestIdentityLinks,
  markDistinct,
  unmarkDistinct,
] as unknown as readonly Operation[];

const explained = [...declared, explainAccess(declared) as unknown as Operation];

/** Every operation there is: what is not in this list does not exist. */
export const operations: readonly Operation[] = [...explained, describeOperations(explained) as unknown as Operation];
