import { expect, test } from 'vitest';
import { compareGathered } from '../../../server/metrics/ai-authorship/comparison/compare-gathered.ts';
import { cellOf } from '../../../server/metrics/ai-authorship/comparison/compared-pull-request.ts';
import { sampleGroups } from '../../../server/reports/ai-authorship/demo.ts';
import { sampleComparison } from '../../../server/reports/ai-authorship/demo-comparison.ts';
import { openedInSample } from './demo-world.ts';

test('agents of the sample look better at merging, are not, and take more review rounds', () => {
  const all = ['2026-05', '2026-06', '2026-07', '2026-08', '2026-09'];
  const ids = [...openedInSample.keys()];
  const groups = sampleGroups(openedInSample, { from: '2026-05', to: '2026-09', all }, Date.UTC(2026, 10, 29));
  const gathered = sampleComparison(groups, String);
  const { outcomes, raw } = compareGathered({
    gathered,
    excluded: [],
    compared: { class: 'agent_authored', agent: null },
    counted: gathered.map(cellOf),
    repositoryIds: new Map(ids.map((id) => [String(id), id])),
    seed: ['demo'],
  });
  const [marked, unmarked] = raw.filter(({ key }) => key === 'merged_30d');
  expect((marked?.value ?? 0) - (unmarked?.value ?? 0)).toBeGreaterThan(7);
  const told = outcomes.filter(({ verdict }) => verdict === 'higher' || verdict === 'lower');
  expect(told.map(({ key, verdict }) => [key, verdict])).toEqual([['review_rounds', 'higher']]);
  expect(told[0]?.effect).toBeGreaterThan(0.4);
  expect(told[0]?.reasons).toEqual(['in_one_repository']);
  const [merged] = outcomes;
  expect(['no_difference_shown', 'no_relevant_difference']).toContain(merged?.verdict);
});
