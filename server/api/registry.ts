import { getAiStatus, getAnomalyExplanation, getInsights, getRootCause } from '../ai/operations.ts';
import { deleteAlert, testAlert, updateAlert } from '../alerts/operations/changes.ts';
import { getFeed } from '../alerts/operations/feeds.ts';
import { createAlert, getAlerts } from '../alerts/operations/list.ts';
import { getMarks } from '../alerts/operations/marks.ts';
import { previewAlert } from '../alerts/operations/preview.ts';
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
import { reportOperations } from './report-operations.ts';
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

/** The operations of the service itself: sessions, alerts, settings, administration, sync. */
const ownOperations = [
  getFeed,
  getHealth,
  getReadiness,
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
  explain,
  syncNow,
  getMarks,
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
] as unknown as readonly Operation[];

const declared = [...reportOperations, ...ownOperations];

const explained = [...declared, explainAccess(declared) as unknown as Operation];

/** Every operation there is: what is not in this list does not exist. */
export const operations: readonly Operation[] = [...explained, describeOperations(explained) as unknown as Operation];
