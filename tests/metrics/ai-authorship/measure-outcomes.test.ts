import { describe, expect, test } from 'vitest';
import {
  measureOutcomes,
  type NamingPullRequest,
  type OutcomeSources,
} from '../../../server/metrics/ai-authorship/comparison/measure-outcomes.ts';
import { type CostedRun, measureCost } from '../../../server/metrics/ai-authorship/comparison/measure-runs.ts';
import type { PullRequest } from '../../../server/metrics/kernel/delivery-facts.ts';
import { dayMs as day, hourMs as hour, minuteMs as minute } from '../../../server/metrics/kernel/window.ts';
import { createPeople } from '../../../server/metrics/people/people.ts';
import { aPullRequest, aReview } from '../delivery-builders.ts';
import { aRun } from '../worlds.ts';

const createdAt = Date.UTC(2026, 0, 5, 9);
const people = createPeople();

const measure = (differences: Partial<PullRequest>, sources: Partial<OutcomeSources> = {}) =>
  measureOutcomes(aPullRequest({ createdAt, number: 7, ...differences }), {
    people,
    now: createdAt + 100 * day,
    naming: [],
    runs: null,
    others: [],
    ...sources,
  });

const naming = (differences: Partial<NamingPullRequest>): NamingPullRequest => ({
  target: 7,
  mergedAt: createdAt + 5 * day,
  isRevert: true,
  isFailureFix: true,
  ...differences,
});

describe('outcomes', () => {
  test('vector 18: merged on day 31 is not merged within 30 days', () => {
    const late = measure({ mergedAt: createdAt + 30 * day + 1 });
    expect(late).toMatchObject({ merged_30d: 0, time_to_merge_hours: 'not_merged' });
    const inTime = measure({ mergedAt: createdAt + 30 * day });
    expect(inTime).toMatchObject({ merged_30d: 1, time_to_merge_hours: 720 });
    expect(measure({ mergedAt: null, closedAt: createdAt + day })).toMatchObject({ merged_30d: 0 });
  });

  test('begin when a draft became ready', () => {
    const readyAt = createdAt + 10 * day;
    const clock = [{ kind: 'ready_for_review' as const, at: readyAt, login: null }];
    expect(measure({ clock, mergedAt: createdAt + 35 * day })).toMatchObject({ merged_30d: 1 });
    expect(measure({ clock }, { now: createdAt + 35 * day })).toMatchObject({ merged_30d: 'too_recent' });
  });

  test('are too recent before the whole follow-up has passed, also where it was merged', () => {
    expect(measure({}, { now: createdAt + 20 * day })).toMatchObject({
      merged_30d: 'too_recent',
      first_review_hours: 336,
      review_rounds: 'too_recent',
      time_to_merge_hours: 'too_recent',
      reverted_30d: 'too_recent',
    });
  });

  test('count what nobody reviewed within 14 days as long as that', () => {
    const review = (after: number) => [aReview('bob', 'approved', createdAt + after)];
    expect(measure({ reviews: review(3 * hour) })).toMatchObject({ first_review_hours: 3, review_rounds: 0 });
    const long = { mergedAt: createdAt + 20 * day };
    expect(measure({ ...long, reviews: review(15 * day) })).toMatchObject({
      first_review_hours: 336,
      review_rounds: 1,
    });
    expect(measure({ reviews: null })).toMatchObject({ first_review_hours: 'reviews_not_known' });
    expect(measure({ clock: null })).toMatchObject({ merged_30d: 'clock_not_known' });
  });

  test('vector 19: a revert of a revert undoes nothing, and marks the first revert', () => {
    const links = [naming({}), naming({ target: 8, mergedAt: createdAt + 6 * day })];
    expect(measure({}, { naming: links })).toMatchObject({ reverted_30d: 1, rework_30d: 1 });
    const revert = { number: 8, mergedAt: createdAt + 5 * day };
    expect(measure(revert, { naming: links })).toMatchObject({ reverted_30d: 1, rework_30d: 1 });
  });

  test('after the merge are those of 30 days, and of merged ones', () => {
    const late = [naming({ mergedAt: createdAt + 2 * hour + 30 * day + 1 })];
    expect(measure({}, { naming: late })).toMatchObject({ reverted_30d: 0, rework_30d: 0 });
    const fix = [naming({ isRevert: false })];
    expect(measure({}, { naming: fix })).toMatchObject({ reverted_30d: 0, rework_30d: 1 });
    const other = [naming({ isRevert: false, isFailureFix: false })];
    expect(measure({}, { naming: other })).toMatchObject({ rework_30d: 0 });
    expect(measure({}, { naming: null })).toMatchObject({ reverted_30d: 'links_not_known' });
    expect(measure({ mergedAt: null, closedAt: createdAt })).toMatchObject({ rework_30d: 'not_merged' });
  });
});

