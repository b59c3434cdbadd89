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
  prLifecycle: open('delivery', 'Pull request life cycle', 'Open pull requests with age, reviews and wait times.'),
  mergeQueue: open('delivery', 'Merge queue', 'What waits in merge queues, how long merges take, and what is ejected.'),
  deployments: open('delivery', 'Deployments', 'Deployments by environment, their failures and recoveries.'),
  anomalyDetection: open('workflows', 'Anomalies of workflow runs', 'Runs with unusual duration or queue wait.'),
  performanceTab: open('workflows', 'Job and step performance', 'How long the jobs and steps of a workflow take.'),
  reliabilityTab: open('workflows', 'Workflow reliability', 'Flaky jobs, re-runs and recoveries of a workflow.'),
  runnerUtilization: open('workflows', 'Runners', 'Usage and failure rates of runners.'),
  teamInsights: aboutPeople('Contributors and reviews', 'Who merged, reviewed and started runs in a repository.'),
  reviewBottleneck: aboutPeople('Review bottlenecks', 'Review load and concentration.'),
  busFactor: aboutPeople('Knowledge distribution', 'How many people know each part of a repository.'),
  workloadRisk: aboutPeople('Workload', 'After-hours work, inactivity and open work, by person.'),
  workingHabits: aboutPeople('Working habits of everyone', 'Commit and pull request sizes of everyone, by person.'),
  contributorProfile: aboutPeople('Contributor profiles', 'One person’s activity, calendar and recent pull requests.'),
  issueHealth: open('delivery', 'Issues', 'Open and stale issues, and how long they take.'),
  securityScan: open('security', 'Workflow security findings', 'Weaknesses found in workflow files.'),
  securityAlerts: open('security', 'Security alerts', 'Open alerts for code, dependencies and secrets.'),
  exposure: open(
    'security',
    'Actions in use',
    'Which actions workflows use, where their tags have moved, and which runs a compromised one reached.',
  ),
  auditTrail: open('security', 'Workflow changes', 'Commits that changed workflow files.'),
  orgOverview: open(
    'organization',
    'Organization overview',
    'Totals of an organization and a summary of its repositories.',
  ),
  healthScorecard: open('organization', 'Organization health', 'Health scores of an organization’s repositories.'),
  costAnalytics: open('organization', 'Cost', 'Minutes, billing and workflow cost.'),
  reports: open('organization', 'Stored runs and trends', 'Stored runs and daily figures.'),
  dataSync: open('actions', 'Synchronization', 'Sync workflow runs into the database.'),
  alerts: open('organization', 'Alerts', 'Alert rules and history.'),
  aiInsights: open('organization', 'AI summaries', 'AI texts based on metrics.'),
  aiAuthorship: {
    label: 'AI-authored pull requests',
    description: 'How many pull requests carry a mark of an AI agent, never by person.',
    area: 'organization',
    sensitive: true,
  },
  ciAdvisor: open('actions', 'CI recommendations', 'What could be changed in workflow files, with the evidence.'),
  ciAdvisorPullRequest: open(
    'actions',
    'Pull requests for CI recommendations',
    'Open a pull request with a recommended change in your name.',
  ),
  codehostIssueFromAnomaly: open('actions', 'Filing an issue from an anomaly', 'File an issue in your name.'),
} as const satisfies Record<string, Feature>;

export type FeatureKey = keyof typeof features;

export const featureKeys = Object.keys(features) as FeatureKey[];
