// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { Delta } from '../../app/components/delta.tsx';
import {
  type Change,
  changeInPercent,
  coverageText,
  Measurement,
  sampleText,
} from '../../app/components/measurement.tsx';
import { MetricCard } from '../../app/components/metric-card.tsx';

const text = (container: HTMLElement) => container.textContent?.replaceAll('\u00a0', ' ');
const failures = { unit: 'percent', sample: 16, source: 'finished production deployments' } as const;

test('an unknown value is a dash with its reason, never a zero', () => {
  const { container } = render(<Measurement value={{ ...failures, value: null, sample: 0 }} />);
  expect(text(container)).toBe('– no finished production deployments in this period');
});

test('zero is a value', () => {
  const { container } = render(<Measurement value={{ ...failures, value: 0 }} showSample />);
  expect(text(container)).toBe('0 % from 16 finished production deployments');
});

test('floors and estimates are named as such', () => {
  expect(text(render(<Measurement value={{ value: 800, unit: 'count', quality: 'floor' }} />).container)).toBe(
    'at least 800',
  );
  expect(text(render(<Measurement value={{ value: 26.4, unit: 'hours', quality: 'estimated' }} />).container)).toBe(
    '≈ 1 d 2 h',
  );
});

test('sample and interval stand together', () => {
  const shown = sampleText({ ...failures, value: 12.5, interval: [3.5, 36] });
  expect(shown.replaceAll('\u00a0', ' ')).toBe('from 16 finished production deployments · 95 % CI 3.5 % to 36 %');
});

test.each([
  [{ read: 1200, total: 1200, one: 'run' }, 'all 1,200 runs'],
  [{ read: 1, total: 1, one: 'run' }, 'the only run'],
  [{ read: 800, total: 1200, one: 'run' }, '800 of 1,200 runs'],
  [{ read: 800, total: null, one: 'run' }, '800 runs loaded, more may exist'],
])('coverage %o', (coverage, labels) => {
  expect(coverageText(coverage).replaceAll('\u00a0', ' ')).toBe(labels);
});

describe('a change with its sign', () => {
  const against = 'the previous 30 days';
  const higher: Change = { by: 12, unit: 'percent', better: 'lower', verdict: 'higher', against };
  const lower: Change = { ...higher, by: -12, verdict: 'lower' };
  const unshown: Change = { ...higher, by: 0.5, unit: 'points', verdict: 'no_difference_shown' };
  test.each<[Change, string, string]>([
    [higher, '+12 % against the previous 30 days', 'red'],
    [lower, '−12 % against the previous 30 days', 'emerald'],
    [{ ...higher, by: 3.2, unit: 'points', better: 'higher' }, '+3.2 points against the previous 30 days', 'emerald'],
    [{ ...lower, better: 'neither' }, '−12 % against the previous 30 days', 'void'],
    [unshown, '+0.5 points against the previous 30 days, no difference shown', 'void'],
    [{ ...unshown, by: 70 }, '+70 points against the previous 30 days, no difference shown', 'void'],
    [{ ...higher, by: 0.3 }, '±0 % against the previous 30 days, no difference shown', 'void'],
    // The mean fell while the median rose.
    [{ ...lower, verdict: 'higher' }, '−12 % against the previous 30 days, no difference shown', 'void'],
    [{ ...higher, verdict: 'not_enough_data' }, '+12 % against the previous 30 days, not enough data', 'void'],
    [{ ...higher, verdict: undefined }, '+12 % against the previous 30 days, not tested', 'void'],
  ])('%o', (change, labels, colour) => {
    const { container } = render(<Delta {...change} />);
    expect(text(container)).toBe(labels);
    expect(container.firstElementChild?.className).toContain(`text-${colour}`);
  });
  test.each<[Change, number]>([
    [higher, 1],
    [lower, 1],
    [{ ...higher, by: 0 }, 0],
    [unshown, 0],
    [{ ...higher, verdict: undefined }, 0],
    [{ ...lower, better: 'neither' }, 0],
  ])('has an arrow only where a difference is shown and a direction is better: %o', (change, arrows) => {
    const { container } = render(<Delta {...change} />);
    expect(container.querySelectorAll('svg')).toHaveLength(arrows);
  });
  test('nothing to compare with is said', () => {
    const { container } = render(<Delta {...higher} by={null} />);
    expect(text(container)).toBe('No comparison');
    const { container: explained } = render(<Delta {...higher} by={null} reason="fewer than 10 runs" />);
    expect(text(explained)).toBe('No comparison: fewer than 10 runs');
  });
  test('nothing before means nothing to compare', () => {
    expect(changeInPercent(5, 0)).toBeNull();
    expect(changeInPercent(null, 5)).toBeNull();
    expect(changeInPercent(6, 5)).toBeCloseTo(20);
  });
});

test('a card says value, tier, change, trend, sample, coverage and how it is computed', () => {
  render(
    <MetricCard
      label="Change failure rate"
      value={{ ...failures, value: 12.5 }}
      tier="High (2024 edition)"
      change={{ by: -2, unit: 'points', better: 'lower', against: 'the previous 30 days' }}
      trend={{ values: [10, null, 12], label: 'Change failure rate, 3 weeks' }}
      coverage={{ read: 16, total: 20, one: 'deployment' }}
      before={{ value: { value: 8, unit: 'percent', sample: 49 }, window: 'previous 30 days' }}
      evidenceHref="/explain"
      computed="Failed finished deployments, divided by finished deployments."
    />,
  );
  const card = screen.getByRole('article', { name: 'Change failure rate' });
  const shown = text(card);
  for (const part of [
    '12.5 %',
    'Previous 30 days: 8 % from 49',
    'High (2024 edition)',
    '−2 points',
    '16 finished',
    '16 of 20 deployments',
    'Failed finished deployments, divided by finished deployments.',
  ])
    expect(shown).toContain(part);
  expect(screen.getByRole('img', { name: /Change failure rate, 3 weeks: lowest 10/ })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Change failure rate' }).getAttribute('href')).toBe('/explain');
});

test.each([
  [4, 20, 'No comparison: fewer than 5'],
  [20, 4, 'No comparison: fewer than 5'],
  [5, 5, '+100 % against the previous 30 days'],
  [null, 20, '+100 % against the previous 30 days'],
])('a change of %s facts from %s is told only where it is not of chance', (sample, earlier, told) => {
  render(
    <MetricCard
      label="Time to restore"
      value={{ value: 4, unit: 'hours', sample }}
      before={{ value: { value: 2, unit: 'hours', sample: earlier }, window: 'previous 30 days' }}
    />,
  );
  const shown = text(screen.getByRole('article', { name: 'Time to restore' }));
  expect(shown).toContain(told);
  expect(shown).toContain(`Previous 30 days: 2 h from ${earlier}`);
});
