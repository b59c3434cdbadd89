const web = { owner: 'octo', repo: 'web' };
const workflow = { ...web, workflow_id: 7001 };

/** Good calls of every tool over the named world. */
export const calls: [string, Record<string, unknown>][] = [
  ['whoami', {}],
  ['find_repositories', { query: 'web' }],
  ['repository_status', web],
  ['delivery_metrics', web],
  ['explain_number', { ...web, metric: 'lead_time' }],
  ['explain_number', { ...web, metric: 'total_deployments' }],
  ['explain_number', { ...workflow, metric: 'failure_rate' }],
  ['explain_number', { ...workflow, job: 'build', metric: 'critical_path_time' }],
  ['delivery_metrics', { ...web, environment: 'production' }],
  ['workflow_health', web],
  ['workflow_health', workflow],
  ['why_is_ci_slow', workflow],
  ['flaky_and_reliability', workflow],
  ['ci_cost', workflow],
  ['ci_cost', web],
  ['ci_cost', { org: 'octo' }],
  ['inspect_run', web],
  ['inspect_run', { ...web, run_id: 5010 }],
  ['open_pull_requests', web],
  ['issue_health', web],
  ['security_findings', web],
  ['organization', { org: 'octo', view: 'overview' }],
  ['organization', { org: 'octo', view: 'health' }],
  ['trends', web],
  ['compare_periods', { ...web, metrics: ['success_rate', 'duration_p50', 'runs', 'lead_time'], days: 14 }],
  ['alerts', {}],
  ['contributor', { owner: 'octo', login: 'ana' }],
];
