import { expect, test } from 'vitest';
import { freshService } from '../../api/endpoints.ts';
import { anActor } from '../../codehost-double/delivery-builders.ts';
import { day, hour } from '../workload/workload-world.ts';

const visit = freshService();
const ask = async (days?: number) => {
  const query = `owner=octo&repo=secret${days ? `&days=${days}` : ''}`;
  return (await visit.service.ask('GET', `/api/codehost/repo-contributors?${query}`, { as: 'token-ann' })).body;
};

/** Twenty a month: open for two hours and approved in the last one, for forty and unreviewed in the one before. */
function putMonths() {
  const now = visit.service.clock.now();
  for (let number = 1; number <= 40; number++) {
    const isRecent = number <= 20;
    const mergedAt = now - (isRecent ? number : number + 10) * day;
    const createdAt = mergedAt - (isRecent ? 2 : 40) * hour;
    const approval = { reviewer: anActor('bob'), state: 'approved' as const, submittedAt: createdAt + hour };
    const reviews = isRecent ? [approval] : [];
    visit.service.double.putPullRequest('octo/secret', {
      number,
      author: anActor('ana'),
      createdAt,
      mergedAt,
      reviews,
    });
  }
}

test('a month is compared with the one before', async () => {
  putMonths();
  const body = await ask(30);
  expect(body.prs_merged_total).toBe(20);
  expect(body.before).toEqual({
    prs_merged_total: 20,
    prs_merged_by_people: 20,
    prs_human_reviewed: 0,
    prs_first_pass_approved: 0,
    prs_self_merged: 20,
    median_hours_to_merge: 40,
    reviewed_before_merge_pct: 0,
    first_pass_approval_rate: null,
    self_merged_pct: 100,
  });
  expect(body.verdicts).toEqual({
    prs_merged_total: 'no_difference_shown',
    median_hours_to_merge: 'lower',
    reviewed_before_merge_pct: 'higher',
    first_pass_approval_rate: 'not_enough_data',
    self_merged_pct: 'no_difference_shown',
  });
});

interface MergeDay {
  merged: number | null;
  partial: boolean;
}

test('its days sum up to what was merged, the first and the last in part', async () => {
  putMonths();
  const days = (await ask(30)).merge_days as MergeDay[];
  expect(days).toHaveLength(31);
  expect(days.reduce((sum, { merged }) => sum + (merged ?? 0), 0)).toBe(20);
  expect(days.map(({ partial }) => partial)).toEqual([true, ...Array<boolean>(29).fill(false), true]);
});

test('nothing is compared of a quarter, nor of the last closed ones', async () => {
  putMonths();
  for (const [days, length] of [
    [90, 91],
    [undefined, 0],
  ] as const) {
    const { before, verdicts, merge_days } = await ask(days);
    expect([days, before, merge_days.length]).toEqual([days, null, length]);
    expect(new Set(Object.values(verdicts))).toEqual(new Set(['not_enough_data']));
  }
});
