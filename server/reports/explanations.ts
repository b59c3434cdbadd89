import { billingExplanations } from './billing-explained.ts';
import { busFactorExplanation } from './bus-factor.ts';
import { personExplanations } from './contributor-profile-explanations.ts';
import { contributorExplanations } from './contributors-explained.ts';
import { deliveryExplanations } from './delivery-explained.ts';
import { deploymentExplanations } from './deployments-explained.ts';
import type { Explanation } from './explained.ts';
import { issueExplanations } from './issues-explained.ts';
import { criticalPathExplanations } from './job-stats-explained.ts';
import { pullRequestExplanations } from './open-pull-requests-explained.ts';
import { organizationExplanations } from './org-overview-explained.ts';
import { compositeScoreExplanation } from './scorecard-explained.ts';
import { securityAlertExplanations } from './security-alerts-explained.ts';
import { workflowChangeExplanation } from './workflow-changes-explained.ts';
import { workflowCostExplanations } from './workflow-cost-explained.ts';
import { workflowExplanations } from './workflow-health.ts';
import { reliabilityExplanations } from './workflow-reliability-explained.ts';
import { outsideWorkdayExplanation } from './workload-evidence.ts';

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
  ...issueExplanations,
  ...organizationExplanations,
  compositeScoreExplanation,
  ...billingExplanations,
  ...workflowCostExplanations,
  ...criticalPathExplanations,
  ...securityAlertExplanations,
  workflowChangeExplanation,
];

/** Every headline number by the key of its metric. */
export const explanations: ReadonlyMap<string, Explanation> = new Map(declared.map((one) => [one.key, one]));
