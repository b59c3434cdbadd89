import { describe, expect, test } from 'vitest';
import { commitOutcomes, computeFlakiness } from '../../../server/metrics/runs/flaky.ts';
import { aRun, day, hour, minute } from '../worlds.ts';

const now = Date.UTC(2026, 2, 31);
const attemptOf = (id: number, attempt: number, conclusion: 'success' | 'failure' | 'cancelled') =>
  aRun({
    id,
    attempt,
    conclusion,
    createdAt: now - day,
    startedAt: now - day + attempt * hour,
    updatedAt: now - day + attempt * hour + 3 * minute,
  });
const passes = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => attemptOf(from + index, 1, 'success'));

describe('flakiness', () => {
  test('is a failed attempt that passed when run again on the same commit', () => {
    const attempts = [...passes(2, 10), attemptOf(1, 1, 'failure'), attemptOf(1, 2, 'success')];
    expect(computeFlakiness(attempts, now)).toEqual({
      ratePct: 10,
      flakyCommits: 1,
      rerunsFixed: 1,
      lostMs: 3 * minute,
      sample: 10,
    });
  });

  test('is unknown under ten commits', () => {
    const attempts = [...passes(2, 9), attemptOf(1, 1, 'failure'), attemptOf(1, 2, 'success')];
    expect(computeFlakiness(attempts, now)).toMatchObject({ ratePct: null, rerunsFixed: 1, sample: 9 });
  });

  test('is not a red commit fixed by the next one', () => {
    const red = aRun({ ...attemptOf(1, 1, 'failure'), headSha: 'red' });
    const green = aRun({ ...attemptOf(2, 1, 'success'), headSha: 'green' });
    expect(computeFlakiness([red, green, ...passes(3, 12)], now)).toMatchObject({ ratePct: 0, rerunsFixed: 0 });
  });

  test.each([
    ['a pass before the failure', 'success', 'failure'],
    ['a cancelled attempt', 'cancelled', 'success'],
    ['two failures', 'failure', 'failure'],
  ] as const)('is not %s', (_, first, second) => {
    const attempts = [...passes(2, 12), attemptOf(1, 1, first), attemptOf(1, 2, second)];
    expect(computeFlakiness(attempts, now)).toMatchObject({ ratePct: 0, rerunsFixed: 0, lostMs: 0 });
  });

  test('is also a second run of the same commit, but not a build of another event', () => {
    const failed = { ...attemptOf(1, 1, 'failure'), headSha: 'same' };
    const later = { ...attemptOf(2, 1, 'success'), headSha: 'same', startedAt: now - hour };
    const [commit] = commitOutcomes([later, failed], now);
    expect(commit).toMatchObject({ flaky: true, rerunsFixed: 0, failedThenPassed: [failed] });
    const [builds] = commitOutcomes([{ ...later, event: 'pull_request' }, failed], now);
    expect(builds?.flaky).toBe(false);
  });

  test('does not mix workflows', () => {
    const failed = { ...attemptOf(1, 1, 'failure'), headSha: 'same' };
    const other = { ...attemptOf(2, 1, 'success'), headSha: 'same', workflowId: 8, startedAt: now };
    expect(commitOutcomes([failed, other], now).map(({ flaky }) => flaky)).toEqual([false, false]);
  });

  test('looks back thirty days and not further', () => {
    const old = { createdAt: now - 30 * day - 1, startedAt: now - 30 * day - 1 };
    const attempts = [...passes(2, 11), { ...attemptOf(1, 1, 'failure'), ...old }];
    expect(computeFlakiness(attempts, now).sample).toBe(10);
    expect(
      computeFlakiness([...passes(2, 11), { ...attemptOf(1, 1, 'failure'), createdAt: now - 30 * day }], now).sample,
    ).toBe(11);
  });

  test('counts commits with a conclusive result only', () => {
    expect(computeFlakiness([...passes(1, 10), attemptOf(11, 1, 'cancelled')], now).sample).toBe(10);
  });
});
