import { expect, test } from 'vitest';
import { describeTeamChange } from '../../app/routes/repo/team/changes.ts';
import type { TeamFigures } from '../../app/routes/repo/team/operations.ts';

const before = {
  prs_merged_total: 40,
  prs_merged_by_people: 40,
  prs_human_reviewed: 20,
  prs_first_pass_approved: 4,
  prs_self_merged: 10,
  median_hours_to_merge: 10,
  reviewed_before_merge_pct: 50,
  first_pass_approval_rate: 20,
  self_merged_pct: 25,
};
const verdicts = {
  prs_merged_total: 'higher',
  median_hours_to_merge: 'lower',
  reviewed_before_merge_pct: 'higher',
  first_pass_approval_rate: 'no_difference_shown',
  self_merged_pct: 'not_enough_data',
};
const now = { ...before, prs_merged_total: 50, median_hours_to_merge: 5, reviewed_before_merge_pct: 75 };
const data = { ...now, before, latest: now, verdicts, window_days: 30 } as unknown as TeamFigures;
const shown = { better: 'higher', isOff: false } as const;

test('counts and times change in percent, shares in points, each with the verdict of the answer', () => {
  const keys = ['prs_merged_total', 'median_hours_to_merge', 'reviewed_before_merge_pct'] as const;
  expect(keys.map((key) => describeTeamChange(data, key, shown))).toMatchObject([
    { by: 25, unit: 'percent', verdict: 'higher', against: 'the previous period' },
    { by: -50, unit: 'percent', verdict: 'lower' },
    { by: 25, unit: 'points', verdict: 'higher' },
  ]);
});

test('few, or what was not read, is not compared, and says why', () => {
  const few = { ...data, before: { ...before, prs_merged_total: 4 } };
  expect(describeTeamChange(few, 'prs_merged_total', shown)).toMatchObject({
    by: null,
    reason: 'fewer than 5 merged pull requests',
  });
  expect(describeTeamChange({ ...data, before: null }, 'self_merged_pct', shown)).toMatchObject({
    by: null,
    reason: 'not all data of both periods is stored',
  });
  const unread = { ...data, before: { ...before, prs_human_reviewed: null } };
  expect(describeTeamChange(unread, 'reviewed_before_merge_pct', shown)?.by).toBeNull();
});

test('nothing is said of a quarter, of the last closed ones, and where the address compares nothing', () => {
  for (const window_days of [90, null] as const)
    expect(describeTeamChange({ ...data, window_days }, 'prs_merged_total', shown)).toBeUndefined();
  expect(describeTeamChange(data, 'prs_merged_total', { ...shown, isOff: true })).toBeUndefined();
});
