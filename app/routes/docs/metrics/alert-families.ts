import type { Family } from './family.ts';
import { alertRules, commits, gitReferences, pulls, runs } from './sources.ts';

/** Metrics that only alert rules watch. */
export const alertFamilies: readonly Family[] = [
  {
    label: 'Alerts',
    keys: ['duration_p95', 'queue_wait_p95', 'anomaly_count'],
    page: alertRules,
    operations: ['/api/alerts'],
    definedBy: null,
    data: runs,
  },
  {
    label: 'Alerts',
    keys: ['pr_throughput_drop', 'review_response_p90', 'pr_abandon_rate', 'unreviewed_pr_age'],
    page: alertRules,
    operations: ['/api/alerts'],
    definedBy: null,
    data: pulls,
  },
  {
    label: 'Alerts',
    keys: ['oversized_commit_pct', 'afterhours_commit_pct'],
    page: alertRules,
    operations: ['/api/alerts', '/api/db/working-habits'],
    definedBy: null,
    data: commits,
  },
  {
    label: 'Alerts',
    keys: ['action_tags_moved'],
    page: alertRules,
    operations: ['/api/alerts', '/api/exposure/actions/history'],
    definedBy: null,
    data: gitReferences,
  },
  {
    label: 'Alerts',
    keys: ['action_advisory_open'],
    page: alertRules,
    operations: ['/api/alerts', '/api/exposure/actions'],
    definedBy: null,
    data: gitReferences,
  },
  {
    label: 'Alerts',
    keys: ['exposure_proven'],
    page: alertRules,
    operations: ['/api/alerts', '/api/exposure/search'],
    definedBy: null,
    data: runs,
  },
  {
    label: 'Alerts',
    keys: ['merge_queue_time_p90', 'merge_queue_ejection_rate', 'merge_queue_length', 'merge_queue_growth'],
    page: alertRules,
    operations: ['/api/alerts', '/api/codehost/merge-queue'],
    definedBy: null,
    data: pulls,
  },
  {
    label: 'Alerts',
    keys: ['advisor_gain_lost'],
    page: alertRules,
    operations: ['/api/alerts', '/api/advisor/results'],
    definedBy: null,
    data: runs,
  },
];
