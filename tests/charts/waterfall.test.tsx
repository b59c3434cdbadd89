// @vitest-environment jsdom
import { describe, expect, test } from 'vitest';
import { Waterfall, type WaterfallRow } from '../../app/charts/waterfall.tsx';
import { drawing, drawn, marks, tableRows } from './markup.ts';
import { jobs, jobsNow, zone } from './samples.ts';

const render = (rows: WaterfallRow[]) => (
  <Waterfall title="Jobs of run 812" summary="One job failed." rows={rows} zone={zone} now={jobsNow} />
);
const plain = (text = '') => text.replaceAll('\u00a0', ' ');

describe('the stored drawing', () => {
  test.each([
    ['full', render(jobs)],
    ['empty', render([])],
    ['one-job', render(jobs.slice(0, 1))],
    ['only-skipped', render(jobs.slice(3, 4))],
  ])('%s', async (name, chart) => {
    await expect(drawing(chart)).toMatchFileSnapshot(`./stored/waterfall-${name}.svg`);
  });
});

test('the table has the outcome in a word, the wait and the run of every part', () => {
  const rows = tableRows(drawn(render(jobs))).map((row) => row.map(plain));
  expect(rows[0]).toEqual(['Part', 'Outcome', 'Started', 'Waited', 'Ran']);
  expect(rows[1]).toEqual(['lint', 'passed', '00:00', '8 s', '1 min 2 s']);
  expect(rows[3]).toEqual(['· npm test', 'failed', '00:02', '–', '3 min 8 s']);
  expect(rows[4]).toEqual(['build', 'running', '00:05', '3 min 50 s', '4 min 40 s']);
  expect(rows[5]).toEqual(['deploy', 'skipped', '–', '–', '–']);
  expect(rows[6]).toEqual(['notify', 'queued', '–', '1 min 20 s', '–']);
});

test('waiting is drawn before running, and a skipped job not at all', () => {
  const reported = marks(drawn(render(jobs))).map(plain);
  expect(reported.slice(0, 2)).toEqual(['lint: waited 8 s', 'lint: passed, waited 8 s, ran 1 min 2 s']);
  expect(reported.some((mark) => mark.startsWith('deploy'))).toBe(false);
  expect(reported.at(-1)).toBe('notify: waited 1 min 20 s');
});

test('names stay text', () => {
  const chart = drawn(render(jobs));
  expect(chart.querySelector('script')).toBeNull();
  expect(chart.querySelectorAll('.row-label')[1]?.textContent).toContain('<script>alert(1)</script>');
});

test('what runs ends at the clock of the page', () => {
  const chart = drawn(render(jobs));
  const running = chart.querySelector('rect.fill-running');
  const [x, width] = ['x', 'width'].map((name) => Number.parseFloat(running?.getAttribute(name) ?? ''));
  expect((x ?? 0) + (width ?? 0)).toBeCloseTo(100, 1);
});
