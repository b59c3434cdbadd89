import { getAiStatus, getAnomalyExplanation, getInsights, getRootCause } from '../ai/operations.ts';
import { deleteAlert, testAlert, updateAlert } from '../alerts/operations/changes.ts';
import { getFeed } from '../alerts/operations/feeds.ts';
import { createAlert, getAlerts } from '../alerts/operations/list.ts';
import { getMarks } from '../alerts/operations/marks.ts';
import { previewAlert } from '../alerts/operations/preview.ts';
import {
  dismissRecommendation,
  getPlan,
  getRecommendation,
  getRecommendations,
  getRecommendedPatch,
  openRecommendedPullRequest,
  restoreRecommendation,
} from '../reports/advisor/operations.ts';
import { getResults, getVerdict } from '../reports/advisor-results/operations.ts';
import { getAgentTable, getAuthorshipSummary, getAuthorshipTrend } from '../reports/ai-authorship/operations.ts';
import { getRepositoryAttention } from '../reports/attention/operations.ts';
import { getBusFactor } from '../reports/bus-factor/operations.ts';
import { getCiWorkflows, getWorkflowDurations } from '../reports/ci/operations.ts';
import { getComparison } from '../reports/comparison/operations.ts';
import { getContributors } from '../reports/contributors/operations.ts';
import { getBilling, getCostAnalysis } from '../reports/cost/operations.ts';
import { getCollection } from '../reports/data-coverage/operations.ts';
import { getDelivery } from '../reports/delivery/operations.ts';
import { getDemo } from '../reports/demo/operations.ts';
import { getDeployments } from '../reports/deployments/operations.ts';
import { getActions, getExposure, getRefHistory, readExposureLogs } from '../reports/exposure/operations.ts';
import { fileIssue } from '../reports/filed-issues/operations.ts';
import { getWorkingHabits, previewWorkday } from '../reports/habits/operations.ts';
import { getStoredRuns, getTrends } from '../reports/history/operations.ts';
import {
  getIdentityLinks,
  linkIdentity,
  markDistinct,
  previewIdentityLink,
  suggestIdentityLinks,
  unlinkIdentity,
  unmarkDistinct,
} from '../reports/identity/operations.ts';
import { getIssues } from '../reports/issues/operations.ts';
import { getJobStats } from '../reports/jobs/operations.ts';
import { getMergeQueue } from '../reports/merge-queue/operations.ts';
import { getOrgOverview } from '../reports/organization/operations.ts';
import { getOrgContributors } from '../reports/organization-contributors/operations.ts';
import { getOrganizationSecurity } from '../reports/organization-security/operations.ts';
import { getOverview } from '../reports/overview/operations.ts';
import { getContributorProfile } from '../reports/profile/operations.ts';
import { getOpenPullRequests } from '../reports/pull-requests/operations.ts';
import { getWorkflowReliability } from '../reports/reliability/operations.ts';
import {
  getOrganizationRepositories,
  getOrganizations,
  getRateLimit,
  getRepositories,
  getRepositorySummary,
} from '../reports/repositories/operations.ts';
import { getRunnerStats } from '../reports/runners/operations.ts';
import { getRunDetails, getRuns, getTeamRuns } from '../reports/runs/operations.ts';
import { getOrgHealthScorecard } from '../reports/scorecard/operations.ts';
import { search } from '../reports/search/operations.ts';
import { getSecurityAlerts } from '../reports/security-alerts/operations.ts';
import { getSecurityScan } from '../reports/security-scan/operations.ts';
import { getSpend } from '../reports/spend/operations.ts';
import { getSyncProgress } from '../reports/sync/operations.ts';
import { getWorkflowCost } from '../reports/workflow-cost/operations.ts';
import { getWorkflowChangeOutcomes, getWorkflowChanges } from '../reports/workflow-files/operations.ts';
import { getRepositoryOverview, getWorkflowHealth, getWorkflows } from '../reports/workflows/operations.ts';
import { getTeamWorkloadRisk } from '../reports/workload/operations.ts';
import { explainAccess } from './admin/access.ts';
import { getAudit } from './admin/audit.ts';
import { changeUserGroups, getInvitations } from './admin/groups.ts';
import { getPermissions, putPermission } from './admin/permissions.ts';
import { endSessionsOfAccounts, getSessionsOfAccounts } from './admin/sessions.ts';
import { getTeamMembers, getTeams } from './admin/teams.ts';
import { getTokensOfAccounts, revokeTokenOfAccount } from './admin/tokens.ts';
import { getUsers, putUserGroups } from './admin/users.ts';
import { getBadge } from './badges.ts';
import { explain } from './explain.ts';
import { getHealth, getReadiness } from './health.ts';
import { callMcp } from './mcp.ts';
import { describeOperations } from './openapi/document.ts';
import type { Operation } from './operation.ts';
import { getAdministrators, getMe, logOut, setUp, signOut } from './session/session.ts';
import { endSessions, getSessions } from './session/sessions.ts';
import { beginLogin, finishLogin } from './session/sign-in.ts';
import { getAdvisorSettings, putAdvisorSettings } from './settings/advisor.ts';
import { getAiSettings, putAiSettings } from './settings/ai.ts';
import { getAiAuthorshipSettings, putAiAuthorshipSettings } from './settings/ai-authorship.ts';
import { getEmailSettings, putEmailSettings, testEmail } from './settings/email.ts';
import { changeBackfill, startBackfill } from './settings/otlp/backfill-operations.ts';
import {
  deleteDestination,
  getDestinations,
  putDestination,
  resendRejected,
  testDestination,
} from './settings/otlp/operations.ts';
import { getSetupSteps } from './settings/setup-steps.ts';
import { getSharing, putSharing } from './settings/sharing.ts';
import {
  getTeamSettings,
  getWorkingHabitsSettings,
  putTeamSettings,
  putWorkingHabitsSettings,
} from './settings/team.ts';
import {
  deleteWebhook,
  getWebhooks,
  putWebhook,
  rotateWebhook,
  testWebhookEndpoint,
} from './settings/webhooks/operations.ts';
import { createShare, getShares, revokeShare } from './shares/operations.ts';
import { cronSync, cronSyncCommits, cronSyncPullRequests } from './sync/cron.ts';
import { getScheduledJobs } from './sync/jobs.ts';
import { syncNow } from './sync/sync.ts';
import { receiveWebhook } from './sync/webhook.ts';
import { createToken, getTokens, revokeTokens } from './tokens/operations.ts';
import { deleteView, getViews, renameView, saveView } from './views/operations.ts';

