import { reductionExplanation } from '../advisor-results/evidence.ts';
import { busFactorExplanation } from '../bus-factor/report.ts';
import { ciExplanations } from '../ci/evidence.ts';
import { contributorExplanations } from '../contributors/evidence.ts';
import { billingExplanations } from '../cost/evidence.ts';
import { deliveryExplanations } from '../delivery/evidence.ts';
import { deploymentExplanations } from '../deployments/evidence.ts';
import { issueExplanations } from '../issues/evidence.ts';
import { criticalPathExplanations } from '../jobs/evidence.ts';
import { mergeQueueExplanations } from '../merge-queue/evidence.ts';
import { organizationExplanations } from '../organization/evidence.ts';
import { organizationSecurityExplanations } from '../organization-security/evidence.ts';
import { overviewExplanations } from '../overview/evidence.ts';
import { personExplanations } from '../profile/evidence.ts';
import { pullRequestExplanations } from '../pull-requests/evidence.ts';
import { reliabilityExplanations } from '../reliability/evidence.ts';
import { scopeDeploymentExplanations } from '../scope-deployments/evidence.ts';
import { scopePullRequestExplanations } from '../scope-pull-requests/evidence.ts';
import { compositeScoreExplanation } from '../scorecard/evidence.ts';
import { securityAlertExplanations } from '../security-alerts/evidence.ts';
import { spendExplanations } from '../spend/evidence.ts';
import { workflowCostExplanations } from '../workflow-cost/evidence.ts';
import { workflowChangeExplanation } from '../workflow-files/evidence.ts';
import { workflowExplanations } from '../workflows/health.ts';
import { outsideWorkdayExplanation } from '../workload/evidence.ts';
import type { Explanation } from './evidence.ts';

const declared: readonly Explanation[] = [
  ...workflowExplanations,
  ...reliabilityExplanations,
  ...deliveryExplanations,
  ...deploymentExplanations,
  busFactorExplanation,
  outsideWorkdayExplanation,
  ...personExplanations,
  ...contributorExplanations,
  ...pullRequestExplanations,
  ...mergeQueueExplanations,
  ...issueExplanations,
  ...organizationExplanations,
  compositeScoreExplanation,
  ...billingExplanations,
  ...workflowCostExplanations,
  ...criticalPathExplanations,
  ...securityAlertExplanations,
  ...organizationSecurityExplanations,
  workflowChangeExplanation,
  reductionExplanation,
  ...ciExplanations,
  ...spendExplanations,
  ...overviewExplanations,
  ...scopePullRequestExplanations,
  ...scopeDeploymentExplanations,
];

/** Every headline number by the key of its metric. */
export const explanations: ReadonlyMap<string, Explanation> = new Map(declared.map((one) => [one.key, one]));
