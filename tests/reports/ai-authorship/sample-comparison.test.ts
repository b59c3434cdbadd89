import { expect, test } from 'vitest';
import { comparedAverages } from '../../../server/metrics/ai-authorship/comparison/averages.ts';
import { comparePullRequests } from '../../../server/metrics/ai-authorship/comparison/compare.ts';
import { sampleGroups } from '../../../server/reports/ai-authorship/demo.ts';
import { sampleComparison } from '../../../server/reports/ai-authorship/demo-comparison.ts';

test('agents of the sample look better at merging, are not, and take more review rounds', () => {
  const all = ['2026-05', '2026-06', '2026-07', '2026-08', '2026-09', '2026-10'];
  const ids = Array.from({ length: 14 }, (_unused, index) => 1000 + index);
  const groups = sampleGroups(ids, { from: '2026-05', to: '2026-10', all }, Date.UTC(2026, 10, 29));
  const pullRequests = sampleComparison({ groups }, { class: 'agent_authored', agent: null });
  const [marked, unmarked] = comparedAverages(pullRequests).filter(({ key }) => key === 'merged_30d');
  expect((marked?.value ?? 0) - (unmarked?.value ?? 0)).toBeGreaterThan(7);
  const { outcomes } = comparePullRequests(pullRequests, ['demo']);
  const told = outcomes.filter(({ verdict }) => verdict === 'higher' || verdict === 'lower');
  expect(told.map(({ key, verdict }) => [key, verdict])).toEqual([['review_rounds', 'higher']]);
  expect(told[0]?.effect).toBeGreaterThan(0.4);
  const [merged] = outcomes;
  expect(['no_difference_shown', 'no_relevant_difference']).toContain(merged?.verdict);
});
