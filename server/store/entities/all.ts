import { AccessToken } from './access-token.ts';
import {
  ActionFile,
  ActionRef,
  ActionRelease,
  AdvisedRef,
  AdvisoryReading,
  RefLedgerRow,
  UseDay,
  WorkflowTree,
} from './action-ledger.ts';
import { AdvisorDismissal } from './advisor-dismissal.ts';
import { AdvisorPullRequest } from './advisor-pull-request.ts';
import { AdvisorTotal } from './advisor-total.ts';
import { AdvisorVerdict } from './advisor-verdict.ts';
import { AiCacheEntry, AiUsageDay } from './ai.ts';
import { AiComparison } from './ai-comparison.ts';
import { AlertEvent } from './alert-event.ts';
import { AlertDue, AlertRule, AlertRuleDay, AlertRuleState } from './alert-rule.ts';
import { AttemptCost } from './attempt-cost.ts';
import { ActionDownload, AttemptLog } from './attempt-log.ts';
import { AuditEntry } from './audit-entry.ts';
import { BranchCommit } from './branch-commit.ts';
import { DirtyDay, OrganizationDay, OrganizationMember, RepositoryDay, RollupZone } from './daily-runs.ts';
import { Deployment } from './deployment.ts';
import { DigestSend } from './digest-send.ts';
import { ExportedValue } from './exported-value.ts';
import { FactSyncState } from './fact-sync-state.ts';
import { Account, DistinctPair, IdentityLink } from './identity.ts';
import { FiledIssue, Issue } from './issue.ts';
import { JobLease, JobRun } from './job-run.ts';
import { MailStatus } from './mail-status.ts';
import { MergeQueueNotice } from './merge-queue-notice.ts';
import { OtlpBackfill, OtlpDestination, OtlpOutboxRow, OtlpSent } from './otlp.ts';
import { PullRequest, PullRequestCommit } from './pull-request.ts';
import { PullRequestLink } from './pull-request-link.ts';
import { PullRequestMark } from './pull-request-mark.ts';
import { Release } from './release.ts';
import { Repository } from './repository.ts';
import { SavedView } from './saved-view.ts';
import { Session } from './session.ts';
import { Setting } from './setting.ts';
import { Share } from './share.ts';
import { SharedCounter } from './shared-counter.ts';
import { CachedAnswer, Change, RateLimit } from './shared-state.ts';
import { SyncCursor } from './sync-cursor.ts';
import { GroupPermission, Invitation, OrganizationMembership, User, UserGroup } from './user.ts';
import { WebhookDelivery } from './webhook-delivery.ts';
import { WebhookEndpoint } from './webhook-endpoint.ts';
import { JobReading, WorkflowJob } from './workflow-job.ts';
import { WorkflowRun, WorkflowRunAttempt } from './workflow-run.ts';

/** Every table of the database. */
export const entities = [
  Account,
  Repository,
  SyncCursor,
  WorkflowRun,
  WorkflowRunAttempt,
  WorkflowJob,
  JobReading,
  AttemptCost,
  AttemptLog,
  ActionDownload,
  RepositoryDay,
  OrganizationDay,
  OrganizationMember,
  DirtyDay,
  RollupZone,
  Session,
  AccessToken,
  Share,
  SavedView,
  Setting,
  JobLease,
  JobRun,
  RateLimit,
  SharedCounter,
  ExportedValue,
  FactSyncState,
  PullRequest,
  MergeQueueNotice,
  PullRequestCommit,
  PullRequestLink,
  PullRequestMark,
  BranchCommit,
  Issue,
  FiledIssue,
  Deployment,
  Release,
  IdentityLink,
  DistinctPair,
  CachedAnswer,
  Change,
  User,
  UserGroup,
  Invitation,
  OrganizationMembership,
  GroupPermission,
  AuditEntry,
  WebhookDelivery,
  AlertRule,
  AlertRuleState,
  AlertRuleDay,
  AlertDue,
  AlertEvent,
  DigestSend,
  MailStatus,
  AiCacheEntry,
  AiUsageDay,
  OtlpDestination,
  OtlpOutboxRow,
  OtlpSent,
  WebhookEndpoint,
  OtlpBackfill,
  AdvisorDismissal,
  AdvisorPullRequest,
  AdvisorTotal,
  AiComparison,
  ActionFile,
  ActionRef,
  ActionRelease,
  AdvisedRef,
  AdvisoryReading,
  RefLedgerRow,
  UseDay,
  WorkflowTree,
  AdvisorVerdict,
] as const;
