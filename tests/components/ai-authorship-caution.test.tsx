import { readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { AuthorshipCaution } from '../../app/routes/org/ai-authorship-caution.tsx';
import type { Comparison } from '../../app/routes/org/ai-authorship-comparison.tsx';

test('the page and its documentation say of which samples something was found as it was measured', () => {
  const measured = readFileSync('tests/bench/README.md', 'utf8');
  const [, sizes = ''] = /15 points fewer merges, with some ([^|]*?) matched sets/.exec(measured) ?? [];
  const [, found = ''] = /Found in ([\d, and]+) of 200;/.exec(measured) ?? [];
  const [one, two, three] = sizes.match(/\d+/g) ?? [];
  const tenths = (found.match(/\d+/g) ?? []).map((worlds) => Math.round(Number(worlds) / 20));
  expect(tenths, 'one of six, half, and seven of ten').toEqual([2, 5, 7]);
  const data = {
    outcomes: [{ key: 'merged_30d' }],
    balance: [],
    raw: [],
    excluded: [],
    placebo: { p1_claims_pct: null, p2: 'pass' },
    matched_share_pct: null,
    class: 'ai_assisted',
  } as unknown as Comparison;
  const said = `one of six with some ${one} matched pull requests, in half of those with ${two}, and in seven of ten with ${three}`;
  expect(renderToStaticMarkup(<AuthorshipCaution data={data} />)).toContain(said);
  expect(readFileSync('app/routes/docs/content/ai-authorship.md', 'utf8')).toContain(said);
});
