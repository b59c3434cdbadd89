import type { Tool } from '../tool.ts';
import { alerts } from './alerts.ts';
import { ciCost } from './ci-cost.ts';
import { comparePeriods } from './compare-periods.ts';
import { contributor } from './contributor.ts';
import { deliveryMetrics } from './delivery-metrics.ts';
import { explainNumber } from './explain-number.ts';
import { findRepositories } from './find-repositories.ts';
import { flakyAndReliability } from './flaky-and-reliability.ts';
import { inspectRun } from './inspect-run.ts';
import { issueHealth } from './issue-health.ts';
import { openPullRequests } from './open-pull-requests.ts';
import { organization } from './organization.ts';
import { repositoryStatus } from './repository-status.ts';
import { securityFindings } from './security-findings.ts';
import { trends } from './trends.ts';
import { whoami } from './whoami.ts';
import { whyIsCiSlow } from './why-is-ci-slow.ts';
import { workflowHealth } from './workflow-health.ts';

/** Every tool, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  whoami,
  findRepositories,
  repositoryStatus,
  deliveryMetrics,
  explainNumber,
  workflowHealth,
  whyIsCiSlow,
  flakyAndReliability,
  ciCost,
  inspectRun,
  openPullRequests,
  issueHealth,
  securityFindings,
  organization,
  trends,
  comparePeriods,
  alerts,
  contributor,
];
