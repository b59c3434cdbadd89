import { expect, test } from 'vitest';
import { lessOften } from '../../server/advisor/cron.ts';

test.each([
  ['*/5 * * * *', '17 * * * *'],
  ['3,33 * * * *', '3 * * * *'],
  ['0,30 9 * * *', '17 9 * * *'],
  ['*/10 8-18 * * *', '17 8-18 * * *'],
  ['0 * * * *', '17 */6 * * *'],
  ['25 * * * *', '25 */6 * * *'],
  ['25 */6 * * *', '25 0 * * *'],
  ['25 3,15 * * *', '25 3 * * *'],
  ['20 2 * * *', '20 2 * * 4'],
  ['0 2 * * *', '17 2 * * 4'],
  ['20 2 * * 1', null],
  ['20 2 1 * *', null],
  ['20 2 * * 1-5', null],
  ['20/15 * * * *', '20 * * * *'],
  ['0 5/6 * * *', '17 5 * * *'],
  ['5,70 * * * *', null],
  ['30-10 * * * *', null],
  ['@daily', null],
  ['x y * * *', null],
  ['', null],
])('%j becomes %j', (pattern, next) => {
  expect(lessOften(pattern, { busiestWeekday: 4 })).toBe(next);
});
