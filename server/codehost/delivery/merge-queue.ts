import type { Instant } from '../../metrics/kernel/facts.ts';
import type { QueueConfiguration } from '../../metrics/merge-queue/configuration.ts';

/** The merge queue of a branch as it is. */
export interface MergeQueue {
  url: string;
  /** null where it could not be read; so are its parts. */
  configuration: QueueConfiguration | null;
  total: number;
  /** In its order, at most 100. */
  entries: {
    number: number;
    title: string | null;
    htmlUrl: string;
    position: number;
    state: 'queued' | 'awaiting_checks' | 'mergeable' | 'unmergeable' | 'locked';
    enteredAt: Instant;
    /** When the platform expects the merge. */
    estimatedAt: Instant | null;
  }[];
}
