import type { Family } from './family.ts';
import { billing, jobs, rest, runs, workflow } from './sources.ts';

/** Metrics of runs, and of what they cost. */
export const ciFamilies: readonly Family[] = [
  {
    label: 'Workflow runs',
    keys: [
      'success_rate',
      'workflow_median_duration',
      'workflow_p90_duration',
      'average_duration',
      'p95_duration',
      'queue_wait',
      'p90_queue_wait',
      'average_queue_wait',
      'failure_streak',
    ],
    page: workflow('overview', 'overview'),
    operations: ['/api/codehost/workflow-health'],
    definedBy: null,
    data: runs,
  },
  {
    label: 'Workflow reliability',
    keys: ['ci_recovery', 'flaky_rate', 'flaky_cost', 'rerun_rate', 'delayed_runs', 'wasted_queue'],
    page: workflow('reliability', 'reliability'),
    operations: ['/api/codehost/workflow-reliability'],
    definedBy: null,
    data: runs,
  },
  {
    label: 'Workflow performance',
    keys: ['critical_path_share', 'critical_path_time'],
    page: workflow('performance', 'performance'),
    operations: ['/api/codehost/job-stats'],
    definedBy: null,
    data: jobs,
  },
  {
    label: 'CI of several repositories',
    keys: ['median_duration', 'p90_duration', 'failure_rate', 'cancelled_share'],
    page: { label: 'CI', href: '/demo/ci' },
    operations: ['/api/db/workflows'],
    definedBy: null,
    data: runs,
  },
  {
    label: 'Cost',
    keys: ['monthly_cost', 'wasted_monthly_cost'],
    page: { label: 'Cost', href: '/demo/cost' },
    operations: ['/api/db/cost', '/api/db/workflows'],
    definedBy: billing,
    data: jobs,
  },
  {
    label: 'Cost',
    keys: ['net_amount', 'gross_amount', 'billed_minutes'],
    page: { label: 'Cost, bill', href: '/demo/cost?view=bill' },
    operations: ['/api/codehost/billing', '/api/codehost/billing/cost-analysis'],
    definedBy: billing,
    data: rest('Billing usage', 'billing/usage'),
  },
  {
    label: 'Cost',
    keys: ['estimated_cost', 'median_run_cost', 'cost_per_pull_request', 'wasted_cost', 'wasted_minutes'],
    page: workflow('cost', 'cost'),
    operations: ['/api/codehost/workflow-cost'],
    definedBy: billing,
    data: jobs,
  },
];
