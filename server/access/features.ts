/** What the permission matrix is filtered by. */
export const featureAreas = ['delivery', 'workflows', 'people', 'security', 'organization', 'actions'] as const;

export interface Feature {
  /** What a person reads where it is not granted to them. */
  label: string;
  /** What somebody gets to see or to do with it, in one sentence. */
  description: string;
  area: (typeof featureAreas)[number];
  /** Shows what single people did. */
  sensitive: boolean;
}

const open = (area: Feature['area'], label: string, description: string): Feature => ({
  label,
  description,
  area,
  sensitive: false,
});

const aboutPeople = (label: string, description: string): Feature => ({
  label,
  description,
  area: 'people',
  sensitive: true,
});

/** What can be granted to a group. */
export const features = {
  dora: open(
    'delivery',
    'Delivery metrics',
    'Deployment frequency, lead time, change failure rate and time to restore.',
  ),
  prLifecycle: open('delivery', 'Pull request life cycle', 'Open pull requests with their age, reviews and waiting.'),
  deployments: open('delivery', 'Deployments', 'Deployments by environment, their failures and recoveries.'),
  anomalyDetection: open('workflows', 'Anomalies of workflow runs', 'Runs that took or waited unusually long.'),
  performanceTab: open('workflows', 'Job and step performance', 'How long the jobs and steps of a workflow take.'),
  reliabilityTab: open('workflows', 'Workflow reliability', 'Flaky jobs, re-runs and recoveries of a workflow.'),
  runnerUtilization: open('workflows', 'Runners', 'Which runners did how much, and how often jobs on them failed.'),
  teamInsights: aboutPeople('Contributors and reviews', 'Who merged, reviewed and started runs in a repository.'),
  reviewBottleneck: aboutPeople('Review bottlenecks', 'On whom reviews wait, and how the load is spread.'),
  busFactor: aboutPeople('Knowledge distribution', 'How few people know each part of a repository.'),
  workloadRisk: aboutPeople('Workload', 'Work outside the workday, sudden silence and much open work, by person.'),
  workingHabits: aboutPeople('Working habits of everyone', 'Sizes of commits and pull requests of anybody, by person.'),
  contributorProfile: aboutPeople('Contributor profiles', 'One person’s activity, calendar and recent pull requests.'),
  issueHealth: open('delivery', 'Issues', 'Open and stale issues, and how long they take.'),
  securityScan: open('security', 'Workflow security findings', 'Weaknesses found in workflow files.'),
  securityAlerts: open(
    'security',
    'Platform security alerts',
    'Open alerts of the platform about code and dependencies.',
  ),
  auditTrail: open('security', 'Workflow changes', 'Commits that changed workflow files.'),
  orgOverview: open(
    'organization',
    'Organization overview',
    'Totals of an organization and a summary of its repositories.',
  ),
  healthScorecard: open('organization', 'Organization health', 'The repositories of an organization, the worst first.'),
  costAnalytics: open('organization', 'Cost', 'Minutes used, what is billed for them, and which workflows cost most.'),
  reports: open('organization', 'Stored runs and trends', 'Runs and daily figures that the database holds.'),
  dataSync: open('actions', 'Synchronization', 'Bring workflow runs into the database now.'),
  alerts: open('organization', 'Alerts', 'Rules that watch a metric, and when they fired.'),
  aiInsights: open('organization', 'Generated summaries', 'Texts that a language model writes from metrics.'),
  codehostIssueFromAnomaly: open(
    'actions',
    'Filing an issue from an anomaly',
    'File an issue on the platform in one’s own name.',
  ),
} as const satisfies Record<string, Feature>;

export type FeatureKey = keyof typeof features;

export const featureKeys = Object.keys(features) as FeatureKey[];
