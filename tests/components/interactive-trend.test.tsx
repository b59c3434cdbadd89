// @vitest-environment jsdom
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { InteractiveTrend } from '../../app/components/interactive-trend.tsx';

const trend = (values: (number | null)[]) => (
  <InteractiveTrend
    title="Duration"
    summary="Steady."
    unit="minutes"
    zone="UTC"
    step={86_400_000}
    series={[{ label: 'ci', points: values.map((value, day) => ({ at: day * 86_400_000, value })) }]}
  />
);

test('the server sends the drawing and its table, and no button that needs scripts', () => {
  const html = renderToString(trend([1, 2, 3]));
  expect(html).toContain('role="img"');
  expect(html).toContain('<table>');
  expect(html).not.toContain('<button');
});

test('what the script needs goes with the drawing', () => {
  const html = renderToString(trend([1, 2, 3]));
  const [, data = ''] = /<script type="application\/json">(.*?)<\/script>/.exec(html) ?? [];
  expect(JSON.parse(data).series[0].points).toHaveLength(3);
  expect(html).toContain('<script type="module"');
});

test('nothing to explore, nothing offered', () => {
  expect(renderToString(trend([null, 2]))).not.toContain('<script');
});
