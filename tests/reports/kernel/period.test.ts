import { expect, test } from 'vitest';
import { findComparedDays } from '../../../server/reports/kernel/period.ts';

test.each([
  ['previous', ['2026-03-01', '2026-03-02'], ['2026-02-27', '2026-02-28']],
  ['year', ['2026-03-01', '2026-03-02'], ['2025-03-01', '2025-03-02']],
  ['year', ['2028-02-29', '2028-03-01'], ['2027-02-28', '2027-03-01']],
  ['off', ['2026-03-01'], null],
  ['previous', [], null],
] as const)('%s of %j is %j', (comparison, days, compared) => {
  expect(findComparedDays(comparison, days)).toEqual(compared);
});