describe('runs of a pull request', () => {
  const window = { from: createdAt - day, to: createdAt + 90 * day };
  const run = (differences: Parameters<typeof aRun>[0], cost: CostedRun['cost'] = null): CostedRun => ({
    ...aRun({
      event: 'pull_request',
      headBranch: 'topic',
      createdAt: createdAt + hour,
      startedAt: createdAt + hour,
      updatedAt: createdAt + hour + 10 * minute,
      ...differences,
    }),
    cost,
  });

  test('are all attempts on its head branch while it was open', () => {
    const attempts = [
      run({ id: 1, conclusion: 'failure' }),
      run({ id: 1, attempt: 2 }),
      run({ id: 2, event: 'push' }),
      run({ id: 3, headBranch: 'other' }),
      run({ id: 4, createdAt: createdAt + 3 * hour }),
    ];
    expect(measure({}, { runs: { window, attempts } })).toMatchObject({ ci_minutes: 20, ci_failed_share: 0.5 });
    expect(measure({}, { runs: { window, attempts: [] } })).toMatchObject({
      ci_minutes: 0,
      ci_failed_share: 'no_conclusive_runs',
    });
  });

  test('began while it was open, and are not known where an earlier attempt was not seen', () => {
    const again = [run({ id: 1, conclusion: 'failure' }), run({ id: 1, attempt: 2, startedAt: createdAt + 3 * hour })];
    expect(measure({}, { runs: { window, attempts: again } })).toMatchObject({ ci_minutes: 10, ci_failed_share: 1 });
    const unseen = [run({ id: 1, attempt: 2 })];
    expect(measure({}, { runs: { window, attempts: unseen } })).toMatchObject({
      ci_minutes: 'runs_not_known',
      ci_failed_share: 'runs_not_known',
    });
  });

  test('cost what all of their attempts do, and nothing is known where one of them is not', () => {
    const failed = run({ id: 1, conclusion: 'failure' }, { minutes: 12, usd: 0.096 });
    const passed = run({ id: 1, attempt: 2 }, { minutes: 3, usd: 0.024 });
    const cost = (attempts: CostedRun[]) =>
      measureCost(aPullRequest({ createdAt, number: 7 }), {
        runs: { window, attempts },
        others: [],
        now: createdAt + 100 * day,
      });
    expect(cost([failed, passed])).toEqual({ minutes: 15, usd: 0.12, failedUsd: 0.096 });
    expect(cost([])).toEqual({ minutes: 0, usd: 0, failedUsd: 0 });
    expect(cost([failed, { ...passed, cost: null }])).toBeNull();
    const awaiting = run({ id: 2, conclusion: 'action_required' });
    expect(cost([failed, passed, awaiting])).toEqual({ minutes: 15, usd: 0.12, failedUsd: 0.096 });
    expect(cost([passed])).toBeNull();
  });

  test('are not known of one that ended after what came of its month counts', () => {
    const late = { mergedAt: createdAt + 60 * day };
    expect(measure(late, { runs: { window, attempts: [] }, now: createdAt + 50 * day })).toMatchObject({
      ci_minutes: 'not_ended',
    });
  });

  test('are not known where they are not stored, or where another one had such a branch', () => {
    expect(measure({}, { runs: null })).toMatchObject({ ci_minutes: 'runs_not_known' });
    const unread = [run({ id: 1 }), run({ id: 2, status: 'in_progress', conclusion: null })];
    expect(measure({}, { runs: { window, attempts: unread } })).toMatchObject({
      ci_minutes: 'runs_not_known',
      ci_failed_share: 0,
    });
    const skipped = [run({ id: 1 }), run({ id: 2, conclusion: 'skipped', startedAt: null })];
    expect(measure({}, { runs: { window, attempts: skipped } })).toMatchObject({ ci_minutes: 10 });
    const awaiting = [run({ id: 1 }), run({ id: 2, conclusion: 'action_required' })];
    expect(measure({}, { runs: { window, attempts: awaiting } })).toMatchObject({ ci_minutes: 10, ci_failed_share: 0 });
    const short = { window: { ...window, from: createdAt + 1 }, attempts: [] };
    expect(measure({}, { runs: short })).toMatchObject({ ci_minutes: 'runs_not_known' });
    const others = [aPullRequest({ number: 8, createdAt: createdAt + hour })];
    expect(measure({}, { runs: { window, attempts: [] }, others })).toMatchObject({ ci_minutes: 'branch_shared' });
    const earlier = [aPullRequest({ number: 8, createdAt: createdAt - day })];
    expect(measure({}, { runs: { window, attempts: [] }, others: earlier })).toMatchObject({ ci_minutes: 0 });
    expect(measure({ mergedAt: null }, { runs: { window, attempts: [] } })).toMatchObject({ ci_minutes: 'not_ended' });
  });
});
