// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Cost, OrganizationFigures } from '../../app/routes/cost/figures.tsx';

const burn = {
  days_elapsed: 10,
  days_total: 30,
  daily_burn_rate: 10,
  projected_net_amount: 1,
  projected_net_low: null,
  projected_net_high: null,
  projected_minutes: 300,
  projected_minutes_low: null,
  projected_minutes_high: null,
  projected_overage: 0,
  projected_overage_cost: null,
  range_missing: null,
  status: 'ok',
};

/** A month of an organization in which this share of the included minutes was used. */
function used(minutes: number): { bar: HTMLProgressElement; text: string } {
  const month = {
    login: 'octo',
    plan: 'team',
    included_minutes: 3000,
    period: { year: 2026, month: 11 },
    skus: [{}],
    total_net_amount: 1,
    total_gross_amount: 1,
    total_discount_amount: 0,
    total_minutes: minutes,
    burn_rate: { ...burn, quota_minutes: minutes },
  } as unknown as Cost;
  render(<OrganizationFigures data={month} base="" />);
  const bar = screen.getByRole<HTMLProgressElement>('progressbar');
  return { bar, text: bar.parentElement?.textContent?.replaceAll('\u00a0', ' ') ?? '' };
}

test('what is used of the included minutes is reported in percent', () => {
  const { bar, text: words } = used(2600);
  expect(words).toContain('2,600 of 3,000 included minutes of the team plan, 87 %.');
  expect([bar.value, bar.max, bar.className]).toEqual([2600, 3000, '']);
});

test('what goes beyond them is marked by a word and a colour, and the bar ends where they do', () => {
  const { bar, text: words } = used(164_220);
  expect(words).toContain('164,220 of 3,000 included minutes of the team plan,  over 100 %.');
  expect(words).not.toContain('5,474');
  expect([bar.value, bar.max, bar.className]).toEqual([3000, 3000, 'over']);
  expect(screen.getByText('over 100 %').className).toBe('badge text-fail');
});
