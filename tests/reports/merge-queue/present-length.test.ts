import { describe, expect, test } from 'vitest';
import { lastDaysWindow } from '../../../server/metrics/kernel/window.ts';
import { queueHistory } from '../../../server/metrics/merge-queue/history.ts';
import { measurePresentLength } from '../../../server/reports/merge-queue/present-length.ts';
import { added, at, pullRequest, removed } from '../../metrics/merge-queue/queue-facts.ts';

const now = at('12:00');
const left = pullRequest({ events: [added('10:00'), removed('10:30', 'merged')], mergedAt: '10:30' });
const waiting = pullRequest({ number: 2, events: [added('11:00')] });

/** The length of the queue where so many are in it by the queue itself; null where that was not read. */
function measure(total: number | null, partial: boolean, pullRequests = [left]) {
  const history = queueHistory({ pullRequests, notices: [], runs: [] }, 'main', now);
  const entries = Array.from({ length: Math.min(total ?? 0, 100) }, (_, index) => ({
    number: 10 + index,
    title: null,
    htmlUrl: `https://codehost.test/octo/web/pull/${10 + index}`,
    position: index + 1,
    state: 'queued' as const,
    enteredAt: now,
    estimatedAt: null,
  }));
  const queue = { url: 'https://codehost.test/octo/web/queue/main', configuration: null, total: total ?? 0, entries };
  const live = total === null ? null : { queue, defaultBranch: 'main', isSupported: true, stale: false, asOf: now };
  const open = { partial, stale: false, asOf: now };
  return measurePresentLength({ history, live, open }, { history, window: lastDaysWindow(30, now), runsFrom: 0 });
}

describe('how many are in a queue now', () => {
  test('is what the queue says, whatever is stored', () => {
    expect(measure(3, true)).toMatchObject({ value: 3, sample: 3 });
    expect(measure(120, true)).toMatchObject({ value: 120, sample: 120 });
    expect(measure(0, false, [left, waiting])).toMatchObject({ value: 0, sample: 0 });
  });

  test('is by what is stored where the queue was not read and all that is open was', () => {
    expect(measure(null, false, [left, waiting])).toMatchObject({ value: 1, sample: 1 });
    expect(measure(null, false)).toMatchObject({ value: 0 });
  });

  test('is not known where neither was', () => {
    expect(measure(null, true)).toMatchObject({ value: null });
    expect(measure(null, true, [left, waiting])).toMatchObject({ value: null });
  });
});
