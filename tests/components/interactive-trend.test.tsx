// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
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

test('with scripts the drawing stays until somebody asks, and comes back', () => {
  render(trend([1, 2, 3]));
  expect(screen.getByRole('img', { name: 'Duration. Steady.' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Explore by pointer' }));
  expect(screen.queryByRole('img', { name: 'Duration. Steady.' })).toBeNull();
  expect(screen.getByRole('table', { hidden: true })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Back to the plain drawing' }));
  expect(screen.getByRole('img', { name: 'Duration. Steady.' })).toBeTruthy();
});

test('nothing to explore, nothing offered', () => {
  render(trend([null, 2]));
  expect(screen.queryByRole('button')).toBeNull();
});
