import type { Instant } from '../../metrics/kernel/facts.ts';

/** The merge queue of a branch as it is. */
export interface MergeQueue {
  url: string;
  /** null where it could not be read; so are its parts. */
  configuration: {
    checksTimeoutMinutes: number | null;
    maxBuilds: number | null;
    maxMerge: number | null;
    minMerge: number | null;
    minWaitMinutes: number | null;
    strategy: string | null;
    method: string | null;
  } | null;
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
