import { expect, test } from 'vitest';
import type { PullRequestState } from '../../../server/codehost/pull-requests/states.ts';
import { stateOf } from '../../../server/reports/advisor/item.ts';

const mergedAt = Date.parse('2026-03-02T09:00:00Z');
const state = (
  reasons: Parameters<typeof stateOf>[0]['reasons'],
  pullRequest: Pick<PullRequestState, 'state' | 'mergedAt'> | null,
  readAt = mergedAt - 1000,
) => stateOf({ reasons }, { dismissal: null, pullRequest, readAt });

test('in an open pull request it stays when it came to save too little, and not for any other reason', () => {
  const open = { state: 'open', mergedAt: null } as const;
  expect(state([], open)).toBe('in_pull_request');
  expect(state(['below_materiality'], open)).toBe('in_pull_request');
  expect(state(['below_materiality'], null)).toBe('not_offered');
  expect(state(['below_materiality', 'sample_too_small'], open)).toBe('not_offered');
});

test('it is merged until it is found in a file that was read after the merge', () => {
  const merged = { state: 'merged', mergedAt } as const;
  expect(state([], merged)).toBe('merged');
  expect(state([], merged, mergedAt)).toBe('merged');
  expect(state([], merged, mergedAt + 1)).toBe('open');
  expect(state([], { state: 'closed', mergedAt: null })).toBe('open');
});
