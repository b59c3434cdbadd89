/** The operations of the law: method, path and who may ask. */
export const law = `
GET /api/codehost/repos member
GET /api/codehost/repo-overview member
GET /api/codehost/repo-dora feature:dora
GET /api/codehost/repo-contributors feature:teamInsights
GET /api/codehost/contributor-profile feature:contributorProfile
GET /api/codehost/workflows member
GET /api/codehost/runs member
GET /api/codehost/job-stats feature:performanceTab
GET /api/codehost/team-stats feature:teamInsights
GET /api/codehost/bus-factor feature:busFactor
GET /api/codehost/org-health-scorecard feature:healthScorecard
GET /api/codehost/team-workload-risk feature:workloadRisk
GET /api/codehost/security-scan feature:securityScan
GET /api/codehost/audit-log feature:auditTrail
GET /api/codehost/repo-summary member
GET /api/codehost/rate-limit member
GET /api/codehost/runner-stats feature:runnerUtilization
GET /api/codehost/run-details member
GET /api/codehost/open-pr-health feature:prLifecycle
GET /api/codehost/org-overview feature:orgOverview
GET /api/codehost/org-repos member
GET /api/codehost/orgs member
GET /api/codehost/billing feature:costAnalytics
GET /api/codehost/billing/cost-analysis feature:costAnalytics
GET /api/codehost/issues feature:issueHealth
GET /api/codehost/deployments feature:deployments
GET /api/codehost/security-alerts feature:securityAlerts
POST /api/codehost/create-issue feature:codehostIssueFromAnomaly
POST /api/db/sync feature:dataSync
GET /api/db/runs feature:reports
GET /api/db/trends feature:reports
GET /api/db/working-habits member
GET /api/admin/users admin
PUT /api/admin/users/[codehostId]/groups admin
GET /api/admin/permissions admin
PUT /api/admin/permissions admin
GET /api/admin/audit admin
GET /api/admin/identity-links admin
POST /api/admin/identity-links admin
DELETE /api/admin/identity-links admin
POST /api/admin/identity-links/distinct admin
DELETE /api/admin/identity-links/distinct admin
GET /api/settings/working-habits admin
PUT /api/settings/working-habits admin
GET /api/settings/team admin
PUT /api/settings/team admin
GET /api/alerts feature:alerts
POST /api/alerts admin
PATCH /api/alerts admin
DELETE /api/alerts admin
POST /api/alerts/test admin
GET /api/cron/sync bearer
GET /api/cron/sync-pr-facts bearer
GET /api/cron/sync-commit-facts bearer
POST /api/webhooks/codehost signature
GET /api/ai/status member
GET /api/ai/insights feature:aiInsights
GET /api/ai/anomaly-explanation feature:aiInsights
GET /api/ai/root-cause feature:aiInsights
GET /api/settings/ai admin
PUT /api/settings/ai admin
GET /api/settings/email admin
PUT /api/settings/email admin
POST /api/settings/email/test admin
GET /api/health anyone
GET /api/ready anyone
GET /api/demo anyone
POST /api/auth/setup anyone
DELETE /api/auth/setup anyone
GET /api/auth/login anyone
GET /api/auth/callback anyone
POST /api/auth/logout anyone
GET /api/auth/me session
`
  .trim()
  .split('\n')
  .map((line) => {
    const [method, path, access] = line.split(' ') as [string, string, string];
    return { method, path, access };
  });

/** Operations that come on top of the law. */
export const additions = [
  'GET /api/codehost/merge-queue',
  'GET /api/codehost/merge-queue/entries',
  'GET /api/codehost/merge-queue/batches',
  'GET /api/exposure/actions',
  'GET /api/exposure/actions/history',
  'GET /api/exposure/search',
  'POST /api/exposure/draft',
  'POST /api/exposure/logs',
  'GET /api/ai-authorship/summary',
  'GET /api/ai-authorship/trend',
  'GET /api/ai-authorship/comparison',
  'GET /api/ai-authorship/by-repository',
  'GET /api/ai-authorship/cost',
  'GET /api/ai-authorship/agents',
  'GET /api/advisor/recommendations',
  'GET /api/advisor/recommendation',
  'GET /api/advisor/patch',
  'GET /api/advisor/plan',
  'GET /api/advisor/results',
  'GET /api/advisor/verdict',
  'POST /api/advisor/dismissals',
  'DELETE /api/advisor/dismissals',
  'POST /api/advisor/pull-request',
  'GET /api/admin/access',
  'GET /api/admin/invitations',
  'GET /api/admin/team-members',
  'GET /api/admin/teams',
  'POST /api/admin/users/groups',
  'DELETE /api/admin/sessions',
  'GET /api/admin/sessions',
  'DELETE /api/admin/tokens',
  'GET /api/admin/tokens',
  'GET /api/admin/identity-links/preview',
  'GET /api/admin/identity-links/suggestions',
  'DELETE /api/auth/sessions',
  'GET /api/alerts/preview',
  'GET /api/auth/administrators',
  'GET /api/auth/sessions',
  'GET /api/codehost/org-contributors',
  'GET /api/codehost/org-security',
  'GET /api/codehost/repo-attention',
  'GET /api/codehost/workflow-change-outcomes',
  'GET /api/codehost/workflow-cost',
  'GET /api/codehost/workflow-health',
  'GET /api/codehost/workflow-reliability',
  'GET /api/db/collection',
  'GET /api/db/compare',
  'GET /api/db/cost',
  'GET /api/db/overview',
  'GET /api/db/pull-requests',
  'GET /api/db/deployments',
  'GET /api/codehost/org-merge-queues',
  'GET /api/search',
  'GET /api/views',
  'POST /api/views',
  'PATCH /api/views',
  'DELETE /api/views',
  'GET /api/db/sync',
  'GET /api/db/workflows',
  'GET /api/db/workflow-durations',
  'GET /api/db/marks',
  'GET /api/explain',
  'GET /api/jobs',
  'GET /api/openapi.json',
  'GET /api/settings/otlp',
  'PUT /api/settings/otlp',
  'DELETE /api/settings/otlp',
  'POST /api/settings/otlp/test',
  'POST /api/settings/otlp/resend',
  'GET /api/settings/webhooks',
  'PUT /api/settings/webhooks',
  'DELETE /api/settings/webhooks',
  'POST /api/settings/webhooks/test',
  'POST /api/settings/webhooks/rotate',
  'POST /api/settings/otlp/backfills',
  'PATCH /api/settings/otlp/backfills',
  'GET /api/settings/setup',
  'GET /api/settings/advisor',
  'PUT /api/settings/advisor',
  'GET /api/settings/ai-authorship',
  'PUT /api/settings/ai-authorship',
  'GET /api/settings/sharing',
  'PUT /api/settings/sharing',
  'GET /api/shares',
  'POST /api/shares',
  'DELETE /api/shares',
  'GET /api/badges/[badge]',
  'POST /api/mcp',
  'GET /api/feeds/[feed]',
  'GET /api/tokens',
  'POST /api/tokens',
  'DELETE /api/tokens',
  'GET /api/settings/team/preview',
];
