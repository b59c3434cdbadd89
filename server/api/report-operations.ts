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
import {
  getAgentTable,
  getAuthorshipByRepository,
  getAuthorshipComparison,
  getAuthorshipCost,
  getAuthorshipSummary,
  getAuthorshipTrend,
} from '../reports/ai-authorship/operations.ts';
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
import {
  draftExposure,
  getActions,
  getExposure,
  getRefHistory,
  readExposureLogs,
} from '../reports/exposure/operations.ts';
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
import { getMergeQueue, getQueueBatches, getQueueEntries } from '../reports/merge-queue/operations.ts';
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
import { getScopeDeployments } from '../reports/scope-deployments/operations.ts';
import { getScopeMergeQueues } from '../reports/scope-merge-queues/operations.ts';
import { getScopePullRequests } from '../reports/scope-pull-requests/operations.ts';
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
import type { Operation } from './operation.ts';

/** The operations that answer with figures of repositories, organizations and people, or act on what these found. */
export const reportOperations = [
  getDemo,
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
  getQueueEntries,
  getQueueBatches,
  getIssues,
  getSecurityScan,
  getActions,
  getRefHistory,
  getExposure,
  draftExposure,
  readExposureLogs,
  getAuthorshipComparison,
  getAuthorshipCost,
  getAuthorshipByRepository,
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
  getOrgOverview,
  getOrgHealthScorecard,
  getOrgContributors,
  getOrganizationSecurity,
  getBilling,
  getCostAnalysis,
  getWorkflowCost,
  fileIssue,
  getSyncProgress,
  getStoredRuns,
  getTrends,
  getComparison,
  getCiWorkflows,
  getSpend,
  getWorkflowDurations,
  getOverview,
  getScopePullRequests,
  getScopeDeployments,
  getScopeMergeQueues,
  search,
  getWorkingHabits,
  getCollection,
  previewWorkday,
  getIdentityLinks,
  linkIdentity,
  unlinkIdentity,
  previewIdentityLink,
  suggestIdentityLinks,
  markDistinct,
  unmarkDistinct,
] as unknown as readonly Operation[];
