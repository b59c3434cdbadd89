/** Why an entry left a queue, as pages and figures name it; order of the list of reasons. */
export const reasonGroups = [
  'merged',
  'checks_failed',
  'checks_timed_out',
  'conflict',
  'invalid',
  'protection',
  'pushed',
  'manual',
  'cleared',
  'unknown',
] as const;
export type ReasonGroup = (typeof reasonGroups)[number];

export const reasonLabels: Record<ReasonGroup, string> = {
  merged: 'Merged',
  checks_failed: 'Checks failed',
  checks_timed_out: 'Checks timed out',
  conflict: 'Merge conflict',
  invalid: 'Invalid merge commit',
  protection: 'Branch protection',
  pushed: 'New commits pushed',
  manual: 'Removed by a person',
  cleared: 'Queue cleared / rolled back',
  unknown: 'Other',
};
