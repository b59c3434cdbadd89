/** What can be granted to a group, and what a person reads when it is not granted to them. */
export const features = {
  dora: 'Delivery metrics',
  prLifecycle: 'Pull request life cycle',
  deployments: 'Deployments',
  anomalyDetection: 'Anomalies of workflow runs',
  performanceTab: 'Job and step performance',
  reliabilityTab: 'Workflow reliability',
  runnerUtilization: 'Runners',
  teamInsights: 'Contributors and reviews',
  reviewBottleneck: 'Review bottlenecks',
  busFactor: 'Knowledge distribution',
  workloadRisk: 'Workload',
  workingHabits: 'Working habits of everyone',
  contributorProfile: 'Contributor profiles',
  issueHealth: 'Issues',
  securityScan: 'Workflow security findings',
  securityAlerts: 'Platform security alerts',
  auditTrail: 'Workflow changes',
  orgOverview: 'Organization overview',
  healthScorecard: 'Organization health',
  costAnalytics: 'Cost',
  reports: 'Stored runs and trends',
  dataSync: 'Synchronization',
  alerts: 'Alerts',
  aiInsights: 'Generated summaries',
  codehostIssueFromAnomaly: 'Filing an issue from an anomaly',
} as const;

export type FeatureKey = keyof typeof features;

export const featureKeys = Object.keys(features) as FeatureKey[];
