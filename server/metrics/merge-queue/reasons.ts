import type { ReasonGroup } from '../../domain/queue-reasons.ts';

/** The words of timelines and of webhooks, in lower case. Timelines say `merged` where webhooks say `merge`. */
const groups: Readonly<Record<string, ReasonGroup>> = {
  merged: 'merged',
  merge: 'merged',
  already_merged: 'merged',
  failed_checks: 'checks_failed',
  ci_failure: 'checks_failed',
  checks_timed_out: 'checks_timed_out',
  ci_timeout: 'checks_timed_out',
  merge_conflict: 'conflict',
  queue_conflict: 'conflict',
  invalid_merge_commit: 'invalid',
  git_tree_invalid: 'invalid',
  branch_protections: 'protection',
  manual: 'manual',
  queue_cleared: 'cleared',
  roll_back: 'cleared',
};

/** What is new, or not said, is unknown. */
export const findReasonGroup = (reason: string | null): ReasonGroup => groups[reason ?? ''] ?? 'unknown';

const ejections: ReadonlySet<ReasonGroup | null> = new Set([
  'checks_failed',
  'checks_timed_out',
  'conflict',
  'invalid',
  'protection',
]);

/** Whether the queue itself removed it. */
export const isEjection = (group: ReasonGroup | null): boolean => ejections.has(group);

/** Whether it was removed for its checks. */
export const isEjectionByChecks = (group: ReasonGroup | null): boolean =>
  group === 'checks_failed' || group === 'checks_timed_out';
