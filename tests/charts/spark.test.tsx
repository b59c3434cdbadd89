// @vitest-environment jsdom
import { describe, expect, test } from 'vitest';
import { Spark, type SparkProps } from '../../app/charts/spark.tsx';
import { drawing, drawn } from './markup.ts';
import { fortnight } from './samples.ts';

const spark = (values: SparkProps['values'], kind: SparkProps['kind'] = 'line') => (
  <Spark values={values} unit="milliseconds" label="Duration <script>, 14 days" kind={kind} />
);
const limited = (values: SparkProps['values'], limit: number, kind: SparkProps['kind'] = 'line') => (
  <Spark values={values} unit="milliseconds" label="Duration, 14 days" limit={limit} kind={kind} />
);
const path = (chart: HTMLElement) => chart.querySelector('path')?.getAttribute('d') ?? '';

describe('the stored drawing', () => {
  test.each([
    ['line-with-gaps', spark(fortnight)],
    ['bars-with-gaps', spark(fortnight, 'bars')],
    ['one-point', spark([5000])],
    ['all-zero', spark([0, 0, 0])],
    ['limit-above', limited(fortnight, 600_000)],
    ['limit-within', limited(fortnight, 420_000, 'bars')],
  ])('%s', async (name, chart) => {
    await expect(drawing(chart)).toMatchFileSnapshot(`./stored/spark-${name}.svg`);
  });
});

test('its numbers are reported in words', () => {
  expect(drawn(spark([60_000, null, 90_000])).querySelector('title')?.textContent).toBe(
    'Duration <script>, 14 days: lowest 1\u00a0min, highest 1\u00a0min 30\u00a0s, last 1\u00a0min 30\u00a0s',
  );
});

test('an unknown value breaks the line and stays visible as a gap', () => {
  expect(path(drawn(spark([1, 2, null, 3, 4]))).match(/M/g)).toHaveLength(2);
  expect(path(drawn(spark([1, null, 2]))).match(/h3/g)).toHaveLength(2);
});

test('a limit is reported in words, and the scale has room for it', () => {
  const chart = (limit: number) => drawn(limited([60_000, 90_000], limit));
  expect(chart(120_000).querySelector('title')?.textContent).toMatch(/, last 1.min 30.s, threshold 2.min$/);
  const heights = (limit: number) =>
    [...chart(limit).querySelectorAll('path')].map((one) => one.getAttribute('d')?.match(/^M\S+ ([\d.]+)/)?.[1]);
  expect(heights(120_000)).toEqual(['12', '2']);
  expect(heights(45_000)).toEqual(['8.7', '12']);
  expect(heights(0)).toEqual(['8.7', '22']);
});

test('a bar for zero can be seen, a bar for unknown does not exist', () => {
  expect(path(drawn(spark([0, null, 4], 'bars'))).match(/M/g)).toHaveLength(2);
});

test('nothing known is said in words, not drawn', () => {
  expect(drawn(spark([null, null])).innerHTML).toBe('<span class="muted">no data</span>');
});