const declared = [
  getFeed,
  getHealth,
  getReadiness,
  getDemo,
  getViews,
  saveView,
  renameView,
  deleteView,
  setUp,
  getSetupSteps,
  signOut,
  logOut,
  beginLogin,
  finishLogin,
  getMe,
  getAdministrators,
  getSessions,
  endSessions,
  getTokens,
  createToken,
  revokeTokens,
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
  getMergeQueue,
  getIssues,
  getSecurityScan,
  getActions,
  getRefHistory,
  getExposure,
  readExposureLogs,
  getAuthorshipSummary,
  getAuthorshipTrend,
  getAgentTable,
  getRecommendations,
  getRecommendation,
  getPlan,
  getResults,
  getVerdict,
  getRecommendedPatch,
  dismissRecommendation,
  restoreRecommendation,
  openRecommendedPullRequest,
  getSecurityAlerts,
  getWorkflowChanges,
  getWorkflowChangeOutcomes,
  explain,
  getOrgOverview,
  getOrgHealthScorecard,
  getOrgContributors,
  getOrganizationSecurity,
  getBilling,
  getCostAnalysis,
  getWorkflowCost,
  fileIssue,
  getSyncProgress,
  syncNow,
  getStoredRuns,
  getTrends,
  getComparison,
  getCiWorkflows,
  getSpend,
  getWorkflowDurations,
  getMarks,
  getOverview,
  search,
  getWorkingHabits,
  getCollection,
  getAlerts,
  createAlert,
  updateAlert,
  deleteAlert,
  testAlert,
  previewAlert,
  receiveWebhook,
  callMcp,
  cronSync,
  cronSyncPullRequests,
  cronSyncCommits,
  getAdvisorSettings,
  putAdvisorSettings,
  getAiAuthorshipSettings,
  putAiAuthorshipSettings,
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
  getDestinations,
  putDestination,
  deleteDestination,
  testDestination,
  startBackfill,
  changeBackfill,
  resendRejected,
  getWebhooks,
  putWebhook,
  deleteWebhook,
  testWebhookEndpoint,
  rotateWebhook,
  getSharing,
  putSharing,
  getShares,
  createShare,
  revokeShare,
  getBadge,
  getScheduledJobs,
  getUsers,
  putUserGroups,
  changeUserGroups,
  getInvitations,
  getTeams,
  getTeamMembers,
  getSessionsOfAccounts,
  endSessionsOfAccounts,
  getTokensOfAccounts,
  revokeTokenOfAccount,
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
