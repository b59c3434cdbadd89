import type { PanelsOf } from '../../../server/http/adapters.ts';
import type { getMergeQueue } from '../../../server/reports/merge-queue/operations.ts';

export type QueueAnswer = PanelsOf<{ queue: typeof getMergeQueue }>['queue'];
export type MergeQueue = Extract<QueueAnswer, { ok: true }>['data'];
export type QueueEntry = MergeQueue['entries'][number];
export type Figures = NonNullable<MergeQueue['figures']>;

export const queueFeature = {
  label: 'Merge queue',
  shows: 'what waits in merge queues, how long merges take, and what is ejected',
};

export const etaReasonLabels: Record<NonNullable<QueueEntry['eta_reason']>, string> = {
  few_samples: 'Needs 50 merged entries in 90 days',
  outside_experience: 'More ahead than ever',
  outwaited: 'Waits longer than any before',
  stalled: 'The queue is stalled',
  unreliable: 'Estimates were wrong too often',
};

export const stateLabels: Record<QueueEntry['state'], string> = {
  queued: 'In queue',
  awaiting_checks: 'Awaiting checks',
  mergeable: 'Ready to merge',
  unmergeable: 'Cannot be merged',
  locked: 'Merging',
};
