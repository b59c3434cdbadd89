import { expect, test } from 'vitest';
import { computeRunFigures, tallyRuns } from '../../../server/metrics/runs/run-figures.ts';
import { aRun, second } from '../worlds.ts';

const twenty = (jobWaitMs: number | null) =>
  tallyRuns(Array.from({ length: 20 }, (_, index) => ({ ...aRun({ id: index + 1 }), jobWaitMs })));

test('queue waits are compared where both windows have them from the same source', () => {
  const figures = (now: number | null, before: number | null) => computeRunFigures(twenty(now), twenty(before));
  expect(figures(60 * second, 40 * second)).toMatchObject({ queueWaitChangePct: 50, queueWaitVerdict: 'higher' });
  expect(figures(null, null)).toMatchObject({ queueWaitVerdict: 'no_difference_shown' });
  for (const one of [figures(60 * second, null), figures(null, 60 * second)])
    expect(one).toMatchObject({ queueWaitChangePct: null, queueWaitVerdict: 'not_enough_data' });
});
