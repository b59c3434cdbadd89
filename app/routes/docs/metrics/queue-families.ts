import type { Family } from './family.ts';
import { pulls, repository, rest, runs } from './sources.ts';

/** Figures of merge queues. */
export const queueFamilies: readonly Family[] = [
  {
    label: 'Merge queue',
    keys: [
      'queue_time_p50',
      'queue_time_p90',
      'queue_total_p50',
      'queue_total_p90',
      'queue_gap_p50',
      'attempts_per_merge',
      'multiple_attempts_share',
      'queue_length',
      'ejection_rate',
      'flaky_ejection_share',
      'throughput_per_hour',
      'batch_size_p50',
      'batch_size_max',
      'bypass_share',
    ],
    page: { label: 'Merge queue', href: `${repository}/merge-queue` },
    operations: ['/api/codehost/merge-queue', '/api/codehost/merge-queue/entries', '/api/codehost/org-merge-queues'],
    definedBy: null,
    data: pulls,
  },
  {
    label: 'Merge queue',
    keys: [
      'checks_time_p50',
      'checks_time_p90',
      'innocent_rebuilds',
      'queue_ci_minutes_per_merge',
      'queue_wasted_minutes_per_merge',
    ],
    page: { label: 'Merge queue', href: `${repository}/merge-queue` },
    operations: ['/api/codehost/merge-queue', '/api/codehost/merge-queue/entries'],
    definedBy: null,
    data: runs,
  },
  {
    label: 'Merge queue',
    keys: ['queue_to_production_p50', 'queue_to_production_p90', 'train_wait_p50', 'batches_per_train'],
    page: { label: 'Merge queue', href: `${repository}/merge-queue` },
    operations: ['/api/codehost/merge-queue', '/api/codehost/merge-queue/batches'],
    definedBy: null,
    data: rest('Deployments', 'deployments/deployments'),
  },
];
