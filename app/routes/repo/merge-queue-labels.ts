import type { PanelsOf } from '../../../server/http/adapters.ts';
import type {
  getMergeQueue,
  getQueueBatches,
  getQueueEntries,
} from '../../../server/reports/merge-queue/operations.ts';
import type { Filter } from '../../components/filter-bar.tsx';
import { chosenDays, getDayFilter } from '../../components/period-filters.ts';
import type { RepositoryPath } from './panels.ts';

export type QueueAnswer = PanelsOf<{ queue: typeof getMergeQueue }>['queue'];
export type MergeQueue = Extract<QueueAnswer, { ok: true }>['data'];
export type QueueEntry = MergeQueue['entries'][number];
export type QueueEntriesData = Extract<PanelsOf<{ entries: typeof getQueueEntries }>['entries'], { ok: true }>['data'];
export type QueueBatchesData = Extract<PanelsOf<{ batches: typeof getQueueBatches }>['batches'], { ok: true }>['data'];
type QueueStay = QueueEntriesData['entries'][number];
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
  settings_changed: 'Needs 20 merges since the settings changed',
};

export const stateLabels: Record<QueueEntry['state'], string> = {
  queued: 'In queue',
  awaiting_checks: 'Awaiting checks',
  mergeable: 'Ready to merge',
  unmergeable: 'Cannot be merged',
  locked: 'Merging',
};

/** Where the entries are that an answer counts, some of them alone. */
export function entriesHref(
  base: string,
  { owner, repo }: RepositoryPath,
  { branch, window_days: days }: Pick<MergeQueue, 'branch' | 'window_days'>,
  chosen: Record<string, string> = {},
): string {
  const query = new URLSearchParams({ ...(branch && { branch }), range: String(days), ...chosen });
  return `${base}/repos/${owner}/${repo}/merge-queue/entries?${query}`;
}

/** Where the batches are that an answer counts, some of them alone. */
export function batchesHref(
  base: string,
  { owner, repo }: RepositoryPath,
  { branch, window_days: days }: Pick<MergeQueue, 'branch' | 'window_days'>,
  chosen: Record<string, string> = {},
): string {
  const query = new URLSearchParams({ ...(branch && { branch }), range: String(days), ...chosen });
  return `${base}/repos/${owner}/${repo}/merge-queue/batches?${query}`;
}

/** Rows of a page of entries or batches. */
export const rowsOfPage = '50';

const queueRanges = ['7', '30', '90'];

/** The days that the range of an address stands for, as answers about queues take them. */
export const queueDays = (query: URLSearchParams): string => chosenDays(query, queueRanges);

export const getQueueRange = (query: URLSearchParams): Filter => getDayFilter(query, queueRanges);

export const outcomeLabels: Record<QueueStay['outcome'], string> = {
  merged: 'Merged',
  ejected: 'Ejected',
  removed: 'Removed',
  open: 'In queue',
};

/** Minutes as lists show them, from ten on without seconds. */
export const toWholeMinutes = (minutes: number | null): number | null =>
  minutes === null || minutes < 10 ? minutes : Math.round(minutes);
